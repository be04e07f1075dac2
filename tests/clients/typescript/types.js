// What the package's types say, held against what they should allow: read by tsc alone.

import {
  ACTIONS,
  MarkerScanner,
  changeSettings,
  DEFAULT_SETTINGS,
  isKnownCall,
  isKnownEvent,
  readCalls,
  texts,
} from "handset-client";

for (const { call, refusal } of readCalls("{}")) {
  if (call) {
    /** @type {string} */
    const summary = call.summary;
    if (call.action === "alarm") {
      /** @type {string} */
      const time = call.time;
      console.log(time, call.days?.includes("mon"));
      // @ts-expect-error an alarm has no number
      console.log(call.number);
    }
    console.log(summary);
  } else {
    console.log(refusal.text);
  }
}

/** @param {import("handset-client").Card} card */
export function shown(card) {
  // A word that is not known here is a string all the same.
  if (card.state === "pending" || card.state === "somewhere-new") console.log(card.deadline_ms);
  if (card.call && isKnownCall(card.call) && card.call.action === "navigate") {
    console.log(card.call.destination.name);
  }
  // @ts-expect-error a card is no message
  console.log(card.seq);
}

/** @param {import("handset-client").KnownEvent | import("handset-client").UnknownEvent} event */
export function told(event) {
  if (!isKnownEvent(event)) return event.data;
  switch (event.event) {
    case "delta":
      return event.data.text;
    case "card":
      return event.data.card.summary;
    case "flags":
      return event.data.dnd;
    default:
      // @ts-expect-error nothing else has words of its own
      return event.data.words;
  }
}

for (const { text, marker } of new MarkerScanner().push("…")) {
  console.log(marker ? marker.kind : text.length);
}

const changed = changeSettings({ ...DEFAULT_SETTINGS }, { call: { ring_interval: 3, poll_interval: null } });
console.log(changed.faults ? changed.faults[0]?.path : changed.settings.call.ring_interval);
// @ts-expect-error a length of time is a number
changeSettings({ ...DEFAULT_SETTINGS }, { call: { ring_interval: "3" } });

console.log(ACTIONS.includes("alarm"), texts.phone.says({ message: "…" }), texts.demo.hello("en"));
// @ts-expect-error a text with a hole wants it filled
console.log(texts.phone.says());
