/**
 * One item of a conversation as an element.
 */

import { h, icon } from "../lib/dom.js";
import { element as markdown, parse } from "../lib/markdown.js";
import { clock, day } from "../lib/time.js";
import { say, sayOr } from "../lib/words.js";
import { companion } from "../state/companion.js";
import { house } from "../state/house.js";
import { actionIcon } from "./action.js";

/** @typedef {import("../state/thread.js").Item} Item */
/** @typedef {Extract<Item, { kind: "record" }>} Record */

/** What an element shows, so that one that shows the same already is left alone. @type {WeakMap<Element, string>} */
const stamps = new WeakMap();
/** The blocks of a text that is being said, as they were written. @type {WeakMap<Element, string[]>} */
const written = new WeakMap();

/** @param {Item} item */
function stamp(item) {
  switch (item.kind) {
    case "said":
    case "reply":
      return `${item.kind}${item.message.id}${item.message.mark ?? ""}`;
    case "record":
      return JSON.stringify([item.call?.id, item.result?.id, item.cards.map((card) => [card.id, card.state, card.message])]);
    case "waiting":
      return `waiting${item.item.refused ?? ""}`;
    case "live":
      return `live${item.text.length}`;
    default:
      return item.kind;
  }
}

/** @param {Item} item @returns {HTMLElement} */
export function entry(item) {
  const element = made(item);
  stamps.set(element, stamp(item));
  return element;
}

/**
 * The element brought up to date: itself, or another in its place.
 * @param {HTMLElement} element
 * @param {Item} item
 */
export function refresh(element, item) {
  const its = stamp(item);
  if (stamps.get(element) === its) return element;
  if (item.kind === "live") {
    speaks(element, item.text);
    stamps.set(element, its);
    return element;
  }
  return entry(item);
}

/** @param {Item} item @returns {HTMLElement} */
function made(item) {
  switch (item.kind) {
    case "day":
      return h("h2", { class: "day" }, day(item.at));
    case "said":
      return person(item.message.text, item.message.created_at_ms, null);
    case "waiting":
      return person(item.item.body.text, item.item.at, item.item);
    case "reply":
      return reply(item.message);
    case "record":
      return record(item);
    case "live": {
      const element = h("article", { class: "reply live", "aria-live": "off", "aria-busy": "true" });
      speaks(element, item.text);
      return element;
    }
    case "thinking":
      return h("p", { class: "thinking", role: "img", "aria-label": say("thinking", { name: companion.name }) }, h("span"), h("span"), h("span"));
    case "note":
      return h("p", { class: "note" }, sayOr(`note_${item.code}`, "note_failed"));
  }
}

/**
 * Shows a text that grows: blocks that are written to their end are left alone.
 * @param {HTMLElement} element
 * @param {string} text
 */
function speaks(element, text) {
  const blocks = parse(text);
  const before = written.get(element) ?? [];
  const sources = blocks.map((block) => JSON.stringify(block));
  for (const [at, block] of blocks.entries()) {
    if (before[at] === sources[at]) continue;
    const made = markdown(block);
    const old = element.childNodes[at];
    if (old) old.replaceWith(made);
    else element.append(made);
  }
  while (element.childNodes.length > blocks.length) element.lastChild?.remove();
  written.set(element, sources);
}

/**
 * @param {string} text
 * @param {number} at
 * @param {import("../wire/outbox.js").Item | null} waiting
 */
function person(text, at, waiting) {
  const said = h("article", { class: waiting ? "said waiting" : "said" }, h("p", { class: "words", dir: "auto" }, text));
  if (waiting?.refused) {
    said.classList.add("refused");
    said.append(
      h(
        "p",
        { class: "under" },
        icon("warn"),
        h("span", {}, say("not_sent")),
        h("button", { type: "button", class: "plain", onclick: () => house.outbox.retry(waiting.id) }, say("again")),
        h("button", { type: "button", class: "plain", onclick: () => house.outbox.drop(waiting.id) }, say("discard")),
      ),
    );
  } else {
    const state = waiting ? h("span", {}, say("sending")) : h("time", { datetime: new Date(at).toISOString() }, clock(at));
    said.append(h("p", { class: "under" }, state));
  }
  return said;
}

/** @param {import("../types/wire.d.ts").Message} message */
function reply(message) {
  // What the house says of calls begins with their sign: a record, not talk.
  if (message.text.startsWith("📞")) return call(message);
  const body = parse(message.text).map(markdown);
  const under = h("p", { class: "under" }, h("time", { datetime: message.created_at }, clock(message.created_at_ms)));
  if (message.mark) under.append(h("span", { class: "mark" }, say(message.mark === "interrupted" ? "interrupted" : "unfinished")));
  return h("article", { class: message.mark && message.mark !== "interrupted" ? "reply broken" : "reply" }, ...body, under);
}

/** @param {import("../types/wire.d.ts").Message} message */
function call(message) {
  const [first = "", ...rest] = message.text.split("\n");
  const words = rest.join("\n").trim();
  return h(
    "article",
    { class: "record call-record" },
    h("span", { class: "badge" }, icon("call")),
    h(
      "div",
      {},
      h("p", { class: "summary" }, first.replace(/^📞\s*/, "")),
      words ? h("div", { class: "said-then" }, ...parse(words).map(markdown)) : null,
    ),
    h("time", { datetime: message.created_at }, clock(message.created_at_ms)),
  );
}

/** @param {Record} item */
function record(item) {
  const { call, result, cards } = item;
  const lines = cards.length
    ? cards.map((card) => ({ summary: card.summary, action: card.call?.action ?? "", state: String(card.state), message: card.message }))
    : [{ ...asked(call?.text ?? ""), state: result ? "not_sent" : "pending", message: null }];
  const element = h(
    "article",
    { class: "record" },
    ...lines.map((line) =>
      h(
        "div",
        { class: `outcome ${line.state}` },
        h("span", { class: "badge" }, icon(actionIcon(line.action))),
        h(
          "div",
          {},
          h("p", { class: "summary", dir: "auto" }, line.summary || say("record_call")),
          h("p", { class: "state" }, icon(stateIcon(line.state)), h("span", {}, sayOr(`record_${line.state}`, "record_pending"))),
          line.message ? h("p", { class: "message", dir: "auto" }, line.message) : null,
        ),
      ),
    ),
  );
  if (result) {
    element.append(
      h("details", {}, h("summary", {}, say("record_details")), h("p", { class: "as-read", dir: "auto" }, result.text)),
    );
  }
  return element;
}

/**
 * What a call asked for, where no card came of it.
 * @param {string} text
 */
function asked(text) {
  try {
    const call = JSON.parse(text);
    return { summary: String(call.summary ?? call.action ?? ""), action: String(call.action ?? "") };
  } catch {
    return { summary: "", action: "" };
  }
}

/** @param {string} state @returns {import("../lib/dom.js").IconName} */
function stateIcon(state) {
  if (state === "done") return "check";
  if (state === "pending") return "clock";
  if (state === "declined") return "close";
  return "warn";
}

