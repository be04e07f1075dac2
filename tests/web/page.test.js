/** The page in a real browser, against the real server. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { Browser, Model, Server, enter, say, shoot, signIn, until } from "./harness.js";

/** @type {Browser} */
let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.end());

/** What every page has to be free of at the end of its test. */
function clean(page) {
  assert.deepEqual(page.faults, []);
  assert.deepEqual(page.strangers, [], "no request leaves the origin");
}

const log = (page) => page.getByRole("log");
const composer = (page) => page.locator("handset-composer textarea");

describe("with the demo companion", () => {
  /** @type {Server} */
  let server;
  beforeEach(async () => {
    server = await Server.start();
  });
  afterEach(() => server.end());

  test("the banner's link signs one browser in, once, and leaves no code behind", async () => {
    const page = await browser.open(server);
    await signIn(page, server);
    assert.equal(page.url(), `${server.origin}/`);
    await say(page, "hello");
    await log(page).getByText("Hello! Tell me what your phone should do").waitFor();
    await page.reload();
    await log(page).getByText("Hello! Tell me what your phone should do").waitFor();

    const second = await browser.open(server);
    await second.goto(server.link);
    await second.getByRole("alert").getByText("was used before").waitFor();
    assert.ok(!second.url().includes("#"));
    clean(page);
    clean(second);
  });

  test("a pairing code, typed as it is read, joins; signing out forgets everything and ends the token", async () => {
    const { code } = await server.ask("POST", "/api/pairings", {});
    const page = await browser.open(server);
    await page.goto(server.origin);
    await page.getByLabel("Link or code").fill("nonsense");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("not known").waitFor();
    await page.getByLabel("Link or code").fill(` ${code.toLowerCase()} `);
    await page.getByRole("button", { name: "Sign in" }).click();
    await composer(page).waitFor();
    const { token } = await page.evaluate(() => JSON.parse(localStorage.getItem("handset.session")));
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Link or code").waitFor();
    await assert.rejects(server.ask("GET", "/api/chats", undefined, token), /401/);
    assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
    clean(page);
  });

  test("a message from the chat reaches no phone; from /phone its card is confirmed, and the reply says so", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    await say(page, "torch on");
    await log(page).getByText("Did not reach a phone").waitFor();

    await page.goto(`${server.origin}/phone?new`);
    await say(page, "set a timer for 5 minutes");
    const card = page.locator("article.card.pending");
    await card.getByText("5:00").waitFor();
    await log(page).getByText("Waiting for the phone").waitFor();
    await card.getByRole("button", { name: "Confirm" }).click();
    await log(page).getByText("All done: set a timer for 5 minutes").waitFor();
    await log(page).getByText("Confirmed and carried out").waitFor();
    await page.locator(".clocks").getByText(/4:\d\d/).waitFor();
    await page.reload();
    await page.locator(".clocks").getByText(/4:\d\d/).waitFor();
    await log(page).getByText("It runs while this page is open.", { exact: true }).waitFor();

    await say(page, "torch on");
    await page.locator("article.card.pending").getByRole("button", { name: "Decline" }).click();
    await log(page).getByText("Declined on the phone").waitFor();
    await say(page, "launch Spotify");
    await page.locator("article.card.pending").getByRole("button", { name: "Confirm" }).click();
    await log(page).getByText("The phone could not do it", { exact: true }).waitFor();
    await log(page).getByText("A web page cannot open other apps by their names.").first().waitFor();
    clean(page);
  });

  test("a card goes at its deadline, is said to be over, and its place in the chat tells it", async () => {
    const page = await browser.open(server);
    await enter(page, server, "/phone");
    // The deadline is the server's; the page's own clock is moved, which is what it counts by. Without a network, since the
    // server would tell the time anew.
    await page.clock.install();
    await say(page, "set a timer for 5 minutes");
    await page.locator("article.card.pending").waitFor();
    await page.context().setOffline(true);
    await page.clock.runFor(125_000);
    await page.locator("article.card.no_answer").getByText("Time is over").waitFor();
    await page.context().setOffline(false);
    clean(page);
  });

  test("what is said without a network is sent when it is back, once, over a reload as well", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    await say(page, "hello");
    await log(page).getByText("Hello! Tell me").waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await until("the worker keeps the page", () => page.evaluate(async () => (await caches.keys()).length > 0));
    await page.context().setOffline(true);
    await page.getByText("No connection.").waitFor();
    await say(page, "torch on");
    await say(page, "torch off");
    await page.locator(".said.waiting").nth(1).waitFor();
    await page.reload();
    await page.locator(".said.waiting").nth(1).waitFor();
    await log(page).getByText("Hello! Tell me").waitFor();
    await page.context().setOffline(false);
    await until("both are sent", async () => (await page.locator(".said.waiting").count()) === 0 && (await page.locator(".said").count()) === 3);
    const { chats } = await server.ask("GET", "/api/chats");
    assert.equal(chats.length, 1);
    await until("both are answered", async () => {
      const { messages } = await server.ask("GET", `/api/chats/${chats[0].id}/messages`);
      const said = messages.filter((message) => message.role === "person").map((message) => message.text);
      assert.ok(said.length <= 3);
      return said.join() === "hello,torch on,torch off";
    });
    clean(page);
  });

  test("a server that is started again under the open page is found again", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    await say(page, "hello");
    await log(page).getByText("Hello! Tell me").waitFor();
    await server.kill();
    await page.getByText("No connection.").waitFor();
    await say(page, "torch off");
    await page.locator(".said.waiting").waitFor();
    await server.again();
    await log(page).getByText("Did not reach a phone").waitFor();
    assert.equal(await page.locator(".said").count(), 2);
    await until("the line is back", async () => (await page.locator(".line").textContent()) === "");
    clean(page);
  });

  test("two pages see the same, each as it happens", async () => {
    const one = await browser.open(server);
    const two = await browser.open(server);
    await enter(one, server);
    await enter(two, server);
    await say(one, "hello");
    await two.locator(".chats").getByText("hello").first().click();
    await log(two).getByText("Hello! Tell me").waitFor();
    await say(two, "torch on");
    await log(one).getByText("torch on").first().waitFor();
    await until("both show both", async () => (await one.locator(".said").count()) === 2);
    clean(one);
    clean(two);
  });

  test("Chinese: the page, the companion and the phone", async () => {
    const page = await browser.open(server, { locale: "zh-CN" });
    await page.goto(server.origin);
    await page.getByText("请进").waitFor();
    await enter(page, server, "/phone");
    assert.equal(await page.locator("html").getAttribute("lang"), "zh-Hans");
    await say(page, "工作日七点半叫我起床");
    const card = page.locator("article.card.pending");
    await card.getByText("周一、周二、周三、周四、周五").waitFor();
    await shoot(page, "phone-chinese");
    await card.getByRole("button", { name: "确认" }).click();
    await log(page).getByText("已确认，办好了").waitFor();
    await log(page).getByText("办好了：").waitFor();
    await page.goto(`${server.origin}/settings`);
    for (const heading of ["你的伙伴", "这台设备的响铃", "你的数据"]) await page.getByRole("heading", { name: heading }).waitFor();
    await page.goto(`${server.origin}/rings`);
    await page.getByText("还没有设备响过").waitFor();
    await page.goto(`${server.origin}/lab`);
    await page.getByRole("button", { name: "会退回" }).click();
    await page.getByRole("heading", { name: "退回：模型会读到" }).waitFor();
    await page.getByRole("button", { name: "在代码里" }).click();
    await page.getByText("单独看是标记").waitFor();
    await shoot(page, "lab-chinese");
    // No key stands where a word is missing.
    const keys = Object.keys(await (await fetch(`${server.origin}/page/words/zh.json`)).json());
    const text = await page.locator("body").innerText();
    assert.deepEqual(keys.filter((key) => key.includes("_") && text.includes(key)), []);
    clean(page);
  });

  test("a chat is deleted after a question", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    await say(page, "hello");
    await log(page).getByText("Hello! Tell me").waitFor();
    await page.locator(".chats li").hover();
    await page.getByRole("button", { name: "Delete “hello”" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    assert.equal((await server.ask("GET", "/api/chats")).chats.length, 1);
    await page.getByRole("button", { name: "Delete “hello”" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Nothing here yet.").waitFor();
    assert.equal((await server.ask("GET", "/api/chats")).chats.length, 0);
    clean(page);
  });

  test("settings: a value out of its bounds is clamped and explained; a switch, a zone, do-not-disturb", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    await page.goto(`${server.origin}/settings`);
    const ring = page.getByLabel("Between two rings");
    await ring.fill("1");
    await ring.press("Tab");
    await page.getByText(/1 second cannot be. It is 2 seconds now/).waitFor();
    await page.getByLabel("Time zone").fill("Asia/Shangai");
    await page.getByLabel("Time zone").press("Tab");
    await page.getByRole("alert").getByText("Asia/Shanghai").waitFor();
    await page.getByLabel("Time zone").fill("Asia/Shanghai");
    await page.getByLabel("Time zone").press("Tab");
    await page.getByRole("switch", { name: "Do not disturb" }).click();
    await page.locator(".quiet-switch[aria-pressed=true]").waitFor();
    const settings = await server.ask("GET", "/api/settings");
    assert.equal(settings.dnd, true);
    await until("the zone is set", async () => (await server.ask("GET", "/api/settings")).zone === "Asia/Shanghai");
    await page.getByRole("button", { name: "Add a device" }).click();
    await page.locator(".pairing .code").waitFor();
    clean(page);
  });

  test("a text is put in, read from in a chat, begun anew and removed; nothing is kept of a voice yet", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    await page.goto(`${server.origin}/settings`);
    await page.getByText("Nothing is kept of your voice.").waitFor();
    await page.getByLabel("Title", { exact: true }).fill("Bears");
    await page.getByLabel("Text", { exact: true }).fill("Once there was a bear. It slept all winter.");
    await page.getByRole("button", { name: "Put it in" }).click();
    await page.getByText("It is there.").waitFor();
    const row = page.locator(".texts li", { hasText: "Bears" });
    await row.getByText("not begun").waitFor();
    await page.goto(server.origin);
    await say(page, "read me something");
    await log(page).getByText("It slept all winter.").waitFor();
    await page.goto(`${server.origin}/settings`);
    await row.getByText("read to its end").waitFor();
    await row.getByRole("button", { name: "Bears: from the beginning" }).click();
    await row.getByText("not begun").waitFor();
    await row.getByRole("button", { name: "Remove Bears" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await until("it is gone", async () => (await row.count()) === 0);
    clean(page);
  });

  test("the companion's name, picture and persona: kept, shown in the chat's head and when it calls, and on no other page", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    await page.locator(".called").getByText("Your companion").waitFor();
    await page.goto(`${server.origin}/settings`);
    await page.getByLabel("Name", { exact: true }).fill("  Mo ");
    await page.getByLabel("Who it is").fill("You are Mo, who never hurries.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const own = await server.ask("GET", "/api/companion");
    assert.deepEqual([own.name, own.persona], ["Mo", "You are Mo, who never hurries."]);
    // A photograph as a camera makes it: large, and not square. It is scaled here, before it is sent.
    const photo = await page.evaluate(async () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [1200, 800];
      // Grain that no compression takes away.
      const context = canvas.getContext("2d");
      const grain = context.createImageData(canvas.width, canvas.height);
      for (let at = 0; at < grain.data.length; at += 65_536) crypto.getRandomValues(grain.data.subarray(at, at + 65_536));
      for (let at = 3; at < grain.data.length; at += 4) grain.data[at] = 255;
      context.putImageData(grain, 0, 0);
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
      const bytes = new Uint8Array(await blob.arrayBuffer());
      let text = "";
      for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
      return btoa(text);
    });
    const buffer = Buffer.from(photo, "base64");
    assert.ok(buffer.length > 256 * 1024, `${buffer.length} bytes`);
    await page.locator("input[type=file][accept*=image]").setInputFiles({ name: "photo.png", mimeType: "image/png", buffer });
    await page.getByRole("button", { name: "Back to the drawn one" }).waitFor();
    const { picture } = await server.ask("GET", "/api/companion");
    assert.ok(picture.size <= 256 * 1024, `${picture.size}`);
    await until("it is shown", () => page.locator(".portrait .face").evaluate((image) => image.src.startsWith("data:image/") && image.naturalWidth === 512));
    await page.locator("input[type=file][accept*=image]").setInputFiles({ name: "x.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
    await page.getByRole("alert").getByText("no PNG, JPEG or WebP picture").waitFor();

    await page.goto(server.origin);
    await page.locator(".called").getByText("Mo", { exact: true }).waitFor();
    await until("it is in the head", () => page.locator(".head .face").evaluate((image) => image.src.startsWith("data:image/")));
    await server.ask("POST", "/api/call/invite", { reason: "Tea?" });
    await page.getByRole("dialog").getByRole("heading", { name: "Mo" }).waitFor();
    assert.ok(await page.locator("dialog .face").evaluate((image) => image.src.startsWith("data:image/")));
    await shoot(page, "ringing-with-picture");
    await page.getByRole("button", { name: "Decline" }).click();
    await page.getByRole("button", { name: "Decline without a word" }).click();
    // Without a network it is still Mo; for somebody else it never was.
    await page.evaluate(() => navigator.serviceWorker.ready);
    await until("the worker keeps the page", () => page.evaluate(async () => (await caches.keys()).length > 0));
    await page.context().setOffline(true);
    await page.reload();
    await page.locator(".called").getByText("Mo", { exact: true }).waitFor();
    await page.context().setOffline(false);
    const { id } = await server.ask("POST", "/api/people", { name: "Ann" });
    const { path } = await server.ask("POST", `/api/people/${id}/links`, {});
    const other = await browser.open(server);
    await signIn(other, server, server.origin + path);
    await other.locator(".called").getByText("Your companion").waitFor();
    clean(page);
    clean(other);
  });

  test("everything is downloaded as one file, and erased by one's own name, letter by letter", async () => {
    const { id } = await server.ask("POST", "/api/people", { name: "Ann" });
    const { path } = await server.ask("POST", `/api/people/${id}/links`, {});
    const page = await browser.open(server);
    await signIn(page, server, server.origin + path);
    await say(page, "hello");
    await log(page).getByText("Hello! Tell me").waitFor();
    await page.goto(`${server.origin}/settings`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download everything" }).click()]);
    assert.match(download.suggestedFilename(), /^handset-\d{4}-\d\d-\d\d\.json$/);
    const told = JSON.parse(readFileSync(await download.path(), "utf8"));
    assert.equal(told.person.name, "Ann");
    assert.deepEqual(told.messages.map((message) => message.role), ["person", "companion"]);
    await page.getByText(/kB were saved as handset-/).waitFor();

    await page.getByRole("button", { name: "Erase everything" }).click();
    const dialog = page.getByRole("dialog");
    const name = dialog.getByRole("textbox", { name: "Your name" });
    const yes = dialog.getByRole("button", { name: "Erase everything for good" });
    await name.fill("Anna");
    assert.ok(await yes.isDisabled());
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Erase everything" }).click();
    await name.fill("Ann");
    const { token } = await page.evaluate(() => JSON.parse(localStorage.getItem("handset.session")));
    await yes.click();
    await page.getByLabel("Link or code").waitFor();
    await assert.rejects(server.ask("GET", "/api/chats", undefined, token), /401/);
    assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
    assert.equal((await server.ask("GET", "/api/people")).people.length, 1);
    clean(page);
  });

  test("the lab says what the running spec makes of a call and of a reply, in the reader's own words", async () => {
    const page = await browser.open(server);
    await enter(page, server, "/lab");
    await page.getByRole("textbox", { name: "A call" }).fill('{"action": "alarm", "time": "7:30", "volume": 3}');
    await page.getByRole("button", { name: "Read it" }).first().click();
    await page.getByText("time must be a time of day as HH:MM").waitFor();
    for (const part of ["phone.texts.bad", "clock_time"]) await page.getByText(part).waitFor();
    await page.getByRole("textbox", { name: "A call" }).fill('{"action": "alarm", "time": "07:30", "volume": 3}');
    await page.keyboard.press("Control+Enter");
    await page.getByText("Dropped, since the action does not read it: volume").waitFor();
    assert.match(await page.locator("pre").innerText(), /^\{\n  "action": "alarm",\n  "summary": "alarm",\n  "time": "07:30"\n\}$/);
    await page.getByRole("button", { name: "Two in one" }).click();
    await page.getByText("2 calls stand in these arguments.").waitFor();
    await page.getByText("stop, destination").waitFor();
    await page.getByRole("textbox", { name: "A reply" }).fill("Sleep well. ⟪dial: tea⟫ `[hangup]`\n\n⟪hug⟫");
    await page.getByRole("button", { name: "Read it" }).last().click();
    await page.locator(".shown").getByText("Sleep well. `[hangup]`").waitFor();
    await page.getByText("with “tea”").waitFor();
    await page.getByText("is a marker by itself").waitFor();
    // What was tried is there again after a reload, on this device alone.
    await page.reload();
    await until("it is kept", async () => (await page.getByRole("textbox", { name: "A reply" }).inputValue()).startsWith("Sleep well."));
    assert.deepEqual((await server.ask("GET", "/api/chats")).chats, []);
    clean(page);
  });
});

describe("with a model that a test scripts", () => {
  /** @type {Model} */
  let model;
  /** @type {Server} */
  let server;
  beforeEach(async () => {
    model = await Model.start();
    server = await Server.start({ config: model.config });
  });
  afterEach(async () => {
    await server.end();
    model.end();
  });

  test("a reply is shown as it is said, goes on over a reload, and is stopped by its button", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    await say(page, "Tell me something.");
    const speech = await model.asked();
    await page.locator(".thinking").waitFor();
    speech.say("Once upon **a ti");
    await log(page).getByText("Once upon **a ti").waitFor();
    speech.say("me** there was");
    await log(page).locator("strong", { hasText: "a time" }).waitFor();
    await page.reload();
    await log(page).getByText("there was").waitFor();
    speech.say(" a house");
    await log(page).getByText("Once upon a time there was a house").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await log(page).getByText("interrupted").waitFor();
    await until("the model is hung up on", () => speech.turn.closed);
    await page.getByRole("button", { name: "Send" }).waitFor();
    clean(page);
  });

  test("one that is stopped before it spoke says so", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    await say(page, "Hm.");
    await model.asked();
    await page.getByRole("button", { name: "Stop" }).click();
    await log(page).getByText("You stopped it before a word was said.").waitFor();
    clean(page);
  });

  test("a model that breaks off leaves what was said, and why no more came", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    await say(page, "Tell me.");
    const speech = await model.asked();
    speech.say("It began well");
    await log(page).getByText("It began well").waitFor();
    speech.turn.response.destroy();
    await log(page).getByText("could not be finished").waitFor();
    clean(page);
  });

  test("nothing that is said becomes markup: links lead where they may, the rest is text", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    await say(page, "<img src=x onerror=alert(1)>");
    const speech = await model.asked();
    speech.say(
      "<script>document.title='owned'</script> [good](https://example.org/a_(b)) [bad](javascript:alert(1)) [data](data:text/html,x) " +
        "<https://example.com> ![picture](https://example.org/x.png) https://example.net/path. `<b>`\n\n" +
        "| a | b |\n|---|--:|\n| 1 | `x\\|y` |\n\n1. one\n2. two\n   - inner\n\n> quoted\n\n```js\nlet a = '<b>';\n```\n\n2026. was a year. 3 * 4 * 5 snake_case_word",
    );
    speech.finish();
    const reply = page.locator("article.reply:not(.live)");
    await reply.waitFor();
    assert.equal(await page.locator("handset-log :is(img, script, iframe, b)").count(), 0);
    const links = await reply.locator("a").evaluateAll((all) => all.map((a) => [a.getAttribute("href"), a.rel]));
    assert.deepEqual(
      links.map(([href]) => href),
      ["https://example.org/a_(b)", "https://example.com/", "https://example.org/x.png", "https://example.net/path"],
    );
    for (const [, rel] of links) assert.equal(rel, "noopener noreferrer nofollow");
    const text = await reply.innerText();
    for (const kept of ["<script>document.title='owned'</script>", "bad", "let a = '<b>';", "3 * 4 * 5 snake_case_word", "2026. was a year"]) {
      assert.ok(text.includes(kept), `${kept} in ${text}`);
    }
    assert.equal(await reply.locator("ol > li > ul > li").innerText(), "inner");
    assert.equal(await reply.locator("td.end code").innerText(), "x|y");
    assert.notEqual(await page.title(), "owned");
    clean(page);
  });
});

describe("the page itself", () => {
  /** @type {Server} */
  let server;
  before(async () => {
    server = await Server.start();
  });
  after(() => server.end());

  test("a strict policy on everything, types as they are, known again by their tags", async () => {
    for (const path of ["/", "/sign-in", "/phone", "/settings", "/rings", "/lab", "/sw.js", "/manifest.webmanifest", "/page/main.js"]) {
      const response = await fetch(server.origin + path);
      assert.equal(response.status, 200, path);
      if (!/main|manifest/.test(path)) {
        const policy = response.headers.get("content-security-policy") ?? "";
        assert.ok(policy.includes("default-src 'none'") && !policy.includes("unsafe"), policy);
      }
      assert.equal(response.headers.get("x-content-type-options"), "nosniff");
      const again = await fetch(server.origin + path, { headers: { "If-None-Match": response.headers.get("etag") ?? "" } });
      assert.equal(again.status, 304, path);
    }
    assert.match((await fetch(`${server.origin}/page/main.js`)).headers.get("content-type") ?? "", /^text\/javascript/);
    assert.equal((await fetch(`${server.origin}/page/none.js`)).status, 404);
  });

  test("without scripts it says so in both languages, and the manifest's words are the spec's", async () => {
    const texts = await Promise.all(["en", "zh"].map(async (language) => (await fetch(`${server.origin}/page/words/${language}.json`)).json()));
    const document = await (await fetch(server.origin)).text();
    const words = texts.map(({ no_script }, at) => `<p lang="${["en", "zh"][at]}">${no_script}</p>`).join("");
    assert.ok(document.includes(`<noscript>${words}</noscript>`), document);
    const manifest = await (await fetch(`${server.origin}/manifest.webmanifest`)).json();
    assert.equal(manifest.shortcuts[0].name, texts.map((one) => one.dnd).join(" · "));
  });

  test("an inline script, a strange source and markup from a text are refused by the browser", async () => {
    const page = await browser.open(server);
    await enter(page, server);
    const refused = await page.evaluate(() => {
      const script = document.createElement("script");
      try {
        script.text = "window.owned = true";
        document.head.append(script);
      } catch {
        // Refused already.
      }
      try {
        document.body.innerHTML = "<p>owned</p>";
        return "markup";
      } catch {
        return Reflect.get(window, "owned") ? "script" : "both";
      }
    });
    assert.equal(refused, "both");
  });

  test("the first load is small: under 100 kB compressed in all", async (t) => {
    const page = await browser.open(server);
    const client = await page.context().newCDPSession(page);
    await client.send("Network.enable");
    let bytes = 0;
    let files = 0;
    client.on("Network.loadingFinished", (event) => {
      bytes += event.encodedDataLength;
      files += 1;
    });
    await enter(page, server);
    await page.locator(".welcome").waitFor();
    // What one view alone needs comes with that view.
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname));
    assert.deepEqual(loaded.filter((path) => /lab|rings|plot|settings\.js|style\/phone|views\/phone/.test(path)), []);
    const all = await page.evaluate(() => performance.getEntriesByType("resource").filter((one) => one.name.includes("/page/")).reduce((sum, one) => sum + Reflect.get(one, "encodedBodySize"), 0));
    t.diagnostic(`${files} answers with ${bytes} bytes with their heads; the page's own bodies ${all} bytes`);
    assert.ok(all < 100_000 && bytes < 100_000, `${all}, ${bytes}`);
    clean(page);
  });
});
