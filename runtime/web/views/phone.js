/**
 * The phone: the cards that wait, and what a phone has beside them.
 */

import { fill, h, icon } from "../lib/dom.js";
import { clock, countdown, now } from "../lib/time.js";
import { say } from "../lib/words.js";
import { carryOut } from "../phone/actions.js";
import { beginClocks, onClocks, quiet, removeClock, running } from "../phone/clock.js";
import { command, onPlayer, player } from "../phone/player.js";
import { house } from "../state/house.js";
import { phoneId } from "../wire/session.js";
import { cardElement } from "./card.js";

/** How long a card shows what became of it, in milliseconds. */
const SHOWN = 12_000;

/** @typedef {import("../types/wire.d.ts").Card} Card */

class Phone extends HTMLElement {
  #cards = h("div", { class: "cards" });
  #clocks = h("div", { class: "clocks" });
  #player = h("div", { class: "player" });
  #told = h("p", { class: "unseen", role: "status", "aria-live": "assertive" });
  /** @type {Map<string, { state: string, element: HTMLElement }>} */
  #shown = new Map();
  /** Cards whose action is under way. @type {Set<string>} */
  #doing = new Set();
  #time = h("span", { class: "clock" });

  connectedCallback() {
    this.classList.add("phone");
    fill(
      this,
      h(
        "section",
        { class: "screen", "aria-label": say("phone") },
        h("header", { class: "bar" }, h("h1", { class: "only" }, say("phone")), this.#time, h("span", { class: "device" }, phoneId())),
        h("div", { class: "inside" }, this.#cards, this.#clocks, this.#player),
        this.#told,
      ),
    );
    house.on("cards", () => this.#show());
    onClocks(() => this.#showClocks());
    onPlayer(() => this.#showPlayer());
    beginClocks();
    setInterval(() => this.#tick(), 1000);
    this.#tick();
    this.#show();
    this.#showPlayer();
  }

  #tick() {
    this.#time.textContent = clock(Date.now());
    for (const card of house.cards.values()) {
      // The server says so as well; until it does, nobody presses what does not count any more.
      if (card.state === "pending" && now() > card.deadline_ms) {
        house.cards.set(card.id, { ...card, state: "no_answer" });
        this.#show();
      }
    }
    for (const element of this.#clocks.querySelectorAll("[data-at]")) {
      element.textContent = countdown(Number(/** @type {HTMLElement} */ (element).dataset["at"]) - Date.now());
    }
  }

  #show() {
    const cards = [...house.cards.values()].sort((a, b) => a.created_at_ms - b.created_at_ms);
    this.classList.toggle("asks", cards.length > 0);
    for (const [id, { element }] of this.#shown) {
      if (!house.cards.has(id)) {
        element.remove();
        this.#shown.delete(id);
      }
    }
    if (cards.length === 0) {
      fill(this.#cards, h("div", { class: "nothing" }, icon("phone"), h("p", {}, say("phone_nothing")), h("p", { class: "hint" }, say("phone_hint"))));
      return;
    }
    this.#cards.querySelector(".nothing")?.remove();
    for (const card of cards) {
      const before = this.#shown.get(card.id);
      if (before?.state === card.state) continue;
      const element = cardElement(card, {
        yes: () => void this.#yes(card),
        no: () => house.answer(card, "declined"),
        away: () => house.dismiss(card.id),
      });
      if (before) {
        const focused = before.element.contains(document.activeElement);
        before.element.replaceWith(element);
        if (focused) {
          element.tabIndex = -1;
          element.focus();
        }
      } else {
        this.#cards.append(element);
        if (card.state === "pending") this.#told.textContent = say("card_came", { summary: card.summary });
      }
      this.#shown.set(card.id, { state: card.state, element });
      if (card.state !== "pending" && card.state !== "sending") setTimeout(() => house.dismiss(card.id), SHOWN);
    }
  }

  /** @param {Card} card */
  async #yes(card) {
    if (this.#doing.has(card.id)) return;
    this.#doing.add(card.id);
    try {
      if (!card.call) return house.answer(card, "failed", say("phone_cannot"));
      const { status, message } = await carryOut(card.call);
      house.answer(card, status, message);
    } finally {
      this.#doing.delete(card.id);
    }
  }

  #showClocks() {
    fill(
      this.#clocks,
      ...running().map((one) =>
        h(
          "article",
          { class: one.rings ? "widget rings" : "widget" },
          icon("clock"),
          h("p", { dir: "auto" }, one.label),
          one.rings
            ? h("strong", {}, say("clock_rings"))
            : one.kind === "timer"
              ? h("strong", { "data-at": one.at, role: "timer", "aria-live": "off" }, countdown(one.at - Date.now()))
              : h("strong", {}, one.time ?? clock(one.at)),
          h(
            "button",
            { type: "button", class: "round small", "aria-label": say(one.rings ? "clock_quiet" : "clock_remove", { label: one.label }), onclick: () => (one.rings ? quiet(one.id) : removeClock(one.id)) },
            icon(one.rings ? "check" : "close"),
          ),
        ),
      ),
    );
  }

  #showPlayer() {
    const { playing, piece } = player();
    if (!playing) return fill(this.#player);
    fill(
      this.#player,
      h(
        "article",
        { class: "widget" },
        icon("play"),
        h("p", {}, say("player_plays", { piece })),
        h("button", { type: "button", class: "round small", "aria-label": say("stop"), onclick: () => command("stop") }, icon("stop")),
      ),
    );
  }
}

customElements.define("handset-phone", Phone);
