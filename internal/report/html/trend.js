(() => {
"use strict";
// A chart shows the figures of its table, commit by commit. "3:80 7:" in a row is 80 from commit 3 to 6, and nothing from 7 on.
const box = document.querySelector("[data-commits]");
const commits = box.dataset.commits.split(",");
const points = text => {
  const values = new Array(commits.length).fill(null), steps = text.split(" ").map(step => step.split(":"));
  steps.forEach(([at, value], i) => {
    const end = i + 1 < steps.length ? +steps[i + 1][0] : commits.length;
    values.fill(value === "" ? null : +value, +at, end);
  });
  return values;
};
const colours = ["--link", "--mark", "--pass", "--fail", "--skipped", "--dim"];
const charts = new Map();
function draw(figure) {
  const old = charts.get(figure), at = old ? old.at : document.createElement("div"), caption = figure.querySelector("figcaption");
  if (old) old.plot.destroy();
  if (!old) {
    at.className = "chart";
    caption.after(at);
  }
  const style = getComputedStyle(document.documentElement), colour = name => style.getPropertyValue(name).trim();
  const rows = [...figure.querySelectorAll("tr[data-points]")], unit = caption.textContent;
  const axis = {stroke: colour("--dim"), grid: {stroke: colour("--line"), width: 1}, ticks: {stroke: colour("--line"), width: 1}};
  const verdict = unit === "verdict", said = v => v === null ? "–" : verdict ? (v ? "pass" : "other") : v.toLocaleString("en") + (unit === "percent" ? " %" : "");
  const y = verdict ? {range: [-0.1, 1.1]} : unit === "percent" ? {range: [0, 105]} : {};
  const plot = new uPlot({
    width: at.clientWidth || 320, height: 200,
    scales: {x: {time: false, range: (_, low, high) => low === high ? [low - 1, high + 1] : [low, high]}, y},
    axes: [{...axis, space: 90, values: (_, list) => list.map(i => Number.isInteger(i) && commits[i] ? commits[i].split(" ")[1] : "")},
      {...axis, size: 60, ...(verdict ? {splits: () => [0, 1]} : {}), values: (_, list) => list.map(said)}],
    cursor: {drag: {x: false, y: false}, y: false},
    series: [{label: "commit", value: (_, i) => i === null ? "–" : commits[i]}].concat(rows.map((row, i) => ({
      label: row.cells[0].textContent, stroke: colour(colours[i % colours.length]), width: 2, dash: i < colours.length ? undefined : [6, 4],
      paths: uPlot.paths.stepped({align: 1}), points: {show: commits.length < 3}, value: (_, v) => said(v),
    }))),
  }, [commits.map((_, i) => i), ...rows.map(row => points(row.dataset.points))], at);
  plot.root.setAttribute("role", "img");
  plot.root.setAttribute("aria-label", "chart of the table below");
  charts.set(figure, {plot, at});
}
const seen = new IntersectionObserver(entries => {
  for (const e of entries) {
    if (!e.isIntersecting) continue;
    seen.unobserve(e.target);
    draw(e.target);
  }
}, {rootMargin: "300px"});
for (const figure of document.querySelectorAll("figure.trend")) seen.observe(figure);
const again = () => [...charts.keys()].forEach(draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
let wait;
addEventListener("resize", () => { clearTimeout(wait); wait = setTimeout(again, 150); });
for (const table of document.querySelectorAll("figure.trend .scroll")) Object.assign(table, {tabIndex: 0, role: "region", ariaLabel: "table of figures"});
})();
