// Opens a page, uses it as a person without a mouse does, and prints what was seen as JSON.
// Usage: node page.mjs CHROMIUM FILE light|dark WIDTH
import { browser, page, seen, tabTo } from "./open.mjs";

seen.title = await page.title();
seen.cases = await page.locator("details.case").count();
seen.open = await page.locator("details.case[open]").count();

// rows returns the texts of a column of the rows of a table that are shown.
const rows = (table, column) => page.evaluate(([table, column]) => [...document.querySelectorAll(table + " tbody tr")]
  .filter(row => row.offsetHeight).map(row => row.cells[column - 1].textContent), [table, column]);

if (await page.locator("#cases th button").count()) {
  await page.locator("#cases").evaluate(section => { section.tabIndex = -1; section.focus(); });
  await tabTo("#cases input");
  await page.keyboard.type("zz9 fail");
  seen.filtered = await rows("#cases", 2);
  seen.said = await page.locator("#cases [role=status]").textContent();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  seen.unfiltered = (await rows("#cases", 2)).length;
  await tabTo("#cases th:nth-child(2) button");
  await page.keyboard.press("Enter");
  seen.ascending = await rows("#cases", 2);
  await page.keyboard.press("Space");
  seen.descending = await rows("#cases", 2);
  seen.sort = await page.locator("#cases th:nth-child(2)").getAttribute("aria-sort");
  seen.numbers = [];
  const numeric = page.locator("#cases th.n button");
  for (let i = 0; i < await numeric.count(); i++) {
    await numeric.nth(i).focus();
    await page.keyboard.press("Enter");
    const column = await numeric.nth(i).evaluate(button => button.parentElement.cellIndex + 1);
    seen.numbers.push((await rows("#cases", column)).map(text => parseFloat(text.replaceAll(",", ""))).filter(n => !Number.isNaN(n)));
  }
}

if (await page.locator("#others summary").count()) {
  await page.locator("#others summary").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForTimeout(100);
  seen.inDetail = await page.locator("#others details[open]").first().locator("th button").count();
}

const link = page.locator("#cases a").last();
if (await link.count()) {
  await link.focus();
  await page.keyboard.press("Enter");
  seen.linked = await page.evaluate(() => document.querySelector(location.hash).open);
}

if (await page.locator("table.curve").count()) {
  await page.locator("#curves").scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  seen.charts = await page.locator("#curves canvas").count();
  seen.drawn = await page.locator("#curves canvas").first().evaluate(canvas => {
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const colours = new Set();
    for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] === 255) colours.add(pixels.slice(i, i + 3).join());
    return colours.size;
  });
}
if (process.env.SCREENSHOTS) await page.screenshot({ path: process.env.SCREENSHOTS + "/" + colorScheme + "-" + width + ".png" });
await browser.close();
console.log(JSON.stringify(seen));
