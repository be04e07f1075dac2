/**
 * Where a person writes.
 */

import { fill, h, icon } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { house } from "../state/house.js";

const DRAFT = "handset.draft";

class Composer extends HTMLElement {
  #text = h("textarea", { rows: 1, dir: "auto", maxlength: 60_000, "aria-label": say("message"), placeholder: say("message_hint"), enterkeyhint: "send" });
  #button = h("button", { class: "round send", type: "submit" });
  #stops = false;

  connectedCallback() {
    this.#text.value = localStorage.getItem(DRAFT) ?? "";
    this.#text.addEventListener("input", () => this.#changed());
    this.#text.addEventListener("keydown", (event) => {
      // While a word is being composed, Enter belongs to it. A keyboard on glass has no other key for a new line.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      if (matchMedia("(pointer: coarse)").matches) return;
      event.preventDefault();
      this.#send();
    });
    fill(
      this,
      h(
        "form",
        {
          class: "composer",
          onsubmit: (/** @type {SubmitEvent} */ event) => {
            event.preventDefault();
            if (this.#stops) void house.hush().catch(() => {});
            else this.#send();
          },
        },
        this.#text,
        this.#button,
      ),
    );
    house.on("thread", () => this.#look());
    addEventListener("resize", () => this.#size());
    this.#changed();
    if (!matchMedia("(pointer: coarse)").matches) this.#text.focus();
  }

  #send() {
    const text = this.#text.value.trim();
    if (!text) return;
    house.say(text);
    this.#text.value = "";
    this.#changed();
    this.#text.focus();
  }

  #changed() {
    if (this.#text.value) localStorage.setItem(DRAFT, this.#text.value);
    else localStorage.removeItem(DRAFT);
    this.#size();
    this.#look();
  }

  #size() {
    // Within one step, so that nobody sees it small: the conversation above it would be moved.
    this.style.minHeight = `${this.getBoundingClientRect().height}px`;
    this.#text.style.height = "auto";
    this.#text.style.height = `${Math.min(this.#text.scrollHeight + 2, innerHeight * 0.4)}px`;
    this.style.minHeight = "";
  }

  #look() {
    const stops = this.#text.value.trim() === "" && (house.thread?.speaking ?? false);
    if (stops === this.#stops && this.#button.firstChild) return;
    this.#stops = stops;
    this.#button.setAttribute("aria-label", say(stops ? "stop" : "send"));
    this.#button.classList.toggle("stops", stops);
    fill(this.#button, icon(stops ? "stop" : "send"));
  }
}

customElements.define("handset-composer", Composer);
