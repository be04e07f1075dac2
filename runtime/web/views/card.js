/**
 * A card: one thing that the companion proposes, and the person's yes or no.
 */

import { h, icon, ring, turn } from "../lib/dom.js";
import { countdown, now } from "../lib/time.js";
import { language, say, sayOr } from "../lib/words.js";
import { words } from "../phone/places.js";
import { actionIcon } from "./action.js";

/** @typedef {import("../types/wire.d.ts").Card} Card */

/** The fields whose values are words of the spec's. */
const ENUMS = ["mode", "near", "command", "panel"];

/** A value as a person reads it. @param {string} field @param {any} value */
function shown(field, value) {
  const locale = language() === "zh" ? "zh-CN" : "en";
  if (field === "days" && Array.isArray(value)) {
    const all = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    // The first of January 2024 was a Monday.
    const name = (/** @type {string} */ key) =>
      new Intl.DateTimeFormat(locale, { weekday: "short" }).format(new Date(2024, 0, 1 + all.indexOf(key)));
    return value.map(name).join(language() === "zh" ? "、" : ", ");
  }
  if (field === "seconds") return countdown(Number(value) * 1000);
  if (field === "start" || field === "end") {
    const date = new Date(String(value).includes("T") ? String(value) : `${value}T00:00`);
    if (Number.isNaN(date.getTime())) return String(value);
    /** @type {Intl.DateTimeFormatOptions} */
    const shape = { weekday: "short", day: "numeric", month: "long", year: "numeric" };
    if (String(value).includes("T")) Object.assign(shape, { hour: "numeric", minute: "2-digit" });
    return new Intl.DateTimeFormat(locale, shape).format(date);
  }
  if (typeof value === "boolean") return say(value ? "on" : "off");
  if (Array.isArray(value)) return value.map((one) => (typeof one === "object" ? words(one) : String(one))).join("\n");
  if (value && typeof value === "object") {
    const place = words(value);
    return place || Object.entries(value).map(([key, one]) => `${key}: ${one}`).join("\n");
  }
  if (ENUMS.includes(field)) return sayOr(`value_${value}`, "field_other", { name: String(value) });
  return String(value);
}

/**
 * @param {Card} card
 * @param {{ yes: () => void, no: () => void, away: () => void }} on
 */
export function cardElement(card, on) {
  const { call } = card;
  const action = call?.action ?? "";
  const fields = Object.entries(call ?? {}).filter(([field]) => field !== "action" && field !== "summary");
  const id = `card-${card.id}`;
  const head = h(
    "header",
    {},
    h("span", { class: "badge" }, icon(actionIcon(action))),
    h("p", { class: "kind" }, sayOr(`action_${action}`, "action_other")),
    h("p", { class: "left" }),
  );
  const element = h(
    "article",
    { class: `card ${card.state}`, "aria-labelledby": id, "data-card": card.id },
    head,
    h("h2", { id, dir: "auto" }, card.summary),
    fields.length
      ? h(
          "dl",
          {},
          ...fields.map(([field, value]) => h("div", {}, h("dt", {}, sayOr(`field_${field}`, "field_other", { name: field })), h("dd", { dir: "auto" }, shown(field, value)))),
        )
      : null,
  );
  if (card.state === "pending") {
    head.lastElementChild?.replaceWith(left(card));
    element.append(
      h(
        "div",
        { class: "answers" },
        h("button", { type: "button", class: "no", onclick: on.no }, say("card_no")),
        h("button", { type: "button", class: "primary yes", onclick: on.yes }, say("card_yes")),
      ),
    );
  } else {
    element.append(
      h(
        "p",
        { class: "state", role: "status" },
        icon(card.state === "done" ? "check" : card.state === "sending" ? "clock" : card.state === "declined" ? "close" : "warn"),
        h("span", {}, sayOr(`card_${card.state}`, "card_closed")),
        card.message ? h("span", { class: "message" }, card.message) : null,
      ),
    );
    if (card.state !== "sending") {
      head.append(h("button", { type: "button", class: "round small", "aria-label": say("dismiss"), onclick: on.away }, icon("close")));
    }
  }
  return element;
}

/** How much time is left. @param {Card} card */
function left(card) {
  const whole = card.deadline_ms - card.created_at_ms;
  const drawn = ring(1);
  const text = h("span", {});
  const element = h("p", { class: "left", role: "timer", "aria-live": "off" }, drawn, text);
  const tick = () => {
    const rest = card.deadline_ms - now();
    turn(drawn, rest / whole);
    text.textContent = countdown(rest);
    element.classList.toggle("soon", rest < 15_000);
  };
  tick();
  const timer = setInterval(() => (element.isConnected ? tick() : clearInterval(timer)), 500);
  return element;
}
