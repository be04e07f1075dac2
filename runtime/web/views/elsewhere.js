/**
 * A call that goes on, but not on this page: where, and the ways to have it here or to end it. Nothing rings meanwhile.
 */

import { fill, h } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { audio } from "../phone/sounds.js";
import { ringing } from "../state/ringing.js";
import { reason } from "./faults.js";
import { makeRoom } from "./line.js";

/** @param {HTMLElement} strip */
export function elsewhere(strip) {
  const its = ringing.elsewhere;
  strip.hidden = !its;
  const shows = its ? JSON.stringify([its.call.id, its.device, its.here]) : "";
  if (strip.dataset["shows"] === shows) return;
  strip.dataset["shows"] = shows;
  makeRoom(strip);
  if (!its) return strip.replaceChildren();
  const words = h("p", { role: "status", dir: "auto" }, its.here || !its.device ? say("call_in_tab") : say("call_elsewhere", { device: its.device }));
  const take = () => {
    // The tap is the one that lets sound through.
    audio();
    ringing.takeOver();
  };
  const end = () => void ringing.endElsewhere().catch((error) => (words.textContent = reason(error)));
  fill(
    strip,
    words,
    h(
      "div",
      { class: "answers" },
      h("button", { type: "button", onclick: end }, say("call_hang_up")),
      h("button", { type: "button", class: "primary", onclick: take }, say("call_here")),
    ),
  );
}
