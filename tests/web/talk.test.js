/**
 * A whole call by voice: a microphone that is a file, the real server, a program that reads the companion's words aloud. What
 * is understood is scripted, unless `HANDSET_TEST_RECOGNISER` is the `[voice.recogniser]` section of a real one.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Browser, Model, Server, enter, shoot, until } from "./harness.js";
import { Microphone, Recogniser, hiss, joined, levels, listen, silence, spoken } from "./voice.js";

const real = process.env["HANDSET_TEST_RECOGNISER"];
const SPEECH = '[speech]\nprovider = "command"\ncommand = ["espeak-ng", "--stdin", "--stdout", "-v", "{language}"]\n';

/** What the person says, and by what word each is known again. */
const SAID = {
  tired: ["I am so very tired today and I cannot sleep", /tired/i],
  which: ["Wait a moment and tell me which sea it was", /which|sea/i],
  stay: ["Please do not go away yet but stay a little longer with me now", /stay|longer/i],
};

test("a call by voice: spoken, understood, answered aloud, interrupted, hung up on gently, held, and left with its record", async (t) => {
  const microphone = new Microphone();
  const recogniser = await Recogniser.start();
  const model = await Model.start();
  const server = await Server.start({ config: `${model.config}\n${real ?? recogniser.config}\n${SPEECH}` });
  const browser = await Browser.start(microphone.args);
  t.after(async () => {
    await browser.end();
    await server.end();
    model.end();
    recogniser.end();
    microphone.end();
  });
  const voices = Object.fromEntries(Object.entries(SAID).map(([name, [words]]) => [name, spoken(words, "en+f3")]));
  await server.ask("PATCH", "/api/companion", { name: "Mo" });
  await server.ask("PATCH", "/api/settings", { settings: { voice: { linger_min: 15, linger_max: 15 } } });
  const page = await browser.open(server);
  await listen(page);
  /** @type {{ from: "page" | "server", type: string, at: number, frame: any }[]} */
  const frames = [];
  page.on("websocket", (socket) => {
    const note = (from) => ({ payload }) => {
      if (typeof payload !== "string") return frames.push({ from, type: "bytes", at: Date.now(), frame: null });
      const frame = JSON.parse(payload);
      frames.push({ from, type: frame.type, at: Date.now(), frame });
    };
    socket.on("framesent", note("page"));
    socket.on("framereceived", note("server"));
  });
  const came = async (type, after = 0, which = (_) => true) => {
    try {
      return await until(type, () => frames.find((one) => one.type === type && one.at >= after && which(one.frame)), 40_000);
    } catch (error) {
      const last = frames.slice(-20).map(({ from, at, frame }) => `${at - after} ms: ${from}: ${JSON.stringify(frame)?.slice(0, 160)}`);
      throw new Error(`${error.message}; what came last, from the moment on after which it was awaited:\n${last.join("\n")}`);
    }
  };
  await enter(page, server);
  await server.ask("POST", "/api/call/invite", { reason: "I could not sleep either." });
  await page.getByRole("button", { name: "Accept" }).click();
  const line = page.locator(".on-line");
  const captions = line.getByRole("log");
  await line.getByText("Listening.").waitFor();
  const hush = async () => {
    await page.getByRole("button", { name: "Mute", exact: true }).click();
    await page.getByRole("button", { name: "Unmute" }).waitFor();
  };
  /** Says something, now; gives the moment at which it was asked to. */
  const speak = async (name) => {
    const voice = joined(silence(0.4), voices[name], silence(4));
    recogniser.words = SAID[name][0];
    microphone.give(voice.map((sample, at) => sample + hiss(0.01, 0.0005)[at % 160]));
    const now = Date.now();
    await page.getByRole("button", { name: "Unmute" }).click();
    return now;
  };
  const understood = async (name) => {
    await captions.locator(".person").getByText(SAID[name][1]).last().waitFor();
    if (real) return;
    // The whole sentence, and a little before and behind it.
    const [said, heard] = [voices[name].length / 16_000, recogniser.heard.at(-1) ?? 0];
    assert.ok(heard > said - 0.4 && heard < said + 0.7, `${heard} s were heard of ${said} s`);
  };
  /** How long each stage of an answer took, from the last that was said to the first that is heard. */
  const stages = async (since, speech, what) => {
    const sent = await came("utterance", since);
    const caption = await came("caption", since);
    const asked = speech.at;
    const { frame: { turn } } = await came("turn", caption.at);
    const its = (frame) => frame.turn === turn;
    const piece = await came("piece", since, its);
    const sound = await came("audio", since, its);
    const loud = await until("it is heard", async () => (await levels(page, piece.at - 5)).find(({ played }) => played > 0.005), 30_000);
    const ended = (await levels(page, since)).findLast(({ microphone, wall }) => microphone > 0.02 && wall < sent.at)?.wall ?? sent.at;
    const ms = [sent.at - ended, caption.at - sent.at, asked - caption.at, piece.at - speech.told, sound.at - piece.at, loud.wall - sound.at].map(Math.round);
    t.diagnostic(`${what}: end of utterance → sent ${ms[0]} ms → caption ${ms[1]} → model asked ${ms[2]}; its sentence → piece ${ms[3]} → audio ${ms[4]} → sound ${ms[5]}; ${Math.round(loud.wall - ended)} ms in all`);
  };
  /** The model's next reply: told in parts. */
  const reply = async (...parts) => {
    const speech = await model.asked();
    const at = Date.now();
    for (const part of parts) speech.say(part);
    speech.finish();
    return { at, told: Date.now(), prompt: JSON.stringify(speech.turn.body.messages) };
  };

  // Spoken and understood.
  await hush();
  let since = await speak("tired");
  await line.getByText("You are speaking.").waitFor();
  await understood("tired");
  await hush();
  const told = await reply("Come and sit down with me. ", "There was a small house by the sea, and in it lived an old man who counted the waves every single night until he fell asleep, first the small ones and then the large ones, and he never once forgot where he had stopped the night before. ", "Then the sea began to count him, his steps upon the sand and the lamps in his window and the buttons of his coat and the gulls upon his roof, and nobody ever knew how far it came.");
  assert.match(told.prompt, /\[voice call/, "the model learns that it was spoken");
  await stages(since, told, "first answer");
  await captions.getByText("Come and sit down with me.").waitFor();
  assert.equal(await captions.getByText("Come and sit down with me.").count(), 1, "what comes over the line is not told twice");
  await line.getByText("Mo is speaking.").waitFor();
  // Interrupted behind the first sentence.
  await came("played", since, ({ piece }) => piece === 0);
  since = await speak("which");
  const { frame: speaking } = await came("speaking", since);
  assert.ok(speaking.piece >= 1, `${speaking.piece}`);
  assert.ok(speaking.share > 0 && speaking.share < 1, `${speaking.share}`);
  const { frame: stopped } = await came("stopped", since);
  const heard = await levels(page, since);
  const begun = heard.find(({ microphone }) => microphone > 0.005);
  const silent = heard.findLast(({ played }) => played > 0.001);
  t.diagnostic(`interrupted: ${Math.round((silent.at - begun.at) * 1000)} ms from the first loud sample to silence, at ${speaking.share.toFixed(2)} of piece ${speaking.piece}`);
  assert.ok(silent.at - begun.at <= 0.25, `${silent.at - begun.at}`);
  assert.equal(stopped.message.mark, "interrupted");
  assert.match(stopped.message.text, /^Come and sit down with me. There was/);
  assert.doesNotMatch(stopped.message.text, /nobody ever knew/);
  await captions.getByText("interrupted").waitFor();
  await understood("which");
  await hush();
  // What was not heard was not said.
  const second = await reply("The cold one. ", "Now sleep well. [hangup]");
  assert.doesNotMatch(second.prompt, /nobody ever knew/);
  await stages(since, second, "second answer");
  // Hung up on gently: when the goodbye has been heard, and not before.
  const lingers = await came("linger", since);
  await line.getByText("The line stays open a few breaths longer.").waitFor();
  await shoot(page, "talk-lingers");
  const goodbye = (await levels(page, since)).findLast(({ played }) => played > 0.001);
  t.diagnostic(`the line lingers ${Math.round(lingers.at - goodbye.wall)} ms after the goodbye's last sound`);
  assert.ok(lingers.at >= goodbye.wall - 50, "not before its last sound");
  // Held.
  since = await speak("stay");
  await came("goes_on", since);
  await line.locator(".stays").waitFor({ state: "hidden" });
  await understood("stay");
  const third = await reply("I am here. ", "Good night, then. [hangup]");
  await stages(since, third, "third answer");
  await came("linger", since);
  // Nobody says anything: the line ends by itself, and the record is there, once.
  void model.asked().then((summary) => {
    summary.say("They spoke of the sea.");
    summary.finish();
  });
  await line.waitFor({ state: "hidden", timeout: 40_000 });
  // The stream may tell it before the line does.
  const ended = frames.find(({ type }) => type === "ended");
  assert.ok(!ended || ended.frame.by === "companion");
  assert.ok(!frames.some(({ type }) => type === "hangup"), "nobody has hung up but the companion");
  // The page has the call's chat open by itself.
  await page.getByRole("log").locator(".call-record").getByText("Voice call").waitFor();
  const { chats } = await server.ask("GET", "/api/chats");
  const { messages } = await server.ask("GET", `/api/chats/${chats[0].id}/messages`);
  const records = messages.filter(({ text }) => text.includes("Voice call"));
  assert.equal(records.length, 1);
  t.diagnostic(`the record: ${records[0].text.replace("\n", " — ")}`);
  await shoot(page, "talk-record");
  assert.ok(messages.some(({ role, text }) => role === "person" && SAID.tired[1].test(text) && !text.includes("[voice")), "what was said stands there as the words alone");
  assert.deepEqual(page.faults, []);
  assert.deepEqual(page.strangers, [], "no request leaves the origin");
});

test("a call by voice: what is asked for becomes a card, over the call's line, and behind its answer the companion goes on aloud", async (t) => {
  const microphone = new Microphone();
  const recogniser = await Recogniser.start();
  const model = await Model.start();
  const server = await Server.start({ config: `${model.config}\n${recogniser.config}\n${SPEECH}` });
  const browser = await Browser.start(microphone.args);
  t.after(async () => {
    await browser.end();
    await server.end();
    model.end();
    recogniser.end();
    microphone.end();
  });
  await server.ask("PATCH", "/api/companion", { name: "Mo" });
  for (const width of [1280, 360]) {
    const page = await browser.open(server, { viewport: { width, height: 740 } });
    await listen(page);
    await enter(page, server, "/phone");
    await server.ask("POST", "/api/call/invite", { reason: "Time to sleep." });
    await page.getByRole("button", { name: "Accept" }).click();
    const line = page.locator(".on-line");
    const captions = line.getByRole("log");
    await line.getByText("Listening.").waitFor();
    await page.getByRole("button", { name: "Mute", exact: true }).click();
    recogniser.words = "Wake me at half past seven";
    microphone.give(joined(silence(0.4), spoken(recogniser.words, "en+f3"), silence(4)));
    await page.getByRole("button", { name: "Unmute" }).click();
    const asked = await model.asked();
    asked.say("One moment. ");
    asked.call("c1", { action: "alarm", time: "07:30", summary: "Alarm at 7:30" });
    await captions.getByText("One moment.").waitFor();
    const card = page.locator("article.card.pending").filter({ hasText: "Alarm at 7:30" });
    await card.waitFor();
    await shoot(page, `talk-card-${width}`);
    // A tap: nothing of the call lies over it.
    await card.getByRole("button", { name: "Confirm" }).click({ timeout: 5_000 });
    const after = await model.asked();
    assert.equal(after.turn.body.messages.at(-1).role, "tool");
    after.say("It is set. ");
    after.say("Sleep well. 🌙");
    const since = Date.now();
    after.finish();
    await captions.getByText("One moment. It is set. Sleep well. 🌙").waitFor();
    await until("it is heard", async () => (await levels(page, since)).some(({ played }) => played > 0.005), 30_000);
    await page.getByRole("button", { name: "Hang up" }).click();
    await line.waitFor({ state: "hidden" });
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
});
