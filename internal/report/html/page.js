(() => {
"use strict";
const all = (what, of = document) => [...of.querySelectorAll(what)];
const make = (kind, text) => Object.assign(document.createElement(kind), {textContent: text});

// What is far down stands in comments, each with some hundred entries. They are put in their place when they are scrolled to, sorted,
// filtered or linked to.
const folded = of => [...of.childNodes].filter(node => node.nodeType === Node.COMMENT_NODE);
function unfold(comment) {
  const entries = make("template", "");
  entries.innerHTML = comment.data;
  comment.replaceWith(entries.content);
}
const nearby = new IntersectionObserver(entries => {
  for (const {isIntersecting, target} of entries) {
    if (!isIntersecting) continue;
    nearby.unobserve(target);
    const next = folded(target.parentElement)[0];
    if (next) unfold(next);
    watch(target.parentElement);
  }
}, {rootMargin: "1000px"});
function watch(of) {
  const next = folded(of)[0];
  if (next) nearby.observe(next.previousElementSibling);
}

// A column of numbers is sorted by the number that its cells begin with, any other by its text. An absent value comes last.
const order = new Intl.Collator("en", {numeric: true}).compare;
const numberOf = cell => parseFloat(cell.textContent.replaceAll(",", "").replace("−", "-").replace("$", ""));
const missing = (value, numeric) => numeric ? Number.isNaN(value) : value === "";

function sort(table, column, header) {
  const up = header.getAttribute("aria-sort") !== "ascending";
  for (const th of all("th", table)) th.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", up ? "ascending" : "descending");
  const numeric = header.classList.contains("n"), body = table.tBodies[0];
  folded(body).forEach(unfold);
  const rows = [...body.rows].map(row => {
    const cell = row.cells[column];
    return {row, value: numeric ? numberOf(cell) : cell.textContent};
  });
  rows.sort((a, b) => {
    const gone = missing(a.value, numeric) - missing(b.value, numeric);
    if (gone || missing(a.value, numeric)) return gone;
    const by = numeric ? a.value - b.value : order(a.value, b.value);
    return up ? by : -by;
  });
  body.append(...rows.map(r => r.row));
}

// A row is shown when it holds every word of the filter.
function filter(table, words, said) {
  folded(table.tBodies[0]).forEach(unfold);
  const rows = [...table.tBodies[0].rows], wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !wanted.every(word => text.includes(word));
    shown += row.hidden ? 0 : 1;
  }
  said.textContent = wanted.length ? shown + " of " + rows.length : "";
}

function arm(table) {
  const box = table.parentElement;
  Object.assign(box, {tabIndex: 0, role: "region", ariaLabel: "table of " + table.dataset.of});
  if (table.dataset.armed || table.tBodies[0].rows.length < 2) return;
  table.dataset.armed = "yes";
  [...table.tHead.rows[0].cells].forEach((th, column) => {
    if (!th.textContent) return;
    const button = make("button", th.textContent);
    button.type = "button";
    button.addEventListener("click", () => sort(table, column, th));
    th.replaceChildren(button);
  });
  const bar = make("div", ""), field = make("input", ""), said = make("span", "");
  bar.className = "tools";
  said.className = "dim";
  said.setAttribute("role", "status");
  field.type = "search";
  field.placeholder = "Filter " + table.dataset.of;
  field.setAttribute("aria-label", field.placeholder);
  field.addEventListener("input", () => filter(table, field.value, said));
  bar.append(field, said);
  box.before(bar);
}

// Tables of closed details wait until these are opened, so that a page of many cases is there at once.
const armIn = of => all("table[data-of]", of).filter(t => !t.closest("details:not([open])")).forEach(arm);
document.addEventListener("toggle", e => e.target.open && armIn(e.target), true);

function reveal() {
  const id = location.hash.slice(1), holds = comment => comment.data.includes(" id=" + id + ">") || comment.data.includes(" id=" + id + " ");
  if (/^c\d+$/.test(id)) all(".cards").flatMap(folded).filter(holds).forEach(unfold);
  const target = document.getElementById(id);
  if (target instanceof HTMLDetailsElement) target.open = true;
  if (target) show(target);
}

// The page above a target grows when it comes near: the target is brought back until that ends, or the reader goes on.
function show(target) {
  const back = () => target.scrollIntoView(), grown = new ResizeObserver(back), moves = ["wheel", "touchstart", "pointerdown", "keydown"];
  const end = () => {
    grown.disconnect();
    for (const move of moves) removeEventListener(move, end);
  };
  for (const move of moves) addEventListener(move, end, {passive: true});
  setTimeout(end, 3000);
  grown.observe(document.body);
  back();
}
addEventListener("hashchange", reveal);
document.addEventListener("click", e => {
  const link = e.target.closest("a[href^='#']");
  if (link && link.hash === location.hash) reveal();
});

// A chart shows the columns of percentages of its table against the first column.
const charts = new Map();
function draw(table) {
  const old = charts.get(table);
  const box = old ? old.box : make("div", "");
  if (old) old.plot.destroy();
  if (!old) {
    box.className = "chart";
    table.closest("figure").querySelector("figcaption").after(box);
  }
  const style = getComputedStyle(document.documentElement), colour = name => style.getPropertyValue(name).trim();
  const colours = [colour("--link"), colour("--mark"), colour("--dim")];
  const heads = [...table.tHead.rows[0].cells].map(th => th.textContent);
  const columns = heads.map((_, i) => i).filter(i => i && heads[i].includes("%"));
  const rows = [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => {
    const value = numberOf(cell);
    return Number.isNaN(value) ? null : value;
  })).sort((a, b) => a[0] - b[0]);
  const axis = {stroke: colour("--dim"), grid: {stroke: colour("--line"), width: 1}, ticks: {stroke: colour("--line"), width: 1}};
  const plot = new uPlot({
    width: box.clientWidth || 320, height: 220,
    scales: {x: {time: false, distr: 2}, y: {range: [0, 105]}},
    axes: [{...axis, splits: () => rows.map((_, i) => i), values: (_, at) => at},
      {...axis, size: 55, splits: () => [0, 25, 50, 75, 100], values: (_, at) => at.map(v => v + " %")}],
    cursor: {drag: {x: false, y: false}, y: false},
    series: [{label: heads[0], value: (_, v) => v === null ? "–" : v}].concat(columns.map((_, i) => ({
      label: heads[columns[i]].replace(" %", ""), stroke: colours[i % 3], width: 2, dash: i ? [6, 4] : undefined, spanGaps: false,
      points: {show: true, size: 7, stroke: colours[i % 3], fill: colours[i % 3]}, value: (_, v) => v === null ? "–" : v + " %",
    }))),
  }, [rows.map(row => row[0]), ...columns.map(i => rows.map(row => row[i]))], box);
  plot.root.setAttribute("role", "img");
  plot.root.setAttribute("aria-label", "chart of the table below");
  charts.set(table, {plot, box});
}

// Charts are drawn before sorting changes the heads, when they come into view, and again in other colours or another width.
const curves = all("table.curve");
if (curves.length) {
  const seen = new IntersectionObserver(entries => {
    for (const e of entries) {
      if (!e.isIntersecting) continue;
      seen.unobserve(e.target);
      draw(e.target.querySelector("table.curve"));
    }
  }, {rootMargin: "300px"});
  for (const table of curves) seen.observe(table.closest("figure"));
  const again = () => [...charts.keys()].forEach(draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  let wait;
  addEventListener("resize", () => { clearTimeout(wait); wait = setTimeout(again, 150); });
}

armIn(document);
all("tbody, .cards").forEach(watch);
reveal();
})();
