/** What a person does who lives with the page: two tabs, a reload in a call, long drafts, other scripts than Latin ones. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { Browser, Model, Server, enter, say, until } from "./harness.js";

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

test("typing answers no call and Escape hides none; a reload keeps it; another device says where it goes on, and ends it", async () => {
  const one = await browser.open(server, { viewport: { width: 360, height: 740 } });
  const two = await browser.open(server);
  await enter(one, server);
  await enter(two, server);
  await composer(one).focus();
  await invite();
  await rings(one).waitFor();
  await one.keyboard.type("and then we ");
  for (let press = 0; press < 3; press += 1) await one.keyboard.press("Escape");
  assert.ok(await rings(one).isVisible());
  assert.equal((await server.ask("GET", "/api/call/invite")).call, null);
  await one.getByRole("button", { name: "Accept" }).click();
  const line = one.locator(".on-line");
  await line.getByRole("button", { name: "Hang up" }).waitFor();
  const { name } = (await one.evaluate(() => JSON.parse(localStorage.getItem("handset.session")))).device;
  const strip = two.locator(".going-on");
  await strip.getByText(`A call is going on, on your ${name}.`).waitFor();
  // What hangs above the chat covers nothing of it.
  await until("there is room", async () => {
    const [hung, head] = [await line.boundingBox(), await one.locator(".room .head").boundingBox()];
    return hung && head && head.y >= hung.y + hung.height;
  });
  await one.reload();
  await line.getByRole("button", { name: "Hang up" }).waitFor();
  await one.goto(`${server.origin}/settings`);
  await line.getByRole("button", { name: "Hang up" }).waitFor();
  // By the poll alone, as after a start: whose it is, is told as well.
  await two.reload();
  await strip.getByText(`A call is going on, on your ${name}.`).waitFor();
  await strip.getByRole("button", { name: "Hang up" }).click();
  await line.waitFor({ state: "hidden" });
  await strip.waitFor({ state: "hidden" });
  await invite("Again.");
  await rings(two).getByText("Again.").waitFor();
  await two.getByRole("button", { name: "Accept" }).click();
  await two.locator(".on-line").getByRole("button", { name: "Hang up" }).waitFor();
  await one.locator(".going-on").getByRole("button", { name: "Continue here" }).click();
  await line.getByRole("button", { name: "Hang up" }).waitFor();
  await two.locator(".on-line").waitFor({ state: "hidden" });
  assert.deepEqual([...one.faults, ...two.faults], []);
});

test("a chat follows behind a long draft, and one's own words are in sight wherever one was reading", async () => {
  const page = await browser.open(server, { viewport: { width: 360, height: 640 } });
  await enter(page, server);
  for (let turn = 1; turn <= 3; turn += 1) {
    await say(page, `${turn} ${"a long story ".repeat(30)}`);
    await until("it is answered", async () => (await page.locator(".reply").count()) === turn && (await page.locator(".thinking").count()) === 0);
  }
  const atEnd = () => page.locator(".scroll").evaluate((scroll) => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 4);
  await until("it has followed", atEnd);
  // Letter by letter, over several lines.
  await composer(page).pressSequentially("and it goes on ".repeat(20));
  await page.keyboard.press("Enter");
  await until("the fourth is answered", async () => (await page.locator(".reply").count()) === 4 && (await atEnd()));
  await page.locator(".scroll").evaluate((scroll) => (scroll.scrollTop = 0));
  await page.getByRole("button", { name: /newest/i }).waitFor();
  await say(page, "hello");
  await until("one's own words are there", atEnd);
  assert.deepEqual(page.faults, []);
});

test("without a network: first words and a confirmed card over a reload, a view that was never opened", async () => {
  const page = await browser.open(server);
  await enter(page, server, "/phone?new");
  await say(page, "set a timer for 5 minutes");
  await page.locator("article.card.pending").waitFor();
  await until("every view is kept", () => page.evaluate(async () => Boolean(await caches.match("/page/views/rings.js"))));
  await page.context().setOffline(true);
  await page.locator("article.card.pending").getByRole("button", { name: "Confirm" }).click();
  await page.locator("article.card.sending").waitFor();
  await page.reload();
  await page.locator("article.card.sending").waitFor();
  await page.goto(`${server.origin}/?new`);
  await say(page, "first words");
  await page.locator(".said.waiting").getByText("first words").waitFor();
  await page.reload();
  await page.locator(".said.waiting").getByText("first words").waitFor();
  await page.locator(".chats").getByText("first words").first().waitFor();
  // Nothing of it was opened before.
  await page.goto(`${server.origin}/rings`);
  await page.getByRole("heading", { name: "How it rings" }).waitFor();
  await page.goto(`${server.origin}/`);
  await page.context().setOffline(false);
  await until("all of it has arrived, once", async () => {
    const { chats } = await server.ask("GET", "/api/chats");
    return chats.length === 2 && chats.some((chat) => chat.opening === "first words");
  });
  assert.deepEqual(page.faults.filter((fault) => !fault.includes("ERR_INTERNET_DISCONNECTED")), []);
});

test("what is refused or emptied in the settings is not lost; a chat deleted beside is gone; timers of two phones are both kept", async () => {
  const page = await browser.open(server);
  await enter(page, server, "/phone?new");
  const two = await beside(page, "/phone?new");
  for (const [phone, minutes] of [[page, 5], [two, 7]]) {
    await say(phone, `set a timer for ${minutes} minutes`);
    const card = phone.locator("article.card.pending").filter({ hasText: `${minutes}:00` });
    await card.getByRole("button", { name: "Confirm" }).click();
  }
  for (const phone of [page, two]) await until("both run", async () => (await phone.locator(".clocks article").count()) === 2);
  await log(two).getByText("All done").waitFor();
  await two.getByRole("button", { name: /^Delete “set a timer for 7/ }).click();
  await two.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await until("it is gone in both", async () => (await page.locator(".chats li").count()) === 1);

  await page.goto(`${server.origin}/settings`);
  await page.getByLabel("Who it is", { exact: true }).fill("x".repeat(33_000));
  await page.locator("#companion-name").fill("Mo");
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await page.getByRole("alert").filter({ hasText: /\S/ }).first().waitFor();
  // Something else of the companion's changes.
  await server.ask("PATCH", "/api/companion", { name: "Nobody" });
  await page.waitForResponse((response) => response.url().endsWith("/api/companion"));
  assert.equal((await page.locator("#companion-persona").inputValue()).length, 33_000);
  assert.equal(await page.locator("#companion-name").inputValue(), "Mo");
  const knob = page.getByLabel("Between two rings");
  const before = await knob.inputValue();
  await knob.fill("");
  await knob.press("Tab");
  assert.equal(await knob.inputValue(), before);
  assert.deepEqual([...page.faults, ...two.faults], []);
});

test("right-to-left writing stands right; a picture is a link; a reply of a marker alone is none; who waits behind a card is told", async () => {
  const model = await Model.start();
  const own = await Server.start({ config: model.config });
  try {
    const page = await browser.open(own);
    await enter(page, own, "/phone?new");
    await say(page, "first");
    const first = await model.asked();
    first.say("مرحبا بك\n\n- واحد\n- اثنان\n\n![a cat](https://example.org/cat.png)\n\n- [x] milk");
    first.finish();
    const reply = page.locator(".reply").first();
    await reply.getByRole("link", { name: "a cat" }).waitFor();
    // What streamed gives its place to what is stored: of what has gone no style is known.
    const directions = await until("a reply that stays", async () => {
      const found = await reply.evaluate((reply) => [...reply.querySelectorAll("p:first-child, ul")].map((block) => getComputedStyle(block).direction));
      return found.every(Boolean) && found;
    });
    assert.deepEqual(directions, ["rtl", "rtl", "ltr"]);
    const text = (await reply.textContent()) ?? "";
    assert.ok(!text.includes("!a cat") && !text.includes("[x]"), text);
    await composer(page).fill("مرحبا");
    assert.equal(await composer(page).evaluate((field) => getComputedStyle(field).direction), "rtl");

    await say(page, "second");
    const second = await model.asked();
    second.call("c1", { action: "torch", on: true, summary: "Light" });
    await page.locator("article.card.pending").waitFor();
    await say(page, "third");
    await log(page).getByText("Your companion reads this once the card is answered").waitFor();
    await page.locator("article.card.pending").getByRole("button", { name: "Decline" }).click();
    const third = await model.asked();
    third.say("[hangup]");
    third.finish();
    const fourth = await model.asked();
    fourth.say("Good.");
    fourth.finish();
    await log(page).getByText("Good.").waitFor();
    assert.equal(await page.locator(".reply").count(), 2);
    await log(page).getByText("Your companion reads this once").waitFor({ state: "detached" });
    assert.deepEqual(page.faults, []);
  } finally {
    await own.end();
    model.end();
  }
});
