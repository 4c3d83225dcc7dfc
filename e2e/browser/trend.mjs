// Opens the page of a history, uses it without a mouse, and prints what was seen as JSON.
// Usage: node trend.mjs CHROMIUM FILE light|dark WIDTH
import { browser, page, seen, tabTo } from "./open.mjs";

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
seen.wide ||= await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
seen.charts = await page.locator("figure.trend canvas").count();
await browser.close();
console.log(JSON.stringify(seen));
