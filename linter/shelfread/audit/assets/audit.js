const PAGE_SIZE = 25;
const SHORT = 15;
const rate = (list) => (list.entries ? (100 * ((list.errors || 0) + (list.warnings || 0))) / list.entries : 0);
for (const [index, list] of data.lists.entries()) {
  list.index = index;
  list.hay = fold([list.name, list.title, list.error].filter(Boolean).join("\n"));
}

/* Lists with an error come first, then those with most findings for their size. */
const COLUMNS = [
  { key: "list", title: "List", of: (list) => list.name },
  { key: "rate", title: "Findings in 100 entries", of: (list) => (list.entries ? rate(list) : undefined), text: (value) => value.toFixed(1) },
  { key: "errors", title: "Errors", of: (list) => list.errors || 0 },
  { key: "warnings", title: "Warnings", of: (list) => list.warnings || 0 },
  { key: "rule", title: "Of the rule", of: (list) => (list.rules || {})[state.number] || 0 },
  { key: "entries", title: "Entries", of: (list) => list.entries || 0 },
  { key: "papers", title: "Papers", of: (list) => list.papers || 0 },
  { key: "links", title: "Links", of: (list) => list.links || 0 },
  { key: "dead", title: "Dead links", of: (list) => (list.checked ? list.dead || 0 : undefined) },
];
const anyChecked = data.lists.some((list) => list.checked);
const isShown = { rule: () => state.number !== undefined, dead: () => anyChecked };
const shownColumns = () => COLUMNS.filter((column) => !isShown[column.key] || isShown[column.key]());
const columnOf = (sort) => COLUMNS.find((column) => column.key === sort.replace(/^-/, ""));

/* The state is in the address, so that a view can be sent to somebody. */
let state = {};
function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  const found = data.rules.findIndex((rule) => rule.id === given.get("rule"));
  state = {
    q: given.get("q") || "", rule: found < 0 ? "" : data.rules[found].id, number: found < 0 ? undefined : found,
    sort: columnOf(given.get("sort") || "") ? given.get("sort") : "", page: Math.max(parseInt(given.get("page"), 10) || 1, 1),
  };
}
function change(values, replace = false) {
  const next = { ...state, page: 1, ...values };
  const shown = new URLSearchParams();
  for (const key of ["q", "rule", "sort", "page"]) if (next[key] && !(key === "page" && next.page === 1)) shown.set(key, next[key]);
  const address = "#" + shown;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  read();
  draw();
}

let expanded = false;
function drawRules() {
  const most = Math.max(1, ...data.rules.map((rule) => rule.errors + rule.warnings));
  const bars = make("ul", { class: "bars" });
  data.rules.forEach((rule, index) => {
    if (!expanded && index >= SHORT && rule.id !== state.rule) return;
    const count = rule.errors + rule.warnings;
    const bar = make("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", count / most);
    const spread = counted(count, "finding") + " in " + counted(rule.lists, "list");
    bars.append(make("li", {}, make("button", {
      type: "button", "aria-pressed": String(rule.id === state.rule), "data-rule": rule.id, title: rule.about,
      "aria-label": rule.id + ": " + spread + ", " + number(rule.fixes) + " with a fix",
      on: () => change({ rule: rule.id === state.rule ? "" : rule.id }),
    }, bar, make("span", { class: "name", text: rule.id }), make("span", { class: "about", text: rule.about }), make("span", { class: "number", text: spread }))));
  });
  const more = data.rules.length > SHORT && make("button", {
    type: "button", class: "more", "aria-expanded": String(expanded), "data-rule": "",
    text: expanded ? "Show fewer" : "Show all " + number(data.rules.length), on: () => { expanded = !expanded; draw(); },
  });
  find("rule-bars").replaceChildren(...(data.rules.length ? [bars] : [make("p", { text: "No rule has found anything." })]), ...(more ? [more] : []));
}

function matching() {
  const terms = fold(state.q).split(/\s+/).filter(Boolean);
  return data.lists.filter((list) => terms.every((term) => list.hay.includes(term)) && (state.number === undefined || (list.rules || {})[state.number]));
}
function sorted(lists) {
  const column = columnOf(state.sort);
  const key = column ? column.of : state.number !== undefined ? columnOf("rule").of : (list) => (list.error ? Infinity : rate(list));
  const descending = column ? state.sort.startsWith("-") : true;
  const keyed = lists.map((list) => [key(list), list]);
  /* What has no value stands last in both orders. */
  keyed.sort(([a, first], [b, second]) => {
    const missing = (a === undefined) - (b === undefined);
    if (missing || a === undefined) return missing || first.index - second.index;
    const order = typeof a === "number" ? (a === b ? 0 : a < b ? -1 : 1) : collator.compare(a, b);
    return (descending ? -order : order) || first.index - second.index;
  });
  return keyed.map(([, list]) => list);
}

function drawHead() {
  document.querySelector("#list-table thead tr").replaceChildren(...shownColumns().map((column) => {
    const order = state.sort === column.key ? "ascending" : state.sort === "-" + column.key ? "descending" : "none";
    /* Of numbers the greatest are asked for most. */
    const [first, second] = column.key === "list" ? [column.key, "-" + column.key] : ["-" + column.key, column.key];
    const next = state.sort === first ? second : state.sort === second ? "" : first;
    const arrow = { none: "", ascending: " ▲", descending: " ▼" }[order];
    return make("th", { scope: "col", role: "columnheader", "aria-sort": order, class: column.key !== "list" && "count" },
      make("button", { type: "button", "data-sort": column.key, on: () => change({ sort: next }) }, column.title, arrow && make("span", { "aria-hidden": "true", text: arrow })));
  }));
}
/* What was found in a list; each rule leads to all lists in which it speaks. */
function drawFindings(list) {
  const counts = Object.entries(list.rules).sort(([, a], [, b]) => b - a);
  return make("details", {}, make("summary", { text: counted(counts.reduce((sum, [, times]) => sum + times, 0), "finding") }),
    make("ul", {}, ...counts.map(([index, times]) => {
      const id = data.rules[index].id;
      return make("li", {}, make("button", { type: "button", class: "more", text: id, title: data.rules[index].about, on: () => change({ q: "", rule: id }) }), " " + number(times));
    })));
}
function drawRow(list) {
  return make("tr", { role: "row", "data-list": list.name }, ...shownColumns().map((column) => {
    if (column.key === "list") {
      return make("td", { role: "cell", class: "list" }, make("span", { text: list.name, dir: "auto" }),
        list.title && list.title !== list.name && make("p", { text: list.title, dir: "auto" }), list.error && make("p", { class: "error", text: list.error, dir: "auto" }),
        list.rules && drawFindings(list));
    }
    const value = column.of(list);
    const text = list.failed || value === undefined ? "" : column.text ? column.text(value) : number(value);
    return make("td", { role: "cell", class: "count", "data-label": column.title, text });
  }));
}
function drawPages(total) {
  const pages = Math.max(Math.ceil(total / PAGE_SIZE), 1);
  const go = (page) => { change({ page }); find("lists").focus(); find("lists").scrollIntoView(); };
  find("pages").hidden = pages < 2;
  find("pages").replaceChildren(
    make("button", { type: "button", text: "Previous", disabled: state.page <= 1, on: () => go(state.page - 1) }),
    make("span", { text: "Page " + number(state.page) + " of " + number(pages) }),
    make("button", { type: "button", text: "Next", disabled: state.page >= pages, on: () => go(state.page + 1) }),
  );
}

/* Buttons are made anew, so the one that has the focus gets it back. */
function keepFocus(work) {
  const { rule, sort } = document.activeElement?.dataset || {};
  work();
  for (const button of document.querySelectorAll("[data-rule], [data-sort]")) {
    if (sort ? button.dataset.sort === sort : rule !== undefined && button.dataset.rule === rule) return button.focus({ preventScroll: true });
  }
}
function draw() {
  keepFocus(() => {
    const lists = sorted(matching());
    state.page = Math.min(state.page, Math.max(Math.ceil(lists.length / PAGE_SIZE), 1));
    if (find("search").value !== state.q) find("search").value = state.q;
    drawRules();
    find("clear").hidden = !state.rule && !state.q;
    find("active").hidden = !state.rule;
    find("active").replaceChildren(...(state.rule ? [make("li", {}, make("button", {
      type: "button", "aria-label": "Remove the filter " + state.rule, on: () => change({ rule: "" }),
    }, state.rule, make("span", { "aria-hidden": "true", text: " ×" })))] : []));
    const first = (state.page - 1) * PAGE_SIZE;
    const shown = lists.slice(first, first + PAGE_SIZE);
    const range = shown.length < lists.length ? number(first + 1) + " to " + number(first + shown.length) + " of " : "";
    find("count").textContent = lists.length ? range + counted(lists.length, "list") : "No list matches. Clear the filters.";
    drawHead();
    document.querySelector("#list-table tbody").replaceChildren(...shown.map(drawRow));
    drawPages(lists.length);
  });
}

const names = (indexes) => indexes.map((index) => data.lists[index].name).join(", ");
function drawShared() {
  find("shared").hidden = data.lists.length < 2;
  const first = data.sharedCount > data.shared.length ? "; the first " + number(data.shared.length) + " are shown" : "";
  find("shared-note").textContent = number(data.sharedCount) + " of " + counted(data.things, "thing") + " are in more than one list" + first + ". Two entries are one thing if they have an identifier, a title of a paper or a first link in common.";
  const item = (thing) => {
    const rest = thing.count - thing.lists.length;
    return make("li", {}, thing.url ? drawLink(thing.url, thing.title) : make("span", { text: thing.title, dir: "auto" }), " ",
      make("span", { class: "where", dir: "auto", text: counted(thing.count, "list") + ": " + names(thing.lists) + (rest ? " and " + number(rest) + " more" : "") }));
  };
  const list = make("ol", {}, ...data.shared.slice(0, SHORT).map(item));
  const rest = data.shared.slice(SHORT);
  const more = rest.length && make("button", { type: "button", class: "more", text: "Show all " + number(data.shared.length), on: () => { list.append(...rest.map(item)); more.remove(); } });
  find("shared-things").append(list, ...(more ? [more] : []));
  find("pairs-title").hidden = !data.pairs.length;
  const entries = (index) => data.lists[index].entries || 0;
  find("pairs").append(make("ol", {}, ...data.pairs.map(([a, b, count]) => make("li", {}, make("span", { dir: "auto", text: names([a]) + " and " + names([b]) }), " ",
    make("span", { class: "where", text: number(count) + " in common, of " + number(entries(a)) + " and " + number(entries(b)) + " entries" })))));
}

function drawPublished() {
  const { venues, years, papers, totals, others, earlier } = data.published;
  find("published").hidden = !venues.length;
  const notes = ["Each paper counts once, in however many lists it is.", others && counted(others, "other venue") + " with fewer papers left out.", earlier && counted(earlier, "paper") + " of earlier years left out."];
  find("published-note").textContent = notes.filter(Boolean).join(" ");
  const most = Math.max(1, ...papers.flat());
  const head = make("tr", {}, make("th", { scope: "col", text: "Venue" }), make("th", { scope: "col", text: "All" }), ...years.map((year) => make("th", { scope: "col", text: String(year) })));
  const rows = venues.map((venue, row) => make("tr", {}, make("th", { scope: "row", text: venue, title: venue, dir: "auto" }), make("td", { class: "total", text: number(totals[row]) }), ...papers[row].map((count) => {
    const cell = make("td", { class: count && "papers", text: count ? number(count) : undefined });
    if (count) cell.style.setProperty("--share", Math.sqrt(count / most));
    return cell;
  })));
  find("published-table").append(make("thead", {}, head), make("tbody", {}, ...rows));
}

function drawSummary() {
  const sum = (key) => data.lists.reduce((total, list) => total + (list[key] || 0), 0);
  const wrong = data.lists.filter((list) => list.error).length;
  find("summary").textContent = [
    counted(sum("entries"), "entry", "entries"), counted(sum("papers"), "paper"), counted(sum("links"), "link"),
    counted(sum("errors"), "error"), counted(sum("warnings"), "warning"),
    anyChecked && number(sum("dead")) + " of " + counted(sum("checked"), "checked link") + " dead", wrong && counted(wrong, "list") + " not read in full",
  ].filter(Boolean).join(", ");
}

let typing;
find("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => change({ q: find("search").value }, true), 120);
});
find("clear").addEventListener("click", () => {
  change({ q: "", rule: "" });
  find("search").focus();
});
onHistory(() => {
  read();
  draw();
});
document.querySelector("main").hidden = false;
read();
drawSummary();
drawShared();
drawPublished();
draw();
