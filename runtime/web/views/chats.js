/**
 * The chats, and the ways to everything else.
 */

import { fill, h, icon } from "../lib/dom.js";
import { brief } from "../lib/time.js";
import { say } from "../lib/words.js";
import { house } from "../state/house.js";
import { session } from "../wire/session.js";
import { confirm } from "./confirm.js";

class Chats extends HTMLElement {
  #made = false;
  #list = h("ul", { class: "chats" });
  #dnd = h("button", { class: "quiet-switch", type: "button", "aria-pressed": "false" });
  #count = 0;

  connectedCallback() {
    if (this.#made) return;
    this.#made = true;
    const at = location.pathname;
    const link = (/** @type {string} */ to, /** @type {import("../lib/dom.js").IconName} */ drawn, /** @type {string} */ words) =>
      h("a", { href: to, "aria-current": at === to ? "page" : null }, icon(drawn), h("span", {}, words));
    this.#dnd.addEventListener("click", () => void house.setDnd(!house.dnd).catch(() => {}));
    fill(
      this,
      h(
        "header",
        { class: "brand" },
        h("img", { src: "/page/icons/icon.svg", alt: "", width: 34, height: 34 }),
        h("span", { class: "wordmark" }, "Handset"),
      ),
      h("button", { class: "primary wide-button", type: "button", onclick: () => this.#open(null) }, icon("plus"), say("new_chat")),
      h("nav", { "aria-label": say("chats") }, this.#list),
      h(
        "footer",
        { class: "ways" },
        this.#dnd,
        h(
          "nav",
          { "aria-label": say("ways") },
          link("/", "words", say("way_chat")),
          link("/phone", "phone", say("way_phone")),
          link("/settings", "settings", say("way_settings")),
        ),
        h(
          "button",
          { type: "button", class: "plain leave", onclick: () => void this.#leave() },
          icon("leave"),
          h("span", {}, say("sign_out")),
          h("span", { class: "who" }, session()?.person.name ?? ""),
        ),
      ),
    );
    for (const topic of /** @type {const} */ (["chats", "thread", "outbox"])) house.on(topic, () => this.#show());
    house.on("flags", () => this.#flag());
    this.#show();
    this.#flag();
  }

  #flag() {
    this.#dnd.setAttribute("aria-pressed", String(house.dnd));
    fill(this.#dnd, icon("moon"), h("span", {}, say("dnd")), h("span", { class: "state" }, say(house.dnd ? "on" : "off")));
  }

  #show() {
    const newest = (/** @type {import("../state/house.js").Chat} */ chat) => chat.last?.at_ms ?? chat.created_at_ms;
    const chats = house.listed().sort((a, b) => newest(b) - newest(a));
    this.#count = chats.length;
    if (this.#count === 0) {
      fill(this.#list, h("li", { class: "none" }, say("no_chats")));
      return;
    }
    const path = location.pathname;
    fill(
      this.#list,
      ...chats.map((chat) => {
        const current = house.thread?.chat === chat.id;
        const name = chat.title ?? chat.opening ?? say("empty_chat");
        return h(
          "li",
          { class: current ? "current" : null },
          h(
            "a",
            {
              href: `${path}?chat=${encodeURIComponent(chat.id)}`,
              "aria-current": current ? "page" : null,
              onclick: (/** @type {MouseEvent} */ event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                this.#open(chat.id);
              },
            },
            h("span", { class: "name", dir: "auto" }, name),
            h("time", {}, brief(newest(chat))),
            h("span", { class: "last", dir: "auto" }, plain(chat.last?.text ?? "")),
          ),
          h("button", { class: "round small", type: "button", "aria-label": say("delete_chat", { name }), onclick: () => void this.#remove(chat.id, name) }, icon("trash")),
        );
      }),
    );
  }

  /** @param {string | null} chat */
  #open(chat) {
    this.dispatchEvent(new CustomEvent("handset-open", { bubbles: true, detail: chat }));
  }

  /** @param {string} id @param {string} name */
  async #remove(id, name) {
    if (await confirm(say("delete_chat_ask", { name }), say("delete_it"))) {
      await house.remove(id).catch(() => {});
      if (!house.thread) this.#open(null);
    }
  }

  async #leave() {
    if (await confirm(say("sign_out_ask"), say("sign_out"))) await house.signOut(true);
  }
}

/** A line of a text: without the signs of its markup. @param {string} text */
function plain(text) {
  return text.replace(/^📞\s*/, "").replace(/[*_`#>~]+/g, "").replace(/\s+/g, " ").trim();
}

customElements.define("handset-chats", Chats);
