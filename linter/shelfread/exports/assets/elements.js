"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const number = (count) => count.toLocaleString("en");
const counted = (count, noun, many = noun + "s") => number(count) + " " + (count === 1 ? noun : many);
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/* Elements are made, never parsed: a title is text, whatever it contains. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false || value === 0) continue;
    if (name === "text") element.textContent = value;
    else if (name === "on") element.addEventListener("click", value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child));
  return element;
}

const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const WEB = /^(?:https?|mailto):/i;
function drawLink(url, text, name) {
  return WEB.test(url) ? make("a", { href: url, rel: "noopener noreferrer", text, class: name, dir: "auto" }) : make("span", { text, class: name, dir: "auto" });
}

/* Called when the reader goes back or on. A link within the page, as the one to its table, is no state. */
function onHistory(show) {
  addEventListener("popstate", () => {
    if (location.hash && document.getElementById(location.hash.slice(1))) return;
    show();
  });
}
