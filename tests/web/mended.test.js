/** What a person does who lives with the page: two tabs, a reload in a call, long drafts, other scripts than Latin ones. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { Browser, Server, enter, say, until } from "./harness.js";

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
const composer = (page) => page.locator("handset-composer textarea");
const rings = (page) => page.locator("dialog.ringing[open]");
const invite = (reason = "I miss you.") => server.ask("POST", "/api/call/invite", { reason });
/** Another page of the same browser. */
const beside = async (page, path = "/") => {
  const other = browser.watch(server, await page.context().newPage());
  await other.goto(server.origin + path);
  await composer(other).waitFor();
  return other;
};

test("signing out in one tab ends the other, and nobody's words go out under another's name", async () => {
  const one = await browser.open(server);
  await enter(one, server);
  await say(one, "hello");
  await log(one).getByText("Hello! Tell me").waitFor();
  const two = await beside(one, "/?new");
  // What has not left the device is the one's who wrote it.
  await two.route(/\/api\/chats/, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await say(two, "private words");
  await two.locator(".said.waiting").waitFor();
  const kept = await two.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith("handset.out.")));
  assert.equal(kept.length, 2);
  await one.getByRole("button", { name: "Sign out" }).click();
  await one.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  for (const page of [one, two]) await page.waitForURL((url) => url.pathname === "/sign-in");
  assert.equal(await two.getByText("private words").count(), 0);
  // Left behind all the same, as by a tab that slept: the next person's page does not send it.
  await two.evaluate((kept) => kept.forEach(([key, row]) => localStorage.setItem(key, row)), kept);
  const { id } = await server.ask("POST", "/api/people", { name: "Hal" });
  const { path } = await server.ask("POST", `/api/people/${id}/links`, {});
  // Pasted into the very page that asks for it.
  await one.evaluate((path) => location.assign(path), path);
  await one.waitForURL((url) => url.pathname === "/");
  await composer(one).waitFor();
  const { token } = await one.evaluate(() => JSON.parse(localStorage.getItem("handset.session")));
  await say(one, "I am Hal");
  await log(one).getByText("I am Hal").first().waitFor();
  await until("it has arrived", async () => (await one.locator(".said.waiting").count()) === 0);
  const { chats } = await server.ask("GET", "/api/chats", undefined, token);
  assert.deepEqual(chats.map((chat) => chat.opening), ["I am Hal"]);
  // The tab that stood at the sign-in page is of use again.
  await two.waitForURL((url) => url.pathname === "/");
  assert.deepEqual([...one.faults, ...two.faults], []);
});
