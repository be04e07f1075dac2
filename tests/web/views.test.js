/** Every view: free of what axe-core finds in both themes, and shown at both widths. And a chat of 5,000 messages. */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";

import { Browser, Model, Server, enter, say, shoot, until } from "./harness.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @type {Browser} */
let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.end());

/** Looks at a page with axe, and keeps a picture of it. */
async function look(page, name) {
  await shoot(page, name);
  // By the debugger, which the page's policy does not bind.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await Reflect.get(window, "axe").run(document, { resultTypes: ["violations"] });
    return violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.html.slice(0, 200)).join(" | ")}`);
  });
  assert.deepEqual(found, [], name);
}

describe("every view", () => {
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
  ]) {
    for (const colorScheme of ["light", "dark"]) {
      test(`at ${width} pixels, ${colorScheme}`, async () => {
        const model = await Model.start();
        const server = await Server.start({ config: model.config });
        try {
          const page = await browser.open(server, { viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
          const name = (view) => `${view}-${width}-${colorScheme}`;
          await page.goto(server.origin);
          await page.locator("#code").waitFor();
          await look(page, name("sign-in"));
          await enter(page, server, "/phone?new");
          await page.locator(".welcome").waitFor();
          await look(page, name("phone-empty"));
          await say(page, "Could you wake me for the early train? And what do I pack for two days by the sea?");
          const first = await model.asked();
          first.say("For the sea in November, pack light but warm:\n\n- a **wind jacket** and a thick jumper\n- shoes that may get wet\n- *something to read* for the evenings\n\n| day | weather |\n|---|---|\n| Tue | windy |\n\nMore at https://example.org/weather. I put the alarm on your phone:\n\n```\n05:40\n```");
          first.call("c1", { action: "alarm", time: "05:40", days: ["tue"], label: "Early train", summary: "Wake you at 5:40 for the early train" });
          await page.locator("article.card.pending").waitFor();
          await look(page, name("phone-card"));
          await page.getByRole("button", { name: "Confirm" }).click();
          const second = await model.asked();
          second.say("Done. It rings at **5:40**, so that there is time for");
          await page.getByRole("log").getByText("there is time for").waitFor();
          await look(page, name("phone-speaking"));
          second.say(" a coffee.");
          second.finish();
          await page.locator("article.reply:not(.live)").getByText("a coffee.").waitFor();
          await page.goto(server.origin);
          await page.locator("article.reply:not(.live)").getByText("a coffee.").waitFor();
          await look(page, name("chat"));
          if (width < 820) {
            await page.getByRole("button", { name: "Show all chats" }).click();
            await look(page, name("chats"));
          }
          await page.goto(`${server.origin}/settings`);
          await page.locator(".devices li").first().waitFor();
          await look(page, name("settings"));
          await page.getByText("Calling of its own accord").scrollIntoViewIfNeeded();
          await shoot(page, name("settings-hours"));
          assert.deepEqual(page.faults, []);
          await page.context().close();
        } finally {
          await server.end();
          model.end();
        }
      });
    }
  }
});

test("a chat of 5,000 messages: what is far away is held nowhere, and all of it can be reached", async (t) => {
  const server = await Server.start();
  try {
    const { id } = await server.ask("POST", "/api/chats", {});
    const page = await browser.open(server);
    await enter(page, server);
    // The page is what is tried here: the messages are made up, cut into pages as the server cuts them.
    const made = Array.from({ length: 5000 }, (_, at) => ({
      id: `m${at}`,
      chat: id,
      turn: `t${at >> 1}`,
      seq: at + 1,
      role: at % 2 ? "companion" : "person",
      text: at === 4999 ? "the last one" : `${at % 2 ? "reply" : "hello"} ${at}${" and so on".repeat(at % 17)}`,
      created_at: new Date(1.79e12 + at * 60_000).toISOString(),
      created_at_ms: 1.79e12 + at * 60_000,
    }));
    await page.route(`**/api/chats/${id}/messages?**`, (route) => {
      const query = new URL(route.request().url()).searchParams;
      const limit = Number(query.get("limit"));
      const before = query.get("before");
      const found = made.filter((one) => (before ? one.seq < Number(before) : one.seq > Number(query.get("after"))));
      const messages = before ? found.slice(-limit) : found.slice(0, limit);
      return route.fulfill({ json: { messages, more: found.length > limit, cards: [] } });
    });
    await page.goto(`${server.origin}/?chat=${id}`);
    await page.locator("article.reply").first().waitFor();
    const log = page.getByRole("log");
    const held = () => page.locator(".entries > *").count();
    let most = await held();
    const first = () => page.evaluate(() => document.querySelector(".entries")?.querySelector("article")?.textContent ?? "");
    let loads = 0;
    while (!(await log.getByText("hello 0", { exact: true }).count()) && loads < 200) {
      const before = await first();
      // What stands at the top of the view stays where it is while older messages come in above it.
      await page.evaluate(() => {
        const scroll = document.querySelector(".scroll");
        if (scroll) scroll.scrollTop = Math.min(scroll.scrollTop, 300);
      });
      await until("older ones come", async () => (await first()) !== before || (await log.getByText("hello 0", { exact: true }).count()) > 0);
      most = Math.max(most, await held());
      loads += 1;
    }
    assert.ok(await log.getByText("hello 0", { exact: true }).count(), "the first message is reached");
    assert.ok(most < 300, `${most} elements at most`);
    t.diagnostic(`${most} elements at most, in ${loads} steps of older messages`);
    await page.getByRole("button", { name: "To the newest message" }).click();
    await log.getByText("the last one").waitFor();
    await until("it is at the end", () => page.evaluate(() => {
      const scroll = document.querySelector(".scroll");
      return scroll && scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 5;
    }));
    assert.deepEqual(page.faults, []);
  } finally {
    await server.end();
  }
});
