/** A phone that rings in the page: by the stream, by a push to the real worker, answered, declined, missed. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { Browser, Server, enter, say, shoot, until } from "./harness.js";

/** @type {Browser} */
let browser;
/** @type {Server} */
let server;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.end());
beforeEach(async () => {
  server = await Server.start();
});
afterEach(() => server.end());

const log = (page) => page.getByRole("log");
const rings = (page) => page.locator("dialog.ringing[open]");
const invite = (reason = "I miss you.") => server.ask("POST", "/api/call/invite", { reason });

test("it rings in every page, is answered in one and gone in the other at once; hanging up leaves a record", async (t) => {
  const one = await browser.open(server, { viewport: { width: 360, height: 740 } });
  const two = await browser.open(server);
  await enter(one, server);
  await enter(two, server);
  await say(one, "hello");
  await log(one).getByText("Hello! Tell me").waitFor();
  const shown = one.evaluate(() => new Promise((resolve) => {
    const watch = new MutationObserver(() => document.querySelector("dialog.ringing[open]") && resolve(Date.now()));
    watch.observe(document.body, { subtree: true, attributes: true, childList: true });
  }));
  const { invite: made } = await invite();
  t.diagnostic(`from the invite to the card: ${(await shown) - made.created_at_ms} ms`);
  await rings(one).getByText("I miss you.").waitFor();
  await rings(two).waitFor();
  await shoot(one, "ringing-360");
  await shoot(two, "ringing-1280");
  await one.getByRole("button", { name: "Accept" }).click();
  await rings(two).waitFor({ state: "hidden" });
  await one.locator(".on-line").getByText(/0:0\d/).waitFor();
  assert.equal(await two.locator(".on-line:visible").count(), 0);
  await say(one, "help");
  await one.locator(".on-line .caption").getByText("These are the things").waitFor();
  await until("five seconds are a call", () => Date.now() - made.created_at_ms > 6500);
  await one.getByRole("button", { name: "Hang up" }).click();
  await log(one).locator(".call-record").getByText("Voice call").waitFor();
  assert.deepEqual([...one.faults, ...two.faults], []);
});

test("declined with a chip, and with words of one's own: they stand in the chat as the person's", async () => {
  const page = await browser.open(server);
  await enter(page, server);
  await say(page, "hello");
  await log(page).getByText("Hello! Tell me").waitFor();
  await invite();
  await page.getByRole("button", { name: "Decline" }).click();
  await shoot(page, "declining-1280");
  const chip = page.locator("dialog .chip").first();
  const words = (await chip.textContent()) ?? "";
  await chip.click();
  await rings(page).waitFor({ state: "hidden" });
  await log(page).getByText(words).first().waitFor();
  await invite();
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByLabel("Your own words").fill("x".repeat(61));
  assert.ok(await page.getByRole("dialog").getByRole("button", { name: "Send" }).isDisabled());
  await page.getByLabel("Your own words").fill("in the bath");
  await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
  await log(page).getByText("in the bath").first().waitFor();
  assert.deepEqual(page.faults, []);
});

test("one that nobody takes goes by the server's deadline and leaves its voicemail", async () => {
  await server.ask("PATCH", "/api/settings", { settings: { call: { invite_expires: 15 } } });
  const page = await browser.open(server);
  await enter(page, server);
  await say(page, "hello");
  await log(page).getByText("Hello! Tell me").waitFor();
  await invite("The moon is out.");
  await rings(page).waitFor();
  await rings(page).waitFor({ state: "hidden", timeout: 30_000 });
  await log(page).locator(".call-record").getByText("Missed call").waitFor();
  await log(page).locator(".call-record").getByText("The moon is out.").waitFor();
  await shoot(page, "voicemail-1280");
  assert.deepEqual(page.faults, []);
});

test("a push to the worker shows something each time, wakes the page, and is closed with the call", async (t) => {
  // A browser of its own: a private window has no push.
  const { page, end } = await Browser.whole(server);
  t.after(end);
  await page.context().grantPermissions(["notifications"], { origin: server.origin });
  await enter(page, server);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const worker = await until("the worker", () => page.context().serviceWorkers()[0]);
  // As the browser hands it a push: an event that it keeps the worker awake for.
  const push = (data) => worker.evaluate((data) => self.dispatchEvent(new PushEvent("push", { data })), data);
  const notes = () => page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((one) => ({ title: one.title, body: one.body })));

  const { invite: made } = await invite();
  const ring = { kind: "call", id: made.id, sequence: 0, expires_at_ms: made.expires_at_ms, last: false, title: "It rings", body: made.reason };
  await push(JSON.stringify(ring));
  await until("it is shown", async () => (await notes()).some((one) => one.title === "It rings" && one.body === "I miss you."));
  await push(JSON.stringify({ ...ring, sequence: 1 }));
  await rings(page).waitFor();
  await page.getByRole("button", { name: "Accept" }).click();
  await until("all are closed together", async () => (await notes()).length === 0);
  // Past its time, and unreadable: never silent.
  await push(JSON.stringify({ ...ring, id: "old", expires_at_ms: Date.now() - 1000 }));
  await until("it says missed", async () => (await notes()).some((one) => one.title.includes("Missed call")));
  await push("{");
  await until("it is shown", async () => (await notes()).length === 2);
  assert.deepEqual(page.faults, []);
});
