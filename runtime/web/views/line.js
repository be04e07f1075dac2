/**
 * The line while it is open: who speaks, what was said and how, and the ways out.
 */

import { fill, h, icon } from "../lib/dom.js";
import { countdown, now } from "../lib/time.js";
import { say, sayOr } from "../lib/words.js";
import { companion } from "../state/companion.js";
import { ringing } from "../state/ringing.js";
import { face } from "./face.js";

/** @typedef {import("../state/ringing.js").Caption} Caption */

/** How many captions are shown: what was said last. */
const CAPTIONS = 6;

/** The call, as long as it goes on. @param {HTMLElement} line @returns {() => void} brings it up to date */
export function talk(line) {
  const time = h("span", { class: "time", role: "timer", "aria-live": "off" });
  const state = h("p", { class: "hint state" });
  const name = h("strong", { dir: "auto" });
  const captions = h("div", { class: "captions", role: "log", "aria-label": say("call_captions"), tabindex: 0 });
  captions.append(h("p", { class: "hint" }, say("call_captions_none")));
  const notice = h("p", { class: "notice", role: "status" });
  const wake = h("button", { type: "button", class: "chip", hidden: true, onclick: () => ringing.live?.wake() });
  const left = h("span", { class: "left" });
  const invites = h("p", {});
  const stays = h("div", { class: "stays", role: "status", hidden: true }, invites, h("div", { class: "track", "aria-hidden": "true" }, left));
  const mute = h("button", { type: "button", class: "round mute", onclick: () => ringing.live?.mute(ringing.live.ear.state !== "muted") });
  const hangUp = h("button", { type: "button", class: "round hang-up", "aria-label": say("call_hang_up"), title: say("call_hang_up"), onclick: () => void ringing.hangUp() }, icon("hangup"));
  fill(line, h("header", {}, h("span", { class: "speaks" }, face(46)), h("div", { class: "with" }, h("p", {}, name, time), state), mute, hangUp), h("div", { class: "notices" }, notice, wake), captions, stays);

  /** When the line began to linger, and until when. */
  let lingers = { from: 0, until: 0 };
  const tick = () => {
    const { call, live } = ringing;
    if (!call) return;
    time.textContent = countdown(now() - call.began_at_ms);
    const until = call.lingers_until_ms ?? 0;
    const open = until > now();
    if (open && lingers.until !== until) lingers = { from: now(), until };
    const phase = live?.phase ?? "open";
    line.dataset["phase"] = phase;
    // A line that lingers says so, unless something happens on it.
    write(state, open && ["listens", "open", "muted"].includes(phase) ? say("call_lingers") : phased(phase));
    stays.hidden = !open;
    write(invites, say(live?.ear.state === "open" ? "call_stay_speaking" : "call_stay"));
    if (open) left.style.setProperty("inline-size", `${Math.max(0, Math.min(1, (until - now()) / (until - lingers.from || 1))) * 100}%`);
  };
  const renew = () => {
    name.textContent = companion.name;
    renewMute(mute);
    const { live } = ringing;
    write(notice, noticed());
    // Sound waits for a tap where the page was loaded anew; a microphone that was refused may be allowed by now.
    const asks = live?.silent ? "talk_sound" : live?.notice === "refused" || live?.notice === "absent" ? "talk_microphone" : null;
    wake.hidden = asks === null;
    if (asks) write(wake, say(asks));
    caption(captions);
    tick();
  };
  makeRoom(line);
  const timer = setInterval(() => (time.isConnected ? tick() : clearInterval(timer)), 250);
  return renew;
}

/** Elements that the page makes room for. @type {WeakSet<HTMLElement>} */
const placed = new WeakSet();

/** The page stands below what hangs at its upper edge, where it is high enough for both. @param {HTMLElement} hung */
export function makeRoom(hung) {
  if (placed.has(hung)) return;
  placed.add(hung);
  new ResizeObserver(() => {
    const { bottom } = hung.getBoundingClientRect();
    document.documentElement.style.setProperty("--hung", `${hung.hidden ? 0 : Math.ceil(bottom)}px`);
  }).observe(hung);
}

/** @param {import("../line/live.js").Phase} phase */
function phased(phase) {
  if (phase === "open") return say("call_open");
  if (phase === "muted") return say("call_muted");
  return say(`talk_${phase}`, { name: companion.name });
}

function noticed() {
  const { live } = ringing;
  if (!live?.notice) return "";
  const { fault, notice } = live;
  // What the companion says itself of its voice.
  if (notice === "fault" && fault?.code === "speech_over_quota") return fault.message;
  if (notice === "fault") return sayOr(`fault_${fault?.code}`, "fault_unknown", { reason: fault?.message ?? "" });
  return say(`talk_${notice}`);
}

/** @param {HTMLButtonElement} mute */
function renewMute(mute) {
  const state = ringing.live?.ear.state ?? "closed";
  const muted = state === "muted";
  mute.hidden = state !== "open" && !muted;
  if (mute.getAttribute("aria-pressed") === String(muted)) return;
  mute.setAttribute("aria-pressed", String(muted));
  mute.setAttribute("aria-label", say(muted ? "call_unmute" : "call_mute"));
  mute.title = say(muted ? "call_unmute" : "call_mute");
  fill(mute, icon(muted ? "mute" : "microphone"));
}

/** What stands there of each caption. @type {WeakMap<Caption, { element: HTMLElement, words: HTMLElement, shown: string, feels: boolean }>} */
const stands = new WeakMap();

/** @param {HTMLElement} captions */
function caption(captions) {
  let more = false;
  for (const said of ringing.lines.slice(-CAPTIONS)) {
    const known = stands.get(said);
    if (known && !captions.contains(known.element)) continue;
    const its = known ?? written(said);
    if (!known) {
      if (captions.querySelector(":scope > .hint")) captions.replaceChildren();
      captions.append(its.element);
    }
    more = renewWords(its, said) || more || !known;
  }
  while (captions.childElementCount > CAPTIONS) captions.firstElementChild?.remove();
  if (more) captions.scrollTop = captions.scrollHeight;
}

/** @param {Caption} said */
function written(said) {
  const words = h("span", {});
  const who = `${said.who === "person" ? say("call_you") : companion.name}: `;
  const its = { element: h("p", { class: said.who, dir: "auto" }, h("span", { class: "unseen" }, who), words), words, shown: "", feels: false };
  stands.set(said, its);
  return its;
}

/** @param {{ element: HTMLElement, words: HTMLElement, shown: string, feels: boolean }} its @param {Caption} said @returns {boolean} whether anything is new */
function renewWords(its, said) {
  const before = its.shown;
  const text = said.who === "companion" ? plain(said.text) : said.text;
  if (text !== before) {
    // What is only added is read out alone.
    if (text.startsWith(before)) its.words.append(text.slice(before.length));
    else its.words.textContent = text;
    its.shown = text;
  }
  const beside = said.cut ? say("interrupted") : said.feeling;
  if (beside && !its.feels) {
    its.feels = true;
    its.element.append(" ", h("span", { class: "feeling" }, beside));
  }
  return text !== before;
}

/** What is said has no markup: its signs are not heard either. @param {string} text */
function plain(text) {
  return text.replace(/^\s{0,3}(?:#{1,6}|>)\s+/gm, "").replace(/[*`]+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "");
}

/** @param {HTMLElement} element @param {string} text */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
