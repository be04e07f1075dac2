/**
 * A call: the card that rings, and the line while it is open.
 */

import { fill, h, icon, ring, styled, turn } from "../lib/dom.js";
import { now } from "../lib/time.js";
import { say } from "../lib/words.js";
import { audio, tone } from "../phone/sounds.js";
import { companion } from "../state/companion.js";
import { ringing } from "../state/ringing.js";
import { face } from "./face.js";

// It has the focus itself, none of its answers: whoever is just writing answers no call by it.
const dialog = h("dialog", { class: "ringing", tabindex: -1, "aria-labelledby": "ring-name", "aria-describedby": "ring-reason" });
const line = h("section", { class: "on-line", "aria-label": say("call_line"), hidden: true });
/** Of a call that goes on elsewhere. */
const strip = h("section", { class: "going-on", "aria-label": say("call_line"), hidden: true });
/** Of what the dialog shows. */
let shown = "";
let declining = false;
/** @type {ReturnType<typeof setInterval> | undefined} */
let bell;
/** The call that the line shows, and how it is brought up to date. @type {{ id: string, renew: () => void } | null} */
let talking = null;

/** Puts the call over whatever view is there. */
export function mountCall() {
  document.body.append(dialog, line, strip);
  // A key that closes dialogs is no answer to a call. A browser that lets nobody be held in a dialog closes it all the same.
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  dialog.addEventListener("keydown", (event) => event.key === "Escape" && event.preventDefault());
  dialog.addEventListener("close", () => {
    if (!ringing.invite || dialog.open) return;
    shown = "";
    showRinging();
  });
  ringing.on(() => {
    showRinging();
    showLine();
    if (ringing.elsewhere || !strip.hidden) void Promise.all([import("./elsewhere.js"), styled("line")]).then(([{ elsewhere }]) => elsewhere(strip)).catch(() => {});
  });
  companion.on(() => {
    const name = dialog.querySelector("#ring-name");
    if (name) name.textContent = companion.name;
  });
}

function showRinging() {
  const { invite } = ringing;
  if (!invite) {
    if (dialog.open) dialog.close();
    stopBell();
    shown = "";
    return;
  }
  const its = `${invite.id}${declining}${ringing.chips.length}`;
  if (its === shown) return;
  if (!shown.startsWith(invite.id)) declining = false;
  shown = `${invite.id}${declining}${ringing.chips.length}`;
  fill(dialog, h("div", { class: "caller" }, picture(invite), h("h2", { id: "ring-name", dir: "auto" }, companion.name), h("p", { id: "ring-reason", dir: "auto" }, invite.reason)), declining ? notes() : answers());
  if (!dialog.open) {
    dialog.showModal();
    dialog.focus();
    // Whoever answers is to speak at once: what a call needs is fetched while it rings.
    void Promise.all([import("./line.js"), import("../line/live.js"), styled("line")]).catch(() => {});
    if (invite.rings) startBell();
  }
}

/** @param {import("../types/wire.d.ts").Invite} invite */
function picture(invite) {
  const drawn = ring(1);
  const whole = invite.expires_at_ms - invite.created_at_ms;
  const element = h("div", { class: "picture" }, face(96));
  element.prepend(drawn);
  const timer = setInterval(() => {
    if (!element.isConnected) return clearInterval(timer);
    turn(drawn, (invite.expires_at_ms - now()) / whole);
  }, 200);
  return element;
}

function answers() {
  const fault = h("p", { class: "fault", role: "alert" });
  return [
    fault,
    h(
      "div",
      { class: "answers" },
      h("button", { type: "button", class: "no", onclick: () => decline(true) }, icon("close"), say("call_decline")),
      h(
        "button",
        {
          type: "button",
          class: "primary yes",
          onclick: () => {
            // The tap that answers is the one that lets sound through.
            audio();
            void ringing.answer("accept").catch(() => (fault.textContent = say("fault_unreachable")));
          },
        },
        icon("call"),
        say("call_accept"),
      ),
    ),
  ];
}

/** @param {boolean} on */
function decline(on) {
  declining = on;
  stopBell();
  showRinging();
}

function notes() {
  const fault = h("p", { class: "fault", role: "alert" });
  const send = (/** @type {string | undefined} */ note) =>
    void ringing.answer("decline", note).catch(() => (fault.textContent = say("fault_unreachable")));
  const input = h("input", { "aria-label": say("call_note"), placeholder: say("call_note"), autocomplete: "off" });
  const count = h("span", { class: "hint", "aria-live": "polite" });
  const button = h("button", { type: "submit", class: "primary" }, say("send"));
  // A character is what the server counts: a code point, not half of one.
  input.addEventListener("input", () => {
    const left = ringing.noteMax - [...input.value.trim()].length;
    count.textContent = left < 15 ? String(left) : "";
    button.disabled = left < 0;
  });
  return h(
    "div",
    { class: "notes" },
    h("p", { class: "hint" }, say("call_why")),
    h("div", { class: "tries" }, ...ringing.chips.map((chip) => h("button", { type: "button", class: "chip", onclick: () => send(chip.text) }, chip.text))),
    h(
      "form",
      {
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          send(input.value.trim() || undefined);
        },
      },
      input,
      count,
      button,
    ),
    fault,
    h("div", { class: "answers" }, h("button", { type: "button", class: "plain", onclick: () => decline(false) }, say("cancel")), h("button", { type: "button", class: "plain", onclick: () => send(undefined) }, say("call_decline_silent"))),
  );
}

function startBell() {
  stopBell();
  const strike = () => {
    // Before the first tap a browser lets neither through, and says so in its console each time.
    if (!touched()) return;
    try {
      const its = audio();
      if (its.state === "running") for (const [at, pitch] of /** @type {const} */ ([[0, 587.3], [0.18, 740], [0.36, 880]])) tone(pitch, its.currentTime + at, 1.2, its.destination, 0.16);
      navigator.vibrate?.([300, 150, 300]);
    } catch {
      // It is shown all the same.
    }
  };
  strike();
  bell = setInterval(strike, 2000);
}

function stopBell() {
  clearInterval(bell);
  if (touched()) navigator.vibrate?.(0);
}

/** Whether the person has touched the page since it was loaded. */
function touched() {
  return navigator.userActivation?.hasBeenActive ?? true;
}

function showLine() {
  const { call } = ringing;
  line.hidden = !call;
  document.documentElement.classList.toggle("in-call", call !== null);
  if (!call) {
    talking = null;
    return line.replaceChildren();
  }
  // Made once a call: what has the focus keeps it, and what a screen reader has read it does not read again.
  if (talking?.id === call.id) return talking.renew();
  const its = { id: call.id, renew: () => {} };
  talking = its;
  void Promise.all([import("./line.js"), styled("line")]).then(([{ talk }]) => {
    if (talking !== its) return;
    its.renew = talk(line);
    its.renew();
  });
}
