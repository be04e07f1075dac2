/** The line of a call, as the page lives it: against a line that the test holds the other end of. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { Far } from "./far.js";
import { Browser, Server, enter, say, until } from "./harness.js";
import { look } from "./look.js";
import { Microphone, hum, joined, levels, listen, silence, unwav, wav } from "./voice.js";

const microphone = new Microphone();
/** @type {Browser} */
let browser;
/** @type {Server} */
let server;
before(async () => {
  browser = await Browser.start(microphone.args);
});
after(async () => {
  await browser.end();
  microphone.end();
});
beforeEach(async () => {
  microphone.give(silence(1));
  server = await Server.start();
  await server.ask("PATCH", "/api/companion", { name: "Mo" });
});
afterEach(() => server.end());

/** A page in a call. */
async function called(options = {}, page) {
  page ??= await browser.open(server, options.context);
  await listen(page);
  const far = await Far.of(page, options);
  await enter(page, server);
  const { invite } = await server.ask("POST", "/api/call/invite", { reason: "Only to talk." });
  await page.getByRole("button", { name: options.accept ?? "Accept" }).click();
  const line = page.locator(".on-line");
  await line.locator(".hang-up").waitFor();
  return { page, far, line, invite };
}

/** Until the bell has died away. */
const quiet = (page) => until("quiet", async () => (await levels(page)).slice(-100).every(({ played }) => played < 0.001));
const captions = (line) => line.getByRole("log");

test("what is said into the microphone is sent as it was said, is understood, and stands there with what the voice told", async (t) => {
  const { page, far, line } = await called();
  await line.getByText("Listening.").waitFor();
  // Closed and opened anew, the microphone gives what is in the file now.
  const speak = async (samples) => {
    await page.getByRole("button", { name: "Mute", exact: true }).click();
    await line.getByText("You are muted.").waitFor();
    microphone.give(samples);
    await page.getByRole("button", { name: "Unmute" }).click();
  };
  await speak(joined(silence(0.6), hum(1.5), silence(3)));
  await far.next("speaking");
  await line.getByText("You are speaking.").waitFor();
  const said = await far.next("utterance");
  const { rate, samples } = unwav(said.bytes);
  assert.equal(rate, 16_000);
  t.diagnostic(`1.5 s of a voice are sent as ${samples.length / rate} s`);
  assert.ok(Math.abs(samples.length / rate - 1.9) < 0.25, `${samples.length / rate} s`);
  assert.ok(samples.some((sample) => Math.abs(sample) > 0.05), "there is a voice in it");
  far.say({ type: "understanding", client_id: said.client_id });
  await line.getByText("Understanding what you said").waitFor();
  far.say({ type: "caption", client_id: said.client_id, text: "I am so tired.", emotion: "sad", tone: "quiet", feeling: "sad · quiet" });
  await captions(line).getByText("I am so tired.").waitFor();
  await captions(line).getByText("sad · quiet").waitFor();
  await line.getByText("Mo is thinking").waitFor();
  far.say({ type: "turn", turn: "t1", soft: false });
  far.piece("t1", 0, "Come here.", hum(0.5));
  await captions(line).getByText("Come here.").waitFor();
  const played = await far.next("played");
  assert.deepEqual([played.turn, played.piece], ["t1", 0]);
  // What is nothing is said to be nothing.
  await speak(joined(silence(0.6), hum(1), silence(3)));
  const again = await far.next("utterance");
  assert.notEqual(again.client_id, said.client_id);
  far.say({ type: "nothing_heard", client_id: again.client_id });
  await line.getByText("Nothing was understood.").waitFor();
  assert.deepEqual(page.faults, []);
});

test("pieces are played in their order, without a gap, softly where the person is soft", async (t) => {
  const { page, far, line } = await called();
  await line.getByText("Listening.").waitFor();
  await quiet(page);
  const before = (await levels(page)).length;
  far.say({ type: "turn", turn: "t1", soft: false });
  for (const [piece, words] of ["One. ", "Two. ", "Three."].entries()) {
    far.say({ type: "piece", turn: "t1", piece, spoken: words.trim(), shown: words });
  }
  await captions(line).getByText("One. Two. Three.").waitFor();
  for (const piece of [0, 1, 2]) far.say({ type: "audio", turn: "t1", piece, format: "audio/wav" }, wav(hum(0.4)));
  for (const piece of [0, 1, 2]) assert.equal((await far.next("played")).piece, piece);
  far.say({ type: "turn", turn: "t2", soft: true });
  far.piece("t2", 0, "Softly.", hum(0.4));
  await far.next("played");
  const loud = (await levels(page)).slice(before).filter(({ played }) => played > 0.001);
  const gaps = loud.slice(1).map(({ at }, n) => at - loud[n].at);
  // One pause: between the two replies.
  assert.equal(gaps.filter((gap) => gap > 0.02).length, 1, gaps.filter((gap) => gap > 0.01).join());
  const between = gaps.findIndex((gap) => gap > 0.02) + 1;
  const rms = (part) => Math.sqrt(part.reduce((sum, { played }) => sum + played ** 2, 0) / part.length);
  const [full, soft] = [rms(loud.slice(0, between)), rms(loud.slice(between))];
  t.diagnostic(`${(loud[between - 1].at - loud[0].at).toFixed(2)} s without a gap; soft is ${(soft / full).toFixed(2)} of full`);
  assert.ok(Math.abs(soft / full - 0.5) < 0.1, `${soft} of ${full}`);
  assert.deepEqual(page.faults, []);
});

test("who speaks over the companion is heard at once: the voice stops within 200 ms, and the server learns where", async (t) => {
  const { page, far, line } = await called();
  await line.getByText("Listening.").waitFor();
  await page.getByRole("button", { name: "Mute", exact: true }).click();
  await line.getByText("You are muted.").waitFor();
  const took = [];
  for (let round = 0; round < 3; round += 1) {
    microphone.give(joined(silence(1.2), hum(1.5), silence(3)));
    const turn = `t${round}`;
    far.say({ type: "turn", turn, soft: false });
    far.piece(turn, 0, "A first sentence. ", hum(0.5));
    far.piece(turn, 1, "A long second one. ", hum(8));
    far.piece(turn, 2, "Never heard.", hum(2));
    await far.next("played");
    await page.getByRole("button", { name: "Unmute" }).click();
    const { turn: its, piece, share } = await far.next("speaking");
    assert.deepEqual([its, piece], [turn, 1]);
    assert.ok(share > 0.05 && share < 0.6, `${share}`);
    const said = await far.next("utterance");
    const heard = await levels(page);
    const begun = heard.findLast(({ microphone }, at) => microphone > 0.02 && heard.slice(Math.max(0, at - 200), at).every((one) => one.microphone < 0.02));
    const ended = heard.findLast(({ played }) => played > 0.001);
    took.push(Math.round((ended.at - begun.at) * 1000));
    far.say({ type: "nothing_heard", client_id: said.client_id });
    far.say({ type: "stopped", turn, message: { text: "A first sentence. A long", role: "companion" } });
    await captions(line).getByText("A first sentence. A long", { exact: true }).nth(round).waitFor();
    await page.getByRole("button", { name: "Mute", exact: true }).click();
    await line.getByText("You are muted.").waitFor();
    // What comes of it all the same is not said any more.
    far.piece(turn, 3, "Late.", hum(1));
    const before = (await levels(page)).length;
    await until("time passes", async () => (await levels(page)).length > before + 100);
    assert.ok((await levels(page)).slice(before).every(({ played }) => played < 0.001));
  }
  t.diagnostic(`from the first loud sample to silence: ${took.join(", ")} ms`);
  // The median: a machine that is busy elsewhere may hold one of them up.
  const [, median] = took.sort((a, b) => a - b);
  assert.ok(median <= 200, took.join());
  assert.deepEqual(page.faults, []);
});

test("what comes while the person speaks waits until it is known what they said", async () => {
  const { page, far, line } = await called();
  await line.getByText("Listening.").waitFor();
  await page.getByRole("button", { name: "Mute", exact: true }).click();
  await line.getByText("You are muted.").waitFor();
  await quiet(page);
  microphone.give(joined(silence(0.4), hum(1.5), silence(3)));
  await page.getByRole("button", { name: "Unmute" }).click();
  const since = Date.now();
  await far.next("speaking");
  far.say({ type: "turn", turn: "t1", soft: false });
  far.piece("t1", 0, "As I was saying.", hum(0.5));
  const { client_id } = await far.next("utterance");
  await captions(line).getByText("As I was saying.").waitFor();
  assert.ok((await levels(page, since)).every(({ played }) => played < 0.001), "nobody is talked over");
  far.say({ type: "nothing_heard", client_id });
  assert.equal((await far.next("played")).piece, 0);
  assert.ok((await levels(page, since)).some(({ played }) => played > 0.01));
  assert.deepEqual(page.faults, []);
});

test("words that the chat tells before the line does stand there once", async () => {
  const { page, far, line } = await called();
  await line.getByText("Listening.").waitFor();
  await say(page, "hello");
  const reply = await until("a reply", async () => {
    const { chats } = await server.ask("GET", "/api/chats");
    const { messages } = await server.ask("GET", `/api/chats/${chats[0].id}/messages`);
    return messages.find(({ role }) => role === "companion");
  });
  const stand = captions(line).locator(".companion");
  await stand.getByText(reply.text).waitFor();
  far.say({ type: "turn", turn: reply.turn, soft: false });
  far.piece(reply.turn, 0, reply.text, hum(0.3));
  await far.next("played");
  assert.deepEqual(await stand.locator("span:not(.unseen)").allTextContents(), [reply.text]);
});

test("a line that drops is opened again: what has no outcome is sent again, once, and what was played is told", async () => {
  const { page, far, line } = await called();
  await line.getByText("Listening.").waitFor();
  await page.getByRole("button", { name: "Mute", exact: true }).click();
  microphone.give(joined(silence(0.4), hum(1), silence(3)));
  far.say({ type: "turn", turn: "t1", soft: false });
  far.piece("t1", 0, "One.", hum(0.4));
  await page.getByRole("button", { name: "Unmute" }).click();
  const said = await far.next("utterance");
  far.away = true;
  await far.socket.close({ code: 1011 });
  await line.getByText("The connection is lost.").waitFor();
  await until("it tries again", () => far.sockets >= 3);
  far.away = false;
  const again = await far.next("utterance");
  assert.equal(again.client_id, said.client_id);
  assert.deepEqual(again.bytes, said.bytes);
  far.say({ type: "caption", client_id: said.client_id, text: "Are you there?", emotion: null, tone: null, feeling: null });
  await captions(line).getByText("Are you there?").waitFor();
  const [sent, sockets] = [far.frames.length, far.sockets];
  await far.socket.close({ code: 1011 });
  await until("it is back", () => far.sockets > sockets);
  // A piece that is repeated with the new line is neither said nor shown twice.
  far.piece("t1", 0, "One.", hum(0.4));
  assert.equal((await far.next("played")).piece, 0, "who does not know that it was played is told again");
  far.piece("t1", 1, " Two.", hum(0.4));
  await captions(line).getByText("One. Two.").waitFor();
  assert.equal((await far.next("played")).piece, 1);
  // A turn that begins anew says something else behind what was heard.
  far.piece("t1", 2, " Three, and on.", hum(20));
  await line.getByText("Mo is speaking.").waitFor();
  far.say({ type: "turn", turn: "t1", soft: false });
  far.piece("t1", 2, " Four.", hum(0.3));
  assert.equal((await far.next("played")).piece, 2);
  far.say({ type: "reply", turn: "t1", pieces: 3, message: { text: "One. Two. Four. 🌙", role: "companion" } });
  await captions(line).getByText("One. Two. Four. 🌙", { exact: true }).waitFor();
  assert.deepEqual(far.frames.slice(sent).filter(({ type }) => type === "utterance"), []);
  assert.deepEqual(page.faults, []);
});

test("without a voice from the server or of the browser, pieces are shown for as long as reading takes", async () => {
  const { page, far, line } = await called({ by: "browser" });
  await line.getByText("Listening.").waitFor();
  far.say({ type: "turn", turn: "t1", soft: false });
  far.piece("t1", 0, "Read this sentence, please. ");
  far.piece("t1", 1, "你好。");
  await line.getByText("This browser has no voice").waitFor();
  await line.getByText("Mo is speaking.").waitFor();
  const begun = Date.now();
  const first = await far.next("played");
  const second = await far.next("played");
  assert.deepEqual([first.piece, second.piece], [0, 1]);
  assert.ok(first.at - begun > 500 && second.at > first.at, `${first.at - begun}`);
  assert.deepEqual(page.faults, []);
});

test("the browser's own voice is one of the language that is spoken", async () => {
  const own = await browser.open(server);
  // A browser with three voices, which say nothing but that they have.
  await own.addInitScript(() => {
    const voices = ["en-GB", "zh-CN", "de-DE"].map((lang) => ({ lang, name: lang, localService: true, default: lang === "en-GB", voiceURI: lang }));
    const spoken = [];
    Reflect.set(window, "spoken", spoken);
    class Utterance {
      constructor(text) {
        this.text = text;
      }
    }
    Reflect.set(window, "SpeechSynthesisUtterance", Utterance);
    const synthesis = {
      getVoices: () => voices,
      cancel: () => {},
      addEventListener: () => {},
      speak: (said) => {
        spoken.push([said.text, said.lang, said.voice.lang]);
        setTimeout(() => said.onstart());
        setTimeout(() => said.onend(), 30);
      },
    };
    Object.defineProperty(window, "speechSynthesis", { value: synthesis });
  });
  const { page, far, line } = await called({ by: "browser" }, own);
  await line.getByText("Listening.").waitFor();
  far.say({ type: "turn", turn: "t1", soft: false });
  for (const [piece, [spoken, language]] of [["晚安。", "zh"], ["Gut.", "de"], ["Good.", null]].entries()) {
    far.say({ type: "piece", turn: "t1", piece, spoken, shown: spoken, language });
    await far.next("played");
  }
  assert.deepEqual(await page.evaluate(() => Reflect.get(window, "spoken")), [["晚安。", "zh-CN", "zh-CN"], ["Gut.", "de-DE", "de-DE"], ["Good.", "en-GB", "en-GB"]]);
  assert.deepEqual(page.faults, []);
});

test("where the day's characters are used up the companion says so, and what has no sound is said here", async () => {
  const { page, far, line } = await called();
  await line.getByText("Listening.").waitFor();
  far.say({ type: "turn", turn: "t1", soft: false });
  far.piece("t1", 0, "One. ", hum(0.3));
  far.piece("t1", 1, "Two.");
  const message = "My voice is used up for today.";
  far.say({ type: "fault", client_id: null, error: { code: "speech_over_quota", message } });
  far.say({ type: "audio", turn: "t1", piece: 1, error: { code: "speech_over_quota", message: "Used up." } });
  await line.getByText(message, { exact: true }).waitFor();
  for (const piece of [0, 1]) assert.equal((await far.next("played")).piece, piece);
  assert.deepEqual(page.faults, []);
});

test("the companion hangs up gently: the line lingers, speaking holds it, and the end is the server's", async () => {
  const { page, far, line } = await called();
  await line.getByText("Listening.").waitFor();
  await page.getByRole("button", { name: "Mute", exact: true }).click();
  await line.getByText("You are muted.").waitFor();
  far.say({ type: "linger", until_ms: Date.now() + 15_000 });
  await line.getByText("The line stays open a few breaths longer.").waitFor();
  microphone.give(joined(silence(0.3), hum(1), silence(3)));
  await page.getByRole("button", { name: "Unmute" }).click();
  await line.getByText("Speak, and the call goes on").waitFor();
  await far.next("speaking");
  await line.getByText("Speak, and the call goes on").waitFor({ state: "hidden" });
  far.say({ type: "goes_on" });
  far.say({ type: "ended", by: "companion", record: null });
  await line.waitFor({ state: "hidden" });
  assert.deepEqual(page.faults, []);
});

test("hanging up tells the line, and the server where the line does not say that it has ended", async () => {
  const { page, far, line, invite } = await called();
  await line.getByText("Listening.").waitFor();
  await page.getByRole("button", { name: "Hang up" }).click();
  await line.waitFor({ state: "hidden" });
  await far.next("hangup");
  // This line says nothing: the call is ended all the same.
  await until("it has ended", async () => (await server.ask("GET", "/api/call/invite")).call?.id !== invite.id);
  assert.deepEqual(page.faults, []);
});

test("who hangs up in the midst of a word has said it", async () => {
  const { page, far, line } = await called();
  await line.getByText("Listening.").waitFor();
  await page.getByRole("button", { name: "Mute", exact: true }).click();
  await line.getByText("You are muted.").waitFor();
  microphone.give(joined(silence(0.4), hum(20)));
  await page.getByRole("button", { name: "Unmute" }).click();
  await far.next("speaking");
  await until("some of it is said", async () => (await levels(page)).slice(-200).filter(({ microphone }) => microphone > 0.01).length > 40);
  await page.getByRole("button", { name: "Hang up" }).click();
  await far.next("utterance");
  await far.next("hangup");
  await line.waitFor({ state: "hidden" });
  assert.deepEqual(page.faults, []);
});

test("a page that is loaded anew is in its call again; one that another page took is not", async () => {
  const { page, far, line } = await called();
  await line.getByText("Listening.").waitFor();
  await page.reload();
  await line.getByRole("button", { name: "Hang up" }).waitFor();
  await until("the line is open again", () => far.sockets === 2);
  // Where the browser keeps sound back before a tap, it says so.
  const sound = line.getByRole("button", { name: "Turn the sound on" });
  if (await sound.isVisible()) await sound.click();
  await line.getByText("Listening.").waitFor();
  await far.socket.close({ code: 4001 });
  await line.waitFor({ state: "hidden" });
  assert.deepEqual(page.faults, []);
});

test("a server that does not understand speech says so, and asks for no microphone", async () => {
  const { page, far, line } = await called({ hears: false });
  await line.getByText("This server does not understand speech yet.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Mute", exact: true }).count(), 0);
  await say(page, "hello");
  await captions(line).getByText("hello", { exact: true }).waitFor();
  far.say({ type: "turn", turn: "t1", soft: false });
  far.piece("t1", 0, "Who is there?", hum(0.3));
  await captions(line).getByText("Who is there?").waitFor();
  // What is answered in a chat that the line does not speak for stands there as it was written.
  await captions(line).getByText("Hello! Tell me").waitFor();
  assert.deepEqual(page.faults, []);
});

test("a microphone that is refused leaves the call to be written, and can be allowed later", async () => {
  const shy = await Browser.start();
  try {
    const { page, line } = await called({}, await shy.open(server));
    await line.getByText("The microphone is not allowed.").or(line.getByText("There is no microphone.")).waitFor();
    await line.getByRole("button", { name: "Use the microphone" }).waitFor();
    await line.getByText("The line is open. Write in the chat").waitFor();
    assert.deepEqual(page.faults, []);
  } finally {
    await shy.end();
  }
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  for (const width of [360, 1280]) {
    test(`the line at ${width} pixels, ${colorScheme}: in each of its states, with axe, and by the keyboard`, async () => {
      const { page, far, line } = await called({ context: { viewport: { width, height: 740 }, colorScheme, reducedMotion: "reduce" } });
      const name = (view) => `line-${view}-${width}-${colorScheme}`;
      await line.getByText("Listening.").waitFor();
      await look(page, name("listens"));
      await line.getByRole("button", { name: "Mute" }).focus();
      microphone.give(joined(silence(0.4), hum(1.2), silence(3)));
      await page.keyboard.press("Enter");
      await line.getByText("You are muted.").waitFor();
      await look(page, name("muted"));
      await page.keyboard.press("Enter");
      await line.getByText("You are speaking.").waitFor();
      const { client_id } = await far.next("utterance");
      await line.getByText("Understanding what you said").waitFor();
      far.say({ type: "caption", client_id, text: "Are you still awake? I cannot sleep.", emotion: "sad", tone: "quiet", feeling: "sad · quiet, lots of pauses" });
      await line.getByText("Mo is thinking").waitFor();
      await look(page, name("thinks"));
      far.say({ type: "turn", turn: "t1", soft: true });
      far.piece("t1", 0, "Come, I tell you about the moon. ", hum(90, 0.05));
      far.piece("t1", 1, "It has been out all night, and nobody looked. 月亮一直在。");
      await line.getByText("Mo is speaking.").waitFor();
      assert.equal(await line.locator(".speaks").evaluate((element) => getComputedStyle(element, "::after").animationName), "none", "nothing moves for who does not want it");
      await look(page, name("speaks"));
      far.say({ type: "stopped", turn: "t1", message: { text: "Come, I tell you", role: "companion" } });
      await captions(line).getByText("interrupted").waitFor();
      far.say({ type: "linger", until_ms: Date.now() + 15_000 });
      await line.getByText("Speak, and the call goes on").waitFor();
      far.say({ type: "fault", client_id: null, error: { code: "no_recogniser", message: "Nothing is there that understands.", hint: "" } });
      await line.getByRole("status").getByText("Nothing is there that understands.").waitFor();
      await look(page, name("lingers"));
      await line.getByRole("button", { name: "Hang up" }).focus();
      await page.keyboard.press("Enter");
      await line.waitFor({ state: "hidden" });
      assert.deepEqual(page.faults, []);
    });
  }
}

test("in Chinese, at 360 pixels", async () => {
  const { page, far, line } = await called({ context: { viewport: { width: 360, height: 740 }, locale: "zh-CN" }, accept: "接听" });
  await line.getByText("在听。").waitFor();
  far.say({ type: "turn", turn: "t1", soft: true });
  far.piece("t1", 0, "过来坐一会儿吧。", hum(60, 0.05));
  await line.getByText("Mo在说话。").waitFor();
  far.say({ type: "linger", until_ms: Date.now() + 15_000 });
  await line.getByText("说句话就不会挂断").waitFor();
  await look(page, "line-zh-360");
  assert.deepEqual(page.faults, []);
});
