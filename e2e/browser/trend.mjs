// Opens the page of a history, uses it without a mouse, and prints what was seen as JSON.
// Usage: node trend.mjs CHROMIUM FILE light|dark WIDTH
import { chromium } from "playwright-core";

const [, , executablePath, file, colorScheme, width] = process.argv;
const seen = { errors: [], requests: [], dialogs: [] };
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});
const page = await browser.newPage({ colorScheme, viewport: { width: Number(width), height: 900 } });
page.on("console", message => ["error", "warning"].includes(message.type()) && seen.errors.push(message.text()));
page.on("pageerror", error => seen.errors.push(error.message));
page.on("dialog", dialog => { seen.dialogs.push(dialog.message()); dialog.dismiss(); });
page.on("request", request => request.url() !== "file://" + file && seen.requests.push(request.url()));
await page.goto("file://" + file);
seen.firstPaint = await page.evaluate(() => new Promise(done => new PerformanceObserver(list => {
  for (const entry of list.getEntriesByName("first-contentful-paint")) done(entry.startTime);
}).observe({ type: "paint", buffered: true })));
seen.background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);

// tabTo presses Tab until the element has the focus, which must be visible.
async function tabTo(selector) {
  for (let i = 0; i < 3000; i++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(s => document.activeElement.matches(s) && getComputedStyle(document.activeElement).outlineStyle, selector);
    if (found === "none") seen.errors.push("the focus is not visible at " + selector);
    if (found) return;
  }
  throw new Error("Tab does not reach " + selector);
}
const rows = () => page.evaluate(() => [...document.querySelectorAll("#steps tbody tr")].filter(row => row.offsetHeight).length);

// Each link of the navigation leads to the heading of its section, whatever the page draws on the way.
seen.headings = [];
for (const id of ["figures", "steps", "details"]) {
  await page.evaluate(() => { document.body.tabIndex = -1; document.body.focus(); });
  await tabTo("nav a[href='#" + id + "']");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(1500);
  seen.headings.push(await page.evaluate(id => {
    const top = document.querySelector("#" + id + " h2").getBoundingClientRect().top;
    return top >= document.querySelector("nav").getBoundingClientRect().bottom && top < innerHeight;
  }, id));
}

await page.locator("#steps").evaluate(section => { section.tabIndex = -1; section.focus(); });
await tabTo("#steps input");
seen.all = await rows();
await page.keyboard.type("number 7");
seen.filtered = await rows();
await page.keyboard.press("ControlOrMeta+A");
await page.keyboard.press("Delete");
await tabTo("#steps th:nth-child(4) button");
await page.keyboard.press("Enter");
seen.first = await page.locator("#steps tbody tr").first().locator("td").nth(3).textContent();
await page.keyboard.press("Space");
seen.sort = await page.locator("#steps th:nth-child(4)").getAttribute("aria-sort");

await page.locator("#details").evaluate(section => { section.tabIndex = -1; section.focus(); });
const details = await page.locator("#details details.case").count();
seen.unfolded = 0;
for (let i = 1; i <= details; i++) {
  await tabTo("#c" + i + " > summary");
  await page.keyboard.press(i % 2 ? "Enter" : "Space");
  seen.unfolded += await page.evaluate(i => document.querySelector("#c" + i).open && document.querySelector("#c" + i + " li") !== null, i) ? 1 : 0;
}
seen.details = details;
seen.wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
seen.charts = await page.locator("figure.trend canvas").count();
await browser.close();
console.log(JSON.stringify(seen));
