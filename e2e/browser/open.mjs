// Opens the page FILE of the command line, CHROMIUM FILE light|dark WIDTH, and notes what it does by itself.
import { chromium } from "playwright-core";

const [, , executablePath, file, colorScheme, width] = process.argv;
export const seen = { errors: [], requests: [], dialogs: [] };
export const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});
export const page = await browser.newPage({ colorScheme, viewport: { width: Number(width), height: 900 } });
page.on("console", message => ["error", "warning"].includes(message.type()) && seen.errors.push(message.text()));
page.on("pageerror", error => seen.errors.push(error.message));
page.on("dialog", dialog => { seen.dialogs.push(dialog.message()); dialog.dismiss(); });
page.on("request", request => request.url() !== "file://" + file && seen.requests.push(request.url()));
await page.goto("file://" + file);
seen.firstPaint = await page.evaluate(() => new Promise(done => new PerformanceObserver(list => {
  for (const entry of list.getEntriesByName("first-contentful-paint")) done(entry.startTime);
}).observe({ type: "paint", buffered: true })));
seen.background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
seen.wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

// tabTo presses Tab until the element has the focus, which must be visible.
export async function tabTo(selector) {
  for (let i = 0; i < 5000; i++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(s => document.activeElement.matches(s) && getComputedStyle(document.activeElement).outlineStyle, selector);
    if (found === "none") seen.errors.push("the focus is not visible at " + selector);
    if (found) return;
  }
  throw new Error("Tab does not reach " + selector);
}
