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

for (const entry of data.entries) {
  entry.hay = fold([entry.title, entry.name, entry.text, entry.authors, entry.venue, entry.year, ...sectionPath(entry)].filter(Boolean).join("\n"));
}

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
for (const facet of FACETS) {
  facet.of = new Map(data.entries.map((entry) => [entry, facet.values(entry)]));
  facet.all = [...new Set([...facet.of.values()].flat())];
  if (facet.order === "name") facet.all.sort(collator.compare);
}
/* A chart of what one entry of fifty states says nothing about the others. */
const isRare = (facet) => facet.isFact && data.entries.filter((entry) => facet.of.get(entry).length).length * 50 < data.entries.length;
const SHOWN = FACETS.filter((facet) => facet.all.length > 0 && !isRare(facet));
const COLUMNS = [
  { key: "title", title: "Title", of: (entry) => entry.title },
  { key: "venue", title: "Venue", of: (entry) => entry.venue },
  { key: "year", title: "Year", of: (entry) => entry.year },
  { key: "section", title: "Section", of: (entry) => join(ownPath(entry)) },
  { key: "links", title: "Links" },
].filter((column) => column.key === "title" || data.entries.some((entry) => (column.of ? column.of(entry) : entry.links)));

/* The state is in the address, so that a search can be sent to somebody. */
let state = {};
function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  state = { q: given.get("q") || "", sort: given.get("sort") || "", page: Math.max(parseInt(given.get("page"), 10) || 1, 1) };
  for (const facet of SHOWN) state[facet.key] = given.get(facet.key) || "";
  if (!COLUMNS.some((column) => column.of && column.key === state.sort.replace(/^-/, ""))) state.sort = "";
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
  const facets = SHOWN.filter((facet) => facet !== except && state[facet.key]);
  return data.entries.filter(
    (entry) => terms.every((term) => entry.hay.includes(term)) && facets.every((facet) => facet.of.get(entry).includes(state[facet.key])),
  );
}

function sorted(entries) {
  const descending = state.sort.startsWith("-");
  const column = COLUMNS.find((candidate) => candidate.key === state.sort.replace(/^-/, ""));
  if (!column) return entries;
  const keyed = entries.map((entry) => [column.of(entry), entry]);
  /* What has no value stands last in both orders. */
  keyed.sort(([a], [b]) => {
    const missing = (a === undefined || a === "") - (b === undefined || b === "");
    if (missing || a === undefined || a === "") return missing;
    const order = typeof a === "number" ? a - b : collator.compare(a, b);
    return descending ? -order : order;
  });
  return keyed.map(([, entry]) => entry);
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

function drawRow(entry) {
  const links = entry.links || [];
  const main = links.find((link) => WEB.test(link.url));
  const cells = {
    title: () => [
      /* A block, so that a title stands on the side on which the text below it begins. */
      make("div", { dir: "auto" }, main ? make("a", { href: main.url, rel: "noopener noreferrer", text: entry.title }) : entry.title),
      entry.name && !entry.title.startsWith(entry.name) && make("p", { text: entry.name, dir: "auto" }),
      entry.authors && make("p", { text: entry.authors, dir: "auto" }),
      entry.text && make("p", { text: entry.text, dir: "auto" }),
      entry.findings && make("ul", { class: "findings" }, ...entry.findings.map(drawFinding)),
    ],
    venue: () => [entry.venue && make("span", { text: entry.venue, dir: "auto" })],
    year: () => [entry.year && String(entry.year)],
    section: () => [make("span", { text: join(ownPath(entry).slice(-2)), dir: "auto" })],
    links: () => links.map((link) => {
      const text = link.label && link.label !== entry.title ? link.label : hostOf(link.url);
      const unhealthy = link.health && link.health !== "alive";
      return make("span", { title: link.why }, drawLink(link.url, text, unhealthy ? link.health : undefined), unhealthy && make("span", { class: "note " + link.health, text: " (" + link.health + ")" }));
    }),
  };
  return make("tr", { role: "row", "data-line": entry.line }, ...COLUMNS.map((column) => make("td", { role: "cell", class: column.key }, ...cells[column.key]())));
}
function hostOf(url) {
  try { return new URL(url).host.replace(/^www\./, "") || url; } catch { return url; }
}
function drawFinding(finding) {
  return make("li", {}, make("span", { class: finding.severity, text: finding.severity }), " ", make("span", { text: finding.message, dir: "auto" }), " ", make("code", { text: finding.rule }));
}

function drawHead() {
  const row = document.querySelector("thead tr");
  row.replaceChildren(...COLUMNS.map((column) => {
    if (!column.of) return make("th", { scope: "col", role: "columnheader", class: "fixed", text: column.title });
    const order = state.sort === column.key ? "ascending" : state.sort === "-" + column.key ? "descending" : "none";
    const next = { none: column.key, ascending: "-" + column.key, descending: "" }[order];
    const arrow = { none: "", ascending: " ▲", descending: " ▼" }[order];
    return make("th", { scope: "col", role: "columnheader", "aria-sort": order },
      make("button", { type: "button", "data-sort": column.key, on: () => change({ sort: next }) }, column.title, arrow && make("span", { "aria-hidden": "true", text: arrow })));
  }));
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
  const active = SHOWN.filter((facet) => state[facet.key]);
  find("clear").hidden = !active.length && !state.q;
  find("active").hidden = !active.length;
  find("active").replaceChildren(...active.map((facet) => make("li", {}, make("button", {
    type: "button", "aria-label": "Remove the filter " + facet.title + ": " + state[facet.key], on: () => change({ [facet.key]: "" }),
  }, make("span", { text: state[facet.key], dir: "auto" }), make("span", { "aria-hidden": "true", text: " ×" })))));
}

/* Buttons are made anew, so the one that has the focus gets it back. */
function keepFocus(work) {
  const { facet, value, sort } = document.activeElement?.dataset || {};
  work();
  for (const button of document.querySelectorAll("[data-facet], [data-sort]")) {
    if (sort ? button.dataset.sort === sort : facet && button.dataset.facet === facet && button.dataset.value === value) return button.focus({ preventScroll: true });
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

function draw() {
  keepFocus(() => {
    const terms = fold(state.q).split(/\s+/).filter(Boolean);
    const entries = sorted(matching(terms));
    state.page = Math.min(state.page, Math.max(Math.ceil(entries.length / PAGE_SIZE), 1));
    if (find("search").value !== state.q) find("search").value = state.q;
    drawActive();
    keepScroll(() => find("charts").replaceChildren(...SHOWN.map((facet) => drawChart(facet, matching(terms, facet)))));
    const first = (state.page - 1) * PAGE_SIZE;
    const shown = entries.slice(first, first + PAGE_SIZE);
    const range = shown.length < entries.length ? number(first + 1) + " to " + number(first + shown.length) + " of " : "";
    find("count").textContent = entries.length ? range + counted(entries.length, "entry", "entries") : "No entry matches. Clear a filter, or search for fewer words.";
    drawHead();
    document.querySelector("tbody").replaceChildren(...shown.map(drawRow));
    drawPages(entries.length);
  });
}

function drawSummary() {
  const dead = data.entries.filter((entry) => (entry.links || []).some((link) => link.health === "dead")).length;
  const findings = data.entries.reduce((sum, entry) => sum + (entry.findings || []).length, data.findings.length);
  find("summary").textContent = [
    counted(data.entries.length, "entry", "entries"), data.lists.length > 1 && counted(data.lists.length, "list"),
    findings && counted(findings, "finding"), dead && counted(dead, "entry", "entries") + " with a dead link",
  ].filter(Boolean).join(", ");
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
  change({ q: "", ...Object.fromEntries(SHOWN.map((facet) => [facet.key, ""])) });
  find("search").focus();
});
onHistory(() => {
  read();
  draw();
});
document.querySelector("main").hidden = false;
/* On a phone the table comes first. */
find("filters").open = innerWidth > 700;
find("filters").addEventListener("toggle", showLatestYears);
read();
drawSummary();
draw();
showLatestYears();
