/**
 * What was said. Holds elements for the window of the thread alone, and moves the window as it is scrolled.
 */

import { fill, h, icon } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { house } from "../state/house.js";
import { entry, refresh } from "./entry.js";

/** How near the end counts as being there, in pixels. */
const AT_END = 80;
/** From how near the window's edge it is moved on. */
const NEAR = 600;

class Log extends HTMLElement {
  #list = h("div", { class: "entries", role: "log", "aria-label": say("conversation"), "aria-relevant": "additions" });
  #scroll = h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": say("conversation") });
  /** How high it was when it was scrolled last. */
  #height = 0;
  #down = h("button", { class: "round down", type: "button", "aria-label": say("to_newest"), hidden: true }, icon("down"));
  /** @type {Map<string, HTMLElement>} */
  #shown = new Map();
  /** @type {string | null} */
  #chat = null;
  #drawn = 0;
  #moving = false;
  #follows = true;
  #top = 0;

  connectedCallback() {
    this.#scroll.append(this.#list);
    fill(this, this.#scroll, this.#down);
    this.#down.addEventListener("click", () => void this.#newest());
    this.#scroll.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    for (const topic of /** @type {const} */ (["thread", "outbox", "cards"])) house.on(topic, () => this.#soon());
    // Who says something is where it is said, wherever they were reading.
    house.on("said", () => (this.#follows = true));
    new ResizeObserver(() => this.#follows && this.#shown.size > 0 && this.#toEnd()).observe(this.#scroll);
    this.#draw();
  }

  #soon() {
    this.#drawn ||= requestAnimationFrame(() => {
      this.#drawn = 0;
      this.#draw();
    });
  }

  #draw() {
    const thread = house.thread;
    const chat = thread?.chat ?? null;
    if (chat !== this.#chat) {
      // One that has just got its id is the same.
      if (!(this.#chat?.startsWith("new:") && thread?.messages.length === 0 && chat !== null)) {
        this.#list.replaceChildren();
        this.#shown.clear();
      }
      this.#chat = chat;
      this.#follows = true;
    }
    const items = thread ? thread.items(house.outbox.waiting()) : [];
    if (items.length === 0) {
      this.#shown.clear();
      fill(this.#list, thread && !thread.loaded ? null : welcome());
      return;
    }
    if (this.#shown.size === 0) this.#list.replaceChildren();
    const anchor = this.#follows ? null : this.#anchor();
    const keys = new Set(items.map((item) => item.key));
    for (const [key, element] of this.#shown) {
      if (!keys.has(key)) {
        element.remove();
        this.#shown.delete(key);
      }
    }
    /** @type {Element | null} */
    let before = null;
    for (const item of items) {
      let element = this.#shown.get(item.key);
      if (element) {
        const renewed = refresh(element, item);
        if (renewed !== element) {
          element.replaceWith(renewed);
          element = renewed;
        }
      } else {
        element = entry(item);
      }
      this.#shown.set(item.key, element);
      /** @type {Element | null} */
      const place = before ? before.nextElementSibling : this.#list.firstElementChild;
      if (place !== element) this.#list.insertBefore(element, place);
      before = element;
    }
    if (this.#follows) this.#toEnd();
    else if (anchor) this.#scroll.scrollTop += anchor.element.getBoundingClientRect().top - anchor.top;
    this.#down.hidden = this.#follows && !thread?.newer;
  }

  /** The first element in sight: it is to stay where it is while others come and go above it. */
  #anchor() {
    const top = this.#scroll.getBoundingClientRect().top;
    for (const element of this.#shown.values()) {
      const its = element.getBoundingClientRect();
      if (its.bottom > top) return { element, top: its.top };
    }
    return null;
  }

  #toEnd() {
    this.#scroll.scrollTop = this.#scroll.scrollHeight;
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroll;
    const grown = clientHeight !== this.#height;
    this.#height = clientHeight;
    const below = scrollHeight - scrollTop - clientHeight;
    const thread = house.thread;
    // Only a person leaves the end, and upwards; what grows or shrinks around it does not.
    if (below < AT_END && !thread?.newer) this.#follows = true;
    else if ((scrollTop < this.#top && !grown) || thread?.newer) this.#follows = false;
    this.#top = scrollTop;
    this.#down.hidden = this.#follows;
    if (this.#moving || !thread) return;
    const move = scrollTop < NEAR && thread.older ? house.older() : below < NEAR && thread.newer ? house.newer() : null;
    if (!move) return;
    this.#moving = true;
    void move
      .catch(() => {})
      .finally(() => {
        // Drawn first, so that the place is measured in the new window.
        requestAnimationFrame(() => {
          this.#moving = false;
          // It may have been scrolled on meanwhile.
          this.#scrolled();
        });
      });
  }

  async #newest() {
    this.#follows = true;
    if (house.thread?.newer) await house.newest().catch(() => {});
    this.#draw();
    this.#toEnd();
  }
}

function welcome() {
  const isPhone = house.isPhone;
  // What needs a phone is tried where there is one.
  const tries = isPhone ? /** @type {const} */ (["try_alarm", "try_hello", "try_timer"]) : /** @type {const} */ (["try_hello", "try_story"]);
  return h(
    "section",
    { class: "welcome" },
    h("h2", {}, say("welcome")),
    h("p", {}, say(isPhone ? "welcome_phone" : "welcome_chat")),
    h(
      "ul",
      { class: "tries" },
      ...tries.map((key) => h("li", {}, h("button", { type: "button", class: "chip", onclick: () => house.say(say(key)) }, say(key)))),
      isPhone ? null : h("li", {}, h("button", { type: "button", class: "chip", onclick: () => location.assign("/phone?new") }, icon("phone"), say("try_phone"))),
    ),
  );
}

customElements.define("handset-log", Log);
