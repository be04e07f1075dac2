/** Every view: free of what axe-core finds in both themes, and shown at both widths. And a chat of 5,000 messages. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { Browser, Model, Server, enter, say, shoot, until } from "./harness.js";
import { look, violations } from "./look.js";

/** @type {Browser} */
let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.end());

/** Rings of a call as the server tells them: due every two seconds, arrived a little later, one never. */
function rang(now) {
  const device = (name, lates) => {
    const rings = lates.map((late, sequence) => ({
      sequence,
      due_at_ms: now + sequence * 2000,
      sent_at_ms: now + sequence * 2000 + 3,
      answered_at_ms: now + sequence * 2000 + 90,
      outcome: "accepted",
      status: 201,
      arrived_at_ms: late === null ? null : now + sequence * 2000 + late,
      reported_at_ms: late === null ? null : now + sequence * 2000 + late + 40,
    }));
    const spread = { count: 10, min_ms: 1800, median_ms: 2010, max_ms: 2300, spread_ms: 160 };
    return { device: name, name, rings, figures: { arrived_after_due: { ...spread, median_ms: 310, spread_ms: 180 }, between_arrivals: spread } };
  };
  const lates = [280, 320, 410, 300, null, 250, 380, 510, 290, 300, 340];
  const figures = { between_arrivals: { count: 9, min_ms: 1800, median_ms: 2010, max_ms: 4100, spread_ms: 160 } };
  return {
    verdict: { interval_ms: 2000, accepted: 22, arrived: 21, code: "works", between_arrivals: figures.between_arrivals },
    calls: [
      { invite: "a", reason: "The moon is out.", state: "declined", created_at: "", created_at_ms: now, interval_ms: 2000, devices: [device("Safari, iPhone", lates), device("Chrome, Android", lates.map((late) => (late ?? 300) / 2))], figures },
    ],
    now_ms: now,
  };
}

/** The companion that the views show. */
async function named(server) {
  await server.ask("PATCH", "/api/companion", { name: "Mo", persona: "You are Mo, an old friend with a dry sense of humour. You never hurry." });
}

describe("every view", () => {
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
  ]) {
    for (const colorScheme of ["light", "dark"]) {
      const open = async (server) => browser.open(server, { viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
      const name = (view) => `${view}-${width}-${colorScheme}`;

      test(`the chat and the phone at ${width} pixels, ${colorScheme}`, async () => {
        const model = await Model.start();
        const server = await Server.start({ config: model.config });
        try {
          await named(server);
          const page = await open(server);
          await page.goto(server.origin);
          await page.locator("#code").waitFor();
          await look(page, name("sign-in"));
          await enter(page, server, "/phone?new");
          await page.locator(".welcome").waitFor();
          await look(page, name("phone-empty"));
          if (width < 820) {
            await page.getByRole("tab", { name: "Phone" }).click();
            await page.getByText("Nothing waits.").waitFor();
            await look(page, name("phone-tab"));
            await page.keyboard.press("ArrowLeft");
            await page.locator(".welcome").waitFor();
          }
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
          await page.getByText("Mo", { exact: true }).waitFor();
          await look(page, name("chat"));
          if (width < 820) {
            await page.getByRole("button", { name: "Show all chats" }).click();
            await look(page, name("chats"));
          }
          assert.deepEqual(page.faults, []);
          await page.context().close();
        } finally {
          await server.end();
          model.end();
        }
      });

      test(`a call at ${width} pixels, ${colorScheme}`, async () => {
        const model = await Model.start();
        const server = await Server.start({ config: model.config });
        try {
          await named(server);
          const page = await open(server);
          await enter(page, server);
          await server.ask("POST", "/api/call/invite", { reason: "The moon is out, and you ought to see it." });
          await page.locator("dialog.ringing[open]").getByText("The moon is out").waitFor();
          await page.getByRole("heading", { name: "Mo" }).waitFor();
          await look(page, name("ringing"));
          await page.getByRole("button", { name: "Decline" }).click();
          await page.locator("dialog .chip").first().waitFor();
          await look(page, name("declining"));
          await page.getByRole("button", { name: "Cancel" }).click();
          await page.getByRole("button", { name: "Accept" }).click();
          await page.locator(".on-line").getByText("What is said on the line").waitFor();
          await say(page, "Hello? Is it you?");
          const first = await model.asked();
          first.say("Who else? Go to the window, quick.");
          first.finish();
          await page.locator(".on-line .captions").getByText("Go to the window").waitFor();
          await look(page, name("call"));
          await say(page, "I see it. Good night!");
          const second = await model.asked();
          second.say("Good night, you. [hangup]");
          second.finish();
          await page.locator(".stays").getByText("Write to stay on the line").waitFor();
          await look(page, name("call-lingers"));
          assert.deepEqual(page.faults, []);
          await page.context().close();
        } finally {
          await server.end();
          model.end();
        }
      });

      test(`settings, rings and the lab at ${width} pixels, ${colorScheme}`, async () => {
        const server = await Server.start();
        try {
          await named(server);
          const page = await open(server);
          await enter(page, server);
          await page.goto(`${server.origin}/settings`);
          await page.locator(".devices li").first().waitFor();
          await page.locator("#companion-name").waitFor();
          await until("it is named", async () => (await page.locator("#companion-name").inputValue()) === "Mo");
          await look(page, name("settings"));
          for (const [heading, view] of [["Your companion", "settings-companion"], ["Calling of its own accord", "settings-hours"], ["Your data", "settings-data"]]) {
            await page.getByRole("heading", { name: heading }).scrollIntoViewIfNeeded();
            await page.getByRole("heading", { name: heading }).evaluate((element) => element.scrollIntoView());
            await shoot(page, name(view));
          }
          await page.getByRole("button", { name: "Erase everything" }).click();
          await page.getByRole("textbox", { name: "Your name" }).waitFor();
          await look(page, name("erase"));
          await page.goto(`${server.origin}/rings`);
          await page.getByText("Nothing has rung").waitFor();
          await look(page, name("rings-none"));
          await page.route("**/api/rings", (route) => route.fulfill({ json: rang(Date.now() - 60_000) }));
          await page.getByRole("button", { name: "Look again" }).click();
          await page.locator("svg.plot .way").first().waitFor();
          await page.getByText("The rings as a table").first().click();
          await page.getByText("not reported").last().waitFor();
          await look(page, name("rings"));
          await page.goto(`${server.origin}/lab`);
          await page.getByRole("button", { name: "Refused" }).click();
          await page.getByText("phone.texts.bad").waitFor();
          await page.getByRole("button", { name: "In code" }).click();
          await page.getByText("names no marker").waitFor();
          await look(page, name("lab"));
          await page.getByRole("heading", { name: "A reply" }).evaluate((element) => element.scrollIntoView());
          await shoot(page, name("lab-reply"));
          assert.deepEqual(page.faults, []);
          await page.context().close();
        } finally {
          await server.end();
        }
      });
    }
  }

  /** Otherwise an axe that does not look would find every view well made. */
  test("what is planted is found: a picture without words, letters too pale", async () => {
    const server = await Server.start();
    try {
      const page = await browser.open(server);
      await enter(page, server, "/lab");
      await page.getByRole("button", { name: "Passes" }).waitFor();
      assert.deepEqual(await violations(page), []);
      await page.evaluate(() => {
        const image = document.createElement("img");
        image.src = "/page/icons/icon.svg";
        const pale = document.createElement("p");
        pale.textContent = "hardly to be read";
        pale.style.color = "rgb(225 220 212)";
        document.querySelector(".lab-lead")?.append(image);
        document.querySelector(".sheets")?.prepend(pale);
      });
      const found = await violations(page);
      assert.ok(found.some((one) => one.startsWith("image-alt:")) && found.some((one) => one.startsWith("color-contrast:")), found.join("\n"));
    } finally {
      await server.end();
    }
  });
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
