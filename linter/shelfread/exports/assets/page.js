const PAGE_SIZE = 100;
const SHORT = 12;
const sectionPath = (entry) => (entry.section === undefined ? [] : data.sections[entry.section]);
/* A heading above all entries says nothing about any of them. */
const shared = (() => {
  const paths = [...new Set(data.entries.map((entry) => entry.section))].map((id) => (id === undefined ? [] : data.sections[id]));
  let depth = 0;
  while (paths.length && paths.every((path) => path.length > depth && path[depth] === paths[0][depth])) depth++;
  return paths.length > 1 ? depth : Math.max(depth - 1, 0);
})();
const BETWEEN = " › ";
const join = (path) => path.join(BETWEEN);
const ownPath = (entry) => {
  const path = sectionPath(entry);
  return path.slice(path.length > 1 && path[0] === data.title ? Math.max(shared, 1) : shared);
};

const hayOf = (entry) => (entry.hay ??= fold([entry.title, entry.name, entry.text, ...(entry.authors || []), ...(entry.groups || []), ...(entry.notes || []), ...(entry.remarks || []), entry.venue, entry.workshop, entry.year, ...sectionPath(entry)].filter(Boolean).join("\n")));

/* What entries can be filtered by: the values of an entry, and how they are drawn. */
const FACETS = [
  { key: "year", title: "Years", values: (entry) => (entry.year ? [String(entry.year)] : []), chart: "years", order: "name", isFact: true },
  { key: "venue", title: "Venues", values: (entry) => (entry.venue ? [entry.venue] : []), order: "count", isFact: true },
  {
    key: "section", title: "Sections", order: "list",
    depth: (value) => value.split(BETWEEN).length - 1,
    values: (entry) => ownPath(entry).map((_, depth, path) => join(path.slice(0, depth + 1))),
  },
  { key: "list", title: "Lists", values: (entry) => (data.lists.length > 1 ? [data.lists[entry.list]] : []), order: "list" },
  { key: "link", title: "Links", values: (entry) => [...new Set((entry.links || []).map((link) => link.health).filter(Boolean))], order: "count" },
  { key: "finding", title: "Findings", values: (entry) => [...new Set((entry.findings || []).map((finding) => finding.rule))], order: "count" },
];
/* The facets that have charts, made when they are first looked at: a page of ten thousand entries opens without. */
let charted;
function facets() {
  if (charted) return charted;
  for (const facet of FACETS) {
    facet.of = new Map(data.entries.map((entry) => [entry, facet.values(entry)]));
    facet.all = [...new Set([...facet.of.values()].flat())];
    if (facet.order === "name") facet.all.sort(collator.compare);
  }
  /* A chart of what most entries do not state says nothing about them. */
  const isRare = (facet) => facet.isFact && data.entries.filter((entry) => facet.of.get(entry).length).length * 2 < data.entries.length;
  charted = FACETS.filter((facet) => facet.all.length > 0 && !isRare(facet));
  return charted;
}
const valuesOf = (facet, entry) => (facet.of ? facet.of.get(entry) : facet.values(entry));
const ORDERS = [
  { key: "", title: "As in the list", group: (entry) => ownPath(entry) },
  { key: "year", title: "Newest first", group: (entry) => [entry.year ? String(entry.year) : "No year"] },
  { key: "title", title: "By title" },
].filter((order) => order.key !== "year" || data.entries.some((entry) => entry.year));

/* The state is in the address, so that a search can be sent to somebody. */
let state = {};
function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  state = { q: given.get("q") || "", sort: given.get("sort") || "", page: Math.max(parseInt(given.get("page"), 10) || 1, 1) };
  for (const facet of FACETS) state[facet.key] = given.get(facet.key) || "";
  if (!ORDERS.some((order) => order.key === state.sort)) state.sort = "";
}
function change(values, replace = false) {
  state = { ...state, page: 1, ...values };
  const shown = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) if (value && !(key === "page" && value === 1)) shown.set(key, value);
  const address = "#" + shown;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  draw();
}

function matching(terms, except) {
  const chosen = FACETS.filter((facet) => facet !== except && state[facet.key]);
  return data.entries.filter(
    (entry) => terms.every((term) => hayOf(entry).includes(term)) && chosen.every((facet) => valuesOf(facet, entry).includes(state[facet.key])),
  );
}

function sorted(entries) {
  if (state.sort === "year") return [...entries].sort((a, b) => (b.year || 0) - (a.year || 0));
  return state.sort === "title" ? [...entries].sort((a, b) => collator.compare(a.title, b.title)) : entries;
}

const expanded = new Set();
const parentOf = (value) => value.slice(0, value.lastIndexOf(BETWEEN));
function drawChart(facet, entries) {
  const counts = new Map();
  for (const entry of entries) for (const value of facet.of.get(entry)) counts.set(value, (counts.get(value) || 0) + 1);
  const chosen = state[facet.key];
  let values = facet.all.filter((value) => counts.has(value) || value === chosen);
  if (facet.order === "count") values.sort((a, b) => (counts.get(b) || 0) - (counts.get(a) || 0) || collator.compare(a, b));
  const most = Math.max(1, ...counts.values());
  const total = values.length;
  const isLong = facet.chart !== "years" && total > SHORT;
  if (isLong && !expanded.has(facet.key)) {
    if (facet.depth) {
      /* A heading or two above all others would hide the rest. */
      const base = [0, 1, 2].find((depth) => values.filter((value) => facet.depth(value) <= depth).length > 3) ?? 0;
      const isOpen = (value) => (chosen + BETWEEN).startsWith(parentOf(value) + BETWEEN);
      let left = SHORT;
      values = values.filter((value) => value === chosen || (facet.depth(value) && isOpen(value)) || (facet.depth(value) <= base && left-- > 0));
    } else values = values.filter((value, index) => index < SHORT || value === chosen);
  }
  const bars = make("ul", { class: "bars" });
  for (const value of values) {
    const count = counts.get(value) || 0;
    const bar = make("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", count / most);
    const depth = facet.depth ? facet.depth(value) : 0;
    const button = make("button", {
      type: "button", class: depth && "deep", "aria-pressed": String(value === chosen), "aria-label": value + ": " + counted(count, "entry", "entries"),
      "data-facet": facet.key, "data-value": value, on: () => change({ [facet.key]: value === chosen ? "" : value }),
    }, bar, make("span", { class: "name", text: depth ? value.split(BETWEEN).pop() : value, dir: "auto" }), make("span", { class: "number", text: number(count) }));
    if (depth) button.style.setProperty("--depth", depth);
    bars.append(make("li", {}, button));
  }
  const more = isLong && make("button", {
    type: "button", class: "more", "aria-expanded": String(expanded.has(facet.key)), "data-facet": facet.key, "data-value": "",
    text: expanded.has(facet.key) ? "Show fewer" : "Show all " + number(total),
    on: () => { if (!expanded.delete(facet.key)) expanded.add(facet.key); draw(); },
  });
  return make("figure", { class: facet.chart || "", "data-chart": facet.key }, make("figcaption", { text: facet.title }), bars, more);
}

function drawAuthors(entry) {
  const names = entry.authors;
  const all = names.join(", ") + (entry.others ? (names.length > 1 ? ", et al." : " et al.") : "");
  if (names.length < 4) return make("span", { text: all, dir: "auto" });
  return make("details", {}, make("summary", { text: names[0] + (entry.others ? " et al." : " and " + counted(names.length - 1, "other")), dir: "auto" }), make("span", { text: all, dir: "auto" }));
}

function drawEntry(entry) {
  const links = entry.links || [];
  const main = links.find((link) => WEB.test(link.url));
  const isNamed = (link) => link.label && (link === main ? !link.label.includes(entry.title) : link.label !== entry.title);
  const others = links.filter((link) => link !== main || isNamed(link) || (link.health && link.health !== "alive"));
  const chips = others.map((link) => {
    const unhealthy = link.health && link.health !== "alive";
    const text = isNamed(link) ? link.label : hostOf(link.url);
    return make("span", { title: link.why }, drawLink(link.url, text, unhealthy ? link.health : undefined), unhealthy && make("span", { class: "note " + link.health, text: " (" + link.health + ")" }));
  });
  if (entry.paper) chips.push(make("button", { type: "button", "aria-label": "Cite " + entry.title, text: "Cite", on: () => cite([entry]) }));
  const place = state.sort && ownPath(entry).length && make("span", { text: join(ownPath(entry).slice(-2)), dir: "auto" });
  const meta = [entry.venue && make("span", { text: entry.workshop || entry.venue, dir: "auto" }), entry.year && make("span", { text: String(entry.year) }), entry.authors && drawAuthors(entry), ...[...(entry.groups || []), ...(entry.notes || [])].map((note) => make("span", { text: note, dir: "auto" })), place].filter(Boolean);
  return make("li", { class: "entry", "data-line": entry.line },
    /* A block, so that a title stands on the side on which the text below it begins. */
    make("div", { class: "title", dir: "auto" }, main ? make("a", { href: main.url, rel: "noopener noreferrer", text: entry.title }) : entry.title),
    entry.name && !entry.title.startsWith(entry.name) && make("p", { text: entry.name, dir: "auto" }),
    (meta.length || chips.length) && make("div", { class: "meta" }, ...meta, ...chips),
    ...[entry.text, ...(entry.remarks || [])].map((text) => text && make("p", { class: "about", text, dir: "auto" })),
    entry.findings && make("ul", { class: "findings" }, ...entry.findings.map(drawFinding)),
  );
}

/* The entries below the headings of their order. */
function drawEntries(entries) {
  const { group } = ORDERS.find((order) => order.key === state.sort);
  const parts = [];
  let last;
  for (const entry of entries) {
    const path = group ? group(entry) : [];
    const name = join(path);
    if (name !== last) {
      last = name;
      if (path.length) parts.push(make("h2", { class: "group", dir: "auto" }, path.length > 1 && make("span", { class: "above", text: join(path.slice(0, -1)) }), path[path.length - 1]));
      parts.push(make("ul", { class: "entries" }));
    }
    parts[parts.length - 1].append(drawEntry(entry));
  }
  return parts;
}

/* BibTeX is made here, so that a page of ten thousand entries need not carry it. */
const SPECIAL = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
const tex = (text) => text.replace(/[\\{}&%$#_~^]/g, (char) => SPECIAL[char] || "\\" + char);
function bibtex(entry, taken) {
  const urls = (entry.links || []).map((link) => link.url).filter((url) => WEB.test(url));
  const doi = urls.map((url) => /^https?:\/\/(?:dx\.)?doi\.org\/(10\..+)/i.exec(url)).find(Boolean);
  const venue = data.venues[entry.venue] || {};
  const kind = !entry.venue || venue.kind === "preprint" || venue.kind === "other" ? "misc" : venue.kind === "journal" ? "article" : "inproceedings";
  const authors = entry.authors || [];
  const words = [(authors[0] || "").split(/\s+/).pop(), entry.year, entry.title.split(/\s+/).find((word) => word.length > 3)];
  const base = fold(words.filter(Boolean).join("")).replace(/[^a-z0-9]/g, "") || "entry";
  const times = taken.get(base) || 0;
  taken.set(base, times + 1);
  const fields = {
    title: "{" + tex(entry.title) + "}", author: [...authors.map(tex), ...(entry.others ? ["others"] : [])].join(" and "), year: entry.year,
    [{ article: "journal", inproceedings: "booktitle", misc: "howpublished" }[kind]]: entry.venue && tex(kind === "misc" ? entry.venue : entry.workshop || venue.name || entry.venue),
    doi: doi && tex(doi[1]), url: urls[0] && urls[0].replace(/[{}\\\s]/g, encodeURIComponent),
  };
  const lines = Object.entries(fields).filter(([, value]) => value).map(([key, value]) => "  " + key + " = {" + value + "},\n");
  return "@" + kind + "{" + base + (times ? "-" + (times + 1) : "") + ",\n" + lines.join("") + "}\n";
}
function cite(entries) {
  const taken = new Map();
  find("bibtex").value = entries.map((entry) => bibtex(entry, taken)).join("\n");
  find("copy").textContent = "Copy";
  find("cite").showModal();
  find("bibtex").select();
  find("bibtex").scrollTop = 0;
}
find("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(find("bibtex").value);
  } catch {
    find("bibtex").select();
    document.execCommand("copy");
  }
  find("copy").textContent = "Copied";
});

function hostOf(url) {
  try { return new URL(url).host.replace(/^www\./, "") || url; } catch { return url; }
}
function drawFinding(finding) {
  return make("li", {}, make("span", { class: finding.severity, text: finding.severity }), " ", make("span", { text: finding.message, dir: "auto" }), " ", make("code", { text: finding.rule }));
}

function drawPages(total) {
  const pages = Math.max(Math.ceil(total / PAGE_SIZE), 1);
  const go = (page) => { change({ page }); find("entries").focus(); find("entries").scrollIntoView(); };
  find("pages").hidden = pages < 2;
  find("pages").replaceChildren(
    make("button", { type: "button", text: "Previous", disabled: state.page <= 1, on: () => go(state.page - 1) }),
    make("span", { text: "Page " + number(state.page) + " of " + number(pages) }),
    make("button", { type: "button", text: "Next", disabled: state.page >= pages, on: () => go(state.page + 1) }),
  );
}

function drawActive() {
  const active = FACETS.filter((facet) => state[facet.key]);
  find("clear").hidden = !active.length && !state.q;
  find("active").hidden = !active.length;
  find("active").replaceChildren(...active.map((facet) => make("li", {}, make("button", {
    type: "button", "aria-label": "Remove the filter " + facet.title + ": " + state[facet.key], on: () => change({ [facet.key]: "" }),
  }, make("span", { text: state[facet.key], dir: "auto" }), make("span", { "aria-hidden": "true", text: " ×" })))));
}

/* Buttons are made anew, so the one that has the focus gets it back. */
function keepFocus(work) {
  const { facet, value } = document.activeElement?.dataset || {};
  work();
  for (const button of document.querySelectorAll("[data-facet]")) {
    if (facet && button.dataset.facet === facet && button.dataset.value === value) return button.focus({ preventScroll: true });
  }
}

/* They stay scrolled where they were. */
function keepScroll(work) {
  const bars = (figure) => figure.querySelector(".bars");
  const places = new Map([...document.querySelectorAll("figure")].map((figure) => [figure.dataset.chart, [bars(figure).scrollLeft, bars(figure).scrollTop]]));
  work();
  for (const figure of document.querySelectorAll("figure")) [bars(figure).scrollLeft, bars(figure).scrollTop] = places.get(figure.dataset.chart) || [0, 0];
}
function showLatestYears() {
  const years = document.querySelector(".years .bars");
  if (years) years.scrollLeft = years.scrollWidth;
}

let shown = [];
function draw() {
  keepFocus(() => {
    const terms = fold(state.q).split(/\s+/).filter(Boolean);
    const entries = sorted(matching(terms));
    state.page = Math.min(state.page, Math.max(Math.ceil(entries.length / PAGE_SIZE), 1));
    if (find("search").value !== state.q) find("search").value = state.q;
    drawActive();
    if (find("filters").open) keepScroll(() => find("charts").replaceChildren(...facets().map((facet) => drawChart(facet, matching(terms, facet)))));
    const first = (state.page - 1) * PAGE_SIZE;
    const onPage = entries.slice(first, first + PAGE_SIZE);
    const range = onPage.length < entries.length ? number(first + 1) + " to " + number(first + onPage.length) + " of " : "";
    find("count").textContent = entries.length ? range + counted(entries.length, "entry", "entries") : "No entry matches. Clear a filter, or search for fewer words.";
    find("sort").value = state.sort;
    shown = entries;
    find("cite-shown").hidden = !entries.some((entry) => entry.paper);
    find("list").replaceChildren(...drawEntries(onPage));
    drawPages(entries.length);
  });
}

function drawSummary() {
  const dead = data.entries.filter((entry) => (entry.links || []).some((link) => link.health === "dead")).length;
  const findings = data.entries.reduce((sum, entry) => sum + (entry.findings || []).length, data.findings.length);
  find("summary").append([
    counted(data.entries.length, "entry", "entries"), data.lists.length > 1 && counted(data.lists.length, "list"),
    findings && counted(findings, "finding"), dead && counted(dead, "entry", "entries") + " with a dead link",
  ].filter(Boolean).join(", "));
  for (const [url, text] of [[data.repository, "Repository"], [data.feed, "Feed"]]) if (url) find("summary").append(" · ", drawLink(url, text));
  find("about").textContent = data.about;
  find("about").hidden = !data.about;
  find("sort").append(...ORDERS.map((order) => make("option", { value: order.key, text: order.title })));
  find("others").hidden = !data.findings.length;
  document.querySelector("#others summary").textContent = counted(data.findings.length, "finding") + " outside entries";
  document.querySelector("#others ul").append(...data.findings.map((finding) => {
    const item = drawFinding(finding);
    item.prepend(make("code", { text: data.lists[finding.list] + ":" + finding.line }), " ");
    return item;
  }));
}

let typing;
find("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => change({ q: find("search").value }, true), 120);
});
find("clear").addEventListener("click", () => {
  change({ q: "", ...Object.fromEntries(FACETS.map((facet) => [facet.key, ""])) });
  find("search").focus();
});
onHistory(() => {
  read();
  draw();
});
find("sort").addEventListener("change", () => change({ sort: find("sort").value }));
find("cite-shown").addEventListener("click", () => cite(shown.filter((entry) => entry.paper)));
document.querySelector("main").hidden = false;
find("filters").addEventListener("toggle", () => {
  draw();
  showLatestYears();
});
read();
drawSummary();
draw();
find("search").focus({ preventScroll: true });
