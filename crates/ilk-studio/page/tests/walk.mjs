// A person's whole path through the page, in Chromium, by keyboard where a person would use it.
//
//   node tests/walk.mjs ILK CHROMIUM SCREENSHOTS
//
// ILK is the command; screenshots of the panels go to the folder SCREENSHOTS.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const [ilk, browser_path, pictures] = process.argv.slice(2);
assert.ok(pictures, "usage: node tests/walk.mjs ILK CHROMIUM SCREENSHOTS");
mkdirSync(pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "ilk-walk-"));
const data = join(folder, "plants.csv");

/** Three groups that overlap a little; an id and a column with markup, which must only ever be text. */
function table() {
  const names = ["fern", "moss", "reed"];
  const centers = [[0, 0, 3], [5, 0.5, 1], [2.5, 4, 2]];
  const lines = ["id,height,width,leaves,<b>note</b>"];
  for (let row = 0; row < 240; row++) {
    const group = row % 3;
    const wave = (k) => Math.sin(row * k) + Math.sin(row * k * 1.7 + 1);
    const [x, y, z] = centers[group].map((center, axis) => (center + 0.75 * wave(0.37 + axis * 0.61)).toFixed(2));
    lines.push(`${names[group]}-${row},${x},${y},${z},<img src=x onerror=alert(1)>`);
  }
  return lines.join("\n") + "\n";
}

/** Starts the server and waits for its address. */
async function serve(args) {
  const child = spawn(ilk, ["studio", ...args, "--no-open", "--quiet"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((resolve, reject) => {
    lines.once("line", resolve);
    child.once("exit", (code) => reject(new Error(`ilk studio ended with ${code}`)));
  });
  return { child, url };
}

const group = (id) => id.split("-")[0];
const page_errors = [];

async function question(page) {
  return page.getByTestId("question").getAttribute("data-id");
}

/** The ids on the cards. */
async function cards(page) {
  return page.locator(".card h3 button").allTextContents();
}

/** Answers what is asked by keyboard, as who knows the groups. */
async function answer(page) {
  const before = await question(page);
  const ids = await cards(page);
  if (ids.length === 2) {
    await page.keyboard.press(group(ids[0]) === group(ids[1]) ? "s" : "d");
  } else if (ids.length === 3) {
    const odd = [0, 1, 2].find((at) => {
      const [a, b] = [(at + 1) % 3, (at + 2) % 3].map((other) => group(ids[other]));
      return a === b && a !== group(ids[at]);
    });
    await page.keyboard.press(odd === undefined ? "0" : String(odd + 1));
  } else {
    for (let at = 1; at < ids.length; at++) if (group(ids[at]) === group(ids[0])) await page.keyboard.press(String(at));
    await page.keyboard.press("Enter");
  }
  await changed(page, before);
}

async function changed(page, before) {
  await page.waitForFunction((id) => document.querySelector("[data-testid=question]")?.getAttribute("data-id") !== id, before);
}

const counted = (page) => page.getByTestId("answers").locator("li").filter({ hasNotText: "none yet" }).count();

async function until(what, check) {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`not within a minute: ${what}`);
}

async function kind(page, name) {
  const before = await question(page);
  await page.getByLabel(name).check();
  await changed(page, before);
}

async function shoot(page, name) {
  await page.screenshot({ path: join(pictures, `${name}.jpg`), type: "jpeg", quality: 60 });
}

/** Opens the page in a browser whose profile is new, and notes whatever goes wrong in it. */
async function open(browser, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  page.on("pageerror", (error) => page_errors.push(String(error)));
  page.on("dialog", (dialog) => page_errors.push(`a dialog: ${dialog.message()}`));
  page.on("console", (message) => {
    if (message.type() === "error" && /content security policy|script/i.test(message.text())) page_errors.push(message.text());
  });
  await page.goto(url);
  await page.getByTestId("question").waitFor();
  return page;
}

async function walk(browser) {
  let { child, url } = await serve([data, "--numeric-only"]);
  try {
    const page = await open(browser, url);
    assert.equal(new URL(page.url()).search, "", "the token has left the address");
    await until("the first clusters", async () => (await page.getByTestId("clusters").locator("strong").count()) > 0);

    // Thirty answers by keyboard: pairs, then triplets, then groups.
    const start = Date.now();
    for (let number = 0; number < 10; number++) await answer(page);
    console.log(`10 answers by keyboard took ${((Date.now() - start) / 1000).toFixed(1)} s`);
    await page.keyboard.press("w");
    await page.locator(".why").waitFor();
    await shoot(page, "pair");
    for (let number = 10; number < 18; number++) await answer(page);
    await kind(page, "the odd one of three");
    for (let number = 18; number < 26; number++) await answer(page);
    await shoot(page, "triplet");
    await kind(page, "which of nine");
    for (let number = 26; number < 30; number++) await answer(page);
    await shoot(page, "group");
    await kind(page, "two rows");
    await until("30 answers", async () => (await counted(page)) === 30);

    // Skipping is an answer too; three are taken back.
    const before = await question(page);
    await page.keyboard.press("Space");
    await changed(page, before);
    await until("31 answers", async () => (await counted(page)) === 31);
    for (let left = 30; left >= 28; left--) {
      await page.keyboard.press("z");
      await until(`${left} answers`, async () => (await counted(page)) === left);
    }

    // A contradiction, by rows of the table: three statements, the last of which is wrong.
    const select = async (...ids) => {
      for (const id of ids) {
        await page.getByLabel("search").fill(id);
        await page.getByLabel(`Select ${id}`, { exact: true }).check();
      }
    };
    await select("fern-0", "fern-3");
    await page.getByRole("button", { name: "these belong together" }).click();
    await until("29 answers", async () => (await counted(page)) === 29);
    await select("fern-0");
    await page.getByRole("button", { name: "apart from…" }).click();
    await select("moss-1");
    await page.getByRole("button", { name: "these are apart from those" }).click();
    await until("30 answers", async () => (await counted(page)) === 30);
    assert.equal(await page.getByTestId("contradictions").count(), 0);
    await select("fern-3", "moss-1");
    await page.getByRole("button", { name: "these belong together" }).click();
    const contradictions = page.getByTestId("contradictions");
    await contradictions.waitFor();
    await shoot(page, "contradiction");
    const wrong = contradictions.locator("li.likeliest").first();
    assert.match(await wrong.textContent(), /fern-3 and moss-1 belong together/);
    await wrong.getByRole("button", { name: "take back" }).click();
    await until("no contradiction", async () => (await contradictions.count()) === 0);
    assert.equal(await counted(page), 30);

    // A lasso around a corner of the map.
    await page.getByLabel("search").fill("");
    const box = await page.getByTestId("map").boundingBox();
    const at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
    const border = [[0.02, 0.5], [0.3, 0.5], [0.3, 0.98], [0.02, 0.98], [0.02, 0.52]];
    await page.keyboard.down("Shift");
    await page.mouse.move(...at(...border[0]));
    await page.mouse.down();
    for (const corner of border.slice(1)) await page.mouse.move(...at(...corner), { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    const selection = page.getByRole("group", { name: "Selected rows" });
    await selection.waitFor();
    assert.ok(Number.parseInt(await selection.locator("span").textContent(), 10) >= 2, "the lasso holds rows");
    await shoot(page, "lasso");
    await selection.getByRole("button", { name: "these belong together" }).click();
    await until("31 answers", async () => (await counted(page)) === 31);

    // A name, a finished cluster, and why a row is where it is.
    await until("clusters of now", async () => (await page.getByTestId("stale").count()) === 0);
    await page.getByRole("button", { name: /^Rename/ }).first().click();
    await page.getByLabel("Name of the cluster").fill("<i>ferns</i>");
    await page.keyboard.press("Enter");
    const clusters = page.getByTestId("clusters");
    await clusters.getByText("<i>ferns</i>").first().waitFor();
    await clusters.getByLabel("done").first().check();
    await page.locator(".table tbody button.link").first().click();
    await page.getByRole("dialog").waitFor();
    await shoot(page, "why");
    await page.keyboard.press("Escape");

    // Everything is there after the page is loaded again, and after the server was killed.
    const answers = await page.getByTestId("answers").textContent();
    await page.reload();
    await until("the answers", async () => (await page.getByTestId("answers").textContent()) === answers);
    await clusters.getByText("<i>ferns</i>").first().waitFor();
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    ({ child, url } = await serve(["--project", "plants.studio"]));
    await page.goto(url);
    await until("the answers", async () => (await page.getByTestId("answers").textContent()) === answers);
    await clusters.getByText("<i>ferns</i>").first().waitFor();

    // What is exported predicts the same labels.
    const [download] = await Promise.all([
      page.waitForEvent("download", { timeout: 120_000 }),
      page.getByRole("link", { name: "Export" }).click(),
    ]);
    assert.equal(readFileSync(await download.path()).subarray(0, 2).toString(), "PK");
    const exported = join(folder, "plants.studio", "export");
    execFileSync(ilk, ["predict", join(exported, "model.ilk"), data, "--out", join(folder, "predicted.csv"), "--quiet"]);
    const labels = (path) => readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(",").slice(0, 2).join());
    assert.deepEqual(labels(join(folder, "predicted.csv")), labels(join(exported, "clusters.csv")));

    await page.getByLabel("by the model").check();
    await until("the model", async () => (await page.getByTestId("stale").count()) === 0);
    await shoot(page, "model");
    await page.close();
    // Dark, and wide. The server's page is one: a new start URL is not needed, but a new browser has no cookie.
    const dark = await open(browser, url, { colorScheme: "dark", viewport: { width: 1920, height: 1080 } });
    await until("clusters", async () => (await dark.getByTestId("clusters").locator("strong").count()) > 0);
    await shoot(dark, "dark");
    await dark.close();
    assert.deepEqual(page_errors, []);
  } finally {
    child.kill("SIGKILL");
  }
}

writeFileSync(data, table());
const browser = await chromium.launch({
  executablePath: browser_path,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
try {
  await walk(browser);
  console.log("the whole path was walked");
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
