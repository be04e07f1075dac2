/** A phone that rings in the page: by the stream, by a push to the real worker, answered, declined, missed. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { Browser, Model, PushService, Server, enter, say, shoot, until } from "./harness.js";

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
  const times = [];
  let made = { id: "", created_at_ms: 0 };
  for (let call = 0; call < 5; call += 1) {
    if (call > 0) {
      await server.ask("POST", "/api/call/cancel", { id: made.id });
      await rings(one).waitFor({ state: "hidden" });
    }
    const shown = one.evaluate(() => new Promise((resolve) => {
      const watch = new MutationObserver(() => {
        if (!document.querySelector("dialog.ringing[open]")) return;
        watch.disconnect();
        resolve(Date.now());
      });
      watch.observe(document.body, { subtree: true, attributes: true, childList: true });
    }));
    ({ invite: made } = await invite());
    times.push((await shown) - made.created_at_ms);
  }
  // By the stream it is there at once, and never as late as a poll would bring it.
  const [took] = times.sort((a, b) => a - b).slice(2);
  t.diagnostic(`from the invite to the card over the stream: ${took} ms at the median of ${times.join(", ")}`);
  assert.ok(took < 2000, `${took} ms`);
  await rings(one).getByText("I miss you.").waitFor();
  await rings(two).waitFor();
  await shoot(one, "ringing-360");
  await shoot(two, "ringing-1280");
  await one.getByRole("button", { name: "Accept" }).click();
  await rings(two).waitFor({ state: "hidden" });
  await one.locator(".on-line").getByText(/0:0\d/).waitFor();
  assert.equal(await two.locator(".on-line:visible").count(), 0);
  await say(one, "help");
  await one.locator(".on-line .captions").getByText("These are the things").waitFor();
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

test("without a stream, and without a push, it rings by the poll alone", async (t) => {
  await server.ask("PATCH", "/api/settings", { settings: { call: { poll_interval: 2 } } });
  const page = await browser.open(server);
  // Neither the stream nor the poll of events gets through: only the telephone is asked after.
  await page.route(/\/api\/events/, (route) => route.abort());
  const looks = [];
  page.on("request", (request) => request.url().endsWith("/api/call/invite") && looks.push(request.method()));
  await enter(page, server);
  await page.getByText("No connection.").waitFor();
  const { invite: made } = await invite("By the poll.");
  await rings(page).getByText("By the poll.").waitFor();
  t.diagnostic(`shown ${Date.now() - made.created_at_ms} ms after the invite, by a poll every two seconds`);
  assert.ok(looks.length > 1 && looks.every((method) => method === "GET"), looks.join());
  // Taken back, it goes by the next look.
  await server.ask("POST", "/api/call/cancel", { id: made.id });
  await rings(page).waitFor({ state: "hidden" });
  assert.deepEqual(page.faults, []);
});

test("a call goes on in its view, written where no speech is understood: captions, the line that lingers and is held, hanging up", async () => {
  const model = await Model.start();
  const own = await Server.start({ config: model.config });
  try {
    await own.ask("PATCH", "/api/companion", { name: "Mo" });
    // Longer than a busy machine takes to write a word.
    await own.ask("PATCH", "/api/settings", { settings: { voice: { linger_min: 15, linger_max: 15 } } });
    const page = await browser.open(own);
    await enter(page, own);
    await own.ask("POST", "/api/call/invite", { reason: "Only to talk." });
    await rings(page).getByRole("heading", { name: "Mo" }).waitFor();
    await page.getByRole("button", { name: "Accept" }).click();
    const line = page.locator(".on-line");
    await line.getByText("What is said on the line").waitFor();
    await line.getByText("The line is open.").waitFor();
    await say(page, "Are you tired?");
    const first = await model.asked();
    first.say("A little. Good night. [hangup]");
    first.finish();
    await line.getByRole("log").getByText("A little. Good night.").waitFor();
    await line.getByText("The line stays open a few breaths longer.").waitFor();
    await line.getByText("Write to stay on the line").waitFor();
    // Whoever is not ready to let go writes, and the call goes on.
    await say(page, "Wait!");
    await line.getByText("Write to stay on the line").waitFor({ state: "hidden" });
    const second = await model.asked();
    second.say("I am here.");
    second.finish();
    await line.getByRole("log").getByText("I am here.").waitFor();
    await line.getByText("The line is open.").waitFor();
    assert.equal(await line.getByText("Write to stay on the line").isVisible(), false);
    await page.getByRole("button", { name: "Hang up" }).click();
    await line.waitFor({ state: "hidden" });
    await until("it has ended", async () => (await own.ask("GET", "/api/call/invite")).call === null);
    assert.deepEqual(page.faults, []);
  } finally {
    await own.end();
    model.end();
  }
});

/** The way of a push behind the push service: by the browser itself to the worker of a registration, which it wakes. */
async function pusher(page, server) {
  const client = await page.context().newCDPSession(page);
  /** @type {Map<string, { registrationId: string, isDeleted: boolean }>} */
  const registrations = new Map();
  const running = new Map();
  client.on("ServiceWorker.workerRegistrationUpdated", (event) => {
    for (const one of event.registrations) registrations.set(one.registrationId, one);
  });
  client.on("ServiceWorker.workerVersionUpdated", (event) => {
    for (const one of event.versions) running.set(one.versionId, one.runningStatus);
  });
  await client.send("ServiceWorker.enable");
  const registration = await until("the worker's registration", () => [...registrations.values()].find((one) => !one.isDeleted));
  return {
    deliver: (data) => client.send("ServiceWorker.deliverPushMessage", { origin: server.origin, registrationId: registration.registrationId, data }),
    /** Puts the worker to sleep, as a browser does with one that has nothing to do. */
    sleep: async () => {
      await client.send("ServiceWorker.stopAllWorkers");
      await until("the worker sleeps", () => [...running.values()].every((status) => status === "stopped"));
    },
  };
}

test("a push delivered to the real worker shows something each time, wakes the page, and is closed with the call", async (t) => {
  // A browser of its own: a private window has no push.
  const { page, end } = await Browser.whole(server);
  t.after(end);
  await server.ask("PATCH", "/api/companion", { name: "Mo" });
  await page.context().grantPermissions(["notifications"], { origin: server.origin });
  await enter(page, server);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await until("the name is kept", () => page.evaluate(async () => {
    const { kept } = await import("/page/lib/keep.js");
    return (await kept("companion"))?.name === "Mo";
  }));
  const push = await pusher(page, server);
  const notes = () => page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((one) => ({ title: one.title, body: one.body })));

  // Nothing but the push brings the call to the page.
  await page.route(/\/api\/events/, (route) => route.abort());
  await page.evaluate(() => dispatchEvent(new Event("offline")));
  const { invite: made } = await invite();
  const ring = { kind: "call", id: made.id, sequence: 0, expires_at_ms: made.expires_at_ms, last: false, title: "It rings", body: made.reason };
  await push.sleep();
  await push.deliver(JSON.stringify(ring));
  await until("it is shown", async () => (await notes()).some((one) => one.title === "It rings" && one.body === "I miss you."));
  await push.deliver(JSON.stringify({ ...ring, sequence: 1 }));
  await rings(page).waitFor();
  await page.getByRole("button", { name: "Accept" }).click();
  await until("all are closed together", async () => (await notes()).length === 0);
  // Past its time, without a title, and unreadable: never silent.
  await push.deliver(JSON.stringify({ ...ring, id: "old", expires_at_ms: Date.now() - 1000 }));
  await until("it says missed", async () => (await notes()).some((one) => one.title.includes("Missed call")));
  await push.deliver("{");
  await until("it says who called", async () => (await notes()).some((one) => one.title.includes("Mo is calling")));
  assert.equal((await notes()).length, 2);
  assert.deepEqual(page.faults, []);
});

test("a push that was delivered is reported, and the rings are plotted", async (t) => {
  const service = await PushService.start();
  const own = await Server.start({ env: { HANDSET_PUSH_ORIGINS: service.origin } });
  t.after(async () => {
    await own.end();
    service.end();
  });
  const { page, end } = await Browser.whole(own);
  t.after(end);
  await page.context().grantPermissions(["notifications"], { origin: own.origin });
  await enter(page, own);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const push = await pusher(page, own);
  // The browser's own push service is not to be had here: the device subscribes at one of the test's, and what the server
  // sends there is delivered by the browser, as the clear text that only the browser could read.
  const { token } = await page.evaluate(() => JSON.parse(localStorage.getItem("handset.session")));
  await own.ask("PUT", "/api/push/subscription", service.subscription(), token);
  await page.goto(`${own.origin}/rings`);
  await page.getByText("Nothing has rung on a device yet.").waitFor();
  await page.getByRole("button", { name: "Call me now" }).click();
  await rings(page).getByText("Only to see how it rings.").waitFor();
  const { invite: made } = await own.ask("GET", "/api/call/invite");
  for (let sequence = 0; sequence < 3; sequence += 1) {
    await until(`ring ${sequence} is sent`, () => service.pushes > sequence);
    await push.deliver(JSON.stringify({ kind: "call", id: made.id, sequence, expires_at_ms: made.expires_at_ms, last: false, title: "It rings", body: "" }));
  }
  await until("all are reported", async () => {
    const told = await own.ask("GET", `/api/calls/${made.id}/rings`);
    return told.devices[0].rings.filter((ring) => ring.arrived_at_ms).length === 3;
  });
  await page.getByRole("button", { name: "Decline", exact: true }).click();
  await page.getByRole("button", { name: "Decline without a word" }).click();
  await page.locator("svg.plot circle.arrived").nth(2).waitFor();
  await page.getByRole("img", { name: /3 of \d arrived/ }).waitFor();
  await page.getByText("Too few rings arrived so far to say whether 2 s works.").waitFor();
  await page.getByText("The rings as a table").click();
  assert.equal(await page.locator(".table tbody tr").first().locator("td").count(), 4);
  const { verdict } = await own.ask("GET", "/api/rings");
  t.diagnostic(`between two arrivals: ${verdict.between_arrivals.median_ms} ms at the median where 2000 are set`);
  assert.deepEqual(page.faults, []);
});
