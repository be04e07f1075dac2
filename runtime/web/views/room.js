/**
 * A view beside the chats: its head, its sheets, and the chats in the aside or behind the menu.
 */

import { fill, h, icon } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { house } from "../state/house.js";
import "./chats.js";

/**
 * @param {HTMLElement} app
 * @param {string} title
 * @param {string} name a class of its own
 * @returns {HTMLElement} where the sheets go
 */
export function room(app, title, name) {
  document.title = `${title} · Handset`;
  const main = h("main", { class: `room sheets-room ${name}` });
  const aside = h("aside", { class: "side" });
  const list = document.createElement("handset-chats");
  aside.append(list);
  const drawer = h("dialog", { class: "drawer", "aria-label": say("chats") });
  const menu = h("button", { class: "round menu", type: "button", "aria-label": say("open_chats") }, icon("menu"));
  menu.addEventListener("click", () => {
    drawer.append(list);
    drawer.showModal();
  });
  drawer.addEventListener("close", () => aside.append(list));
  drawer.addEventListener("click", (event) => event.target === drawer && drawer.close());
  app.addEventListener("handset-open", (event) => {
    const chat = /** @type {CustomEvent} */ (event).detail;
    location.assign(chat ? `/?chat=${encodeURIComponent(chat)}` : "/?new");
  });
  const body = h("div", { class: "sheets" });
  fill(main, h("header", { class: "head" }, menu, h("h1", { class: "title" }, title)), h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": title }, body));
  fill(app, h("div", { class: "frame" }, aside, main), drawer);
  void house.begin(false);
  return body;
}
