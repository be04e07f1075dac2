/**
 * The frame of everything that is behind the sign-in: chats on the left, the chat in the middle, on `/phone` the phone beside it.
 */

import { fill, h, icon, set, styled } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { companion } from "../state/companion.js";
import { house } from "../state/house.js";
import { ringing } from "../state/ringing.js";
import { renew } from "../wire/push.js";
import { mountCall } from "./call.js";
import "./chats.js";
import "./composer.js";
import { face } from "./face.js";
import "./log.js";

/** The views that are no chat, each loaded when it is opened. @type {Record<string, (app: HTMLElement) => Promise<void>>} */
const OTHERS = {
  "/settings": async (app) => (await import("./settings.js")).settings(app),
  "/rings": async (app) => (await import("./rings.js")).rings(app),
  "/lab": async (app) => (await import("./lab.js")).lab(app),
};

/**
 * @param {HTMLElement} app
 * @param {string} path
 */
export async function frame(app, path) {
  const isPhone = path === "/phone";
  const query = new URLSearchParams(location.search);
  house.on("signed_out", () => location.replace("/sign-in"));
  mountCall();
  void renew(false).catch(() => {});
  void companion.begin();
  const other = OTHERS[path];
  if (other) return other(app);
  if (isPhone) await Promise.all([styled("phone"), import("./phone.js")]);

  const heading = h("h1", { class: "title", dir: "auto" });
  const called = h("p", { class: "called" }, companion.name);
  companion.on(() => (called.textContent = companion.name));
  const line = h("p", { class: "line", role: "status" });
  const drawer = h("dialog", { class: "drawer", "aria-label": say("chats") });
  const aside = h("aside", { class: "side" });
  const list = document.createElement("handset-chats");
  aside.append(list);
  const menu = h("button", { class: "round menu", type: "button", "aria-label": say("open_chats"), onclick: () => openDrawer() }, icon("menu"));
  const fresh = h("button", { class: "round fresh", type: "button", "aria-label": say("new_chat"), onclick: () => go(null) }, icon("plus"));
  const room = h(
    isPhone ? "section" : "main",
    { class: "room" },
    h("header", { class: "head" }, menu, face(38), h("div", { class: "titles" }, heading, called), line, fresh),
    document.createElement("handset-log"),
    document.createElement("handset-composer"),
  );
  const phone = isPhone ? document.createElement("handset-phone") : null;
  const pair = phone ? h("main", { class: "pair" }, room, phone) : room;
  const parts = h("div", { class: isPhone ? "frame with-phone" : "frame" }, aside, pair);
  fill(app, parts, drawer);
  if (phone) tabs(pair, room, phone);

  const openDrawer = () => {
    drawer.append(list);
    drawer.showModal();
  };
  drawer.addEventListener("close", () => aside.append(list));
  drawer.addEventListener("click", (event) => event.target === drawer && drawer.close());

  /** @param {string | null} chat @param {boolean} [writes] whether it is opened to be written in */
  function go(chat, writes = true) {
    const address = chat && !chat.startsWith("new:") ? `${path}?chat=${encodeURIComponent(chat)}` : path;
    if (address !== location.pathname + location.search) history.pushState(null, "", address);
    if (drawer.open) drawer.close();
    void house.open(chat);
    if (writes && !matchMedia("(pointer: coarse)").matches) document.querySelector("textarea")?.focus();
  }
  app.addEventListener("handset-open", (event) => go(/** @type {CustomEvent} */ (event).detail));
  addEventListener("popstate", () => void house.open(new URLSearchParams(location.search).get("chat")));

  const titled = () => {
    const chat = house.listed().find((chat) => chat.id === house.thread?.chat);
    const name = chat?.title ?? chat?.opening ?? "";
    heading.textContent = name || say("new_chat");
    const waiting = isPhone ? [...house.cards.values()].filter((card) => card.state === "pending").length : 0;
    document.title = `${waiting ? `(${waiting}) ` : ""}${name || "Handset"}`;
    // A chat that was opened by its first words has its address once the server gave it one.
    const id = house.thread?.chat ?? "";
    if (id && !id.startsWith("new:") && new URLSearchParams(location.search).get("chat") !== id) {
      history.replaceState(null, "", `${path}?chat=${encodeURIComponent(id)}`);
    }
  };
  for (const topic of /** @type {const} */ (["thread", "chats", "cards"])) house.on(topic, titled);
  const lined = () => {
    const away = house.feed.line === "away";
    line.textContent = away ? say("line_away") : "";
    document.documentElement.classList.toggle("away", away);
  };
  house.on("line", lined);

  // Who is called where no chat is open is in the one that the call goes on in: what is written there belongs to it.
  let opened = "";
  ringing.on(() => {
    const { call, chat } = ringing;
    if (!call || !chat || house.thread || opened === call.id + chat) return;
    // Once: it may be gone. Who is on the line keeps the focus.
    opened = call.id + chat;
    go(chat, false);
  });

  const begun = house.begin(isPhone);
  if (query.get("dnd") === "toggle") {
    // The home screen's shortcut.
    history.replaceState(null, "", path);
    void begun.then(() => house.setDnd(!house.dnd)).catch(() => {});
  }
  const wanted = query.get("chat");
  // What was said first in a chat that the server has not heard of yet.
  const unsent = house.listed().findLast((chat) => chat.id.startsWith("new:"));
  if (wanted) await house.open(wanted);
  else if (unsent) await house.open(unsent.id);
  titled();
  await begun;
  if (!wanted && !house.thread && house.chats[0] && !query.has("new")) {
    // The chat that was spoken in last.
    const latest = [...house.chats].sort((a, b) => (b.last?.at_ms ?? b.created_at_ms) - (a.last?.at_ms ?? a.created_at_ms))[0];
    if (latest) await house.open(latest.id);
  }
  titled();
}

/**
 * Where there is no room for both, one of two is shown: the chat, or the phone. A card that comes brings the phone to the front,
 * as it does on a phone; when none waits any more, the chat is back.
 * @param {HTMLElement} pair
 * @param {HTMLElement} room
 * @param {HTMLElement} phone
 */
function tabs(pair, room, phone) {
  room.id = "tab-of-chat";
  phone.id = "tab-of-phone";
  const count = h("span", { class: "count" });
  const made = /** @type {const} */ (["chat", "phone"]).map((name) =>
    h(
      "button",
      { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `tab-of-${name}`, onclick: () => show(name), onkeydown: (/** @type {KeyboardEvent} */ event) => moved(event) },
      icon(name === "chat" ? "words" : "phone"),
      say(`way_${name}`),
      name === "phone" ? count : null,
    ),
  );
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": say("ways") }, ...made);
  pair.append(list);
  const narrow = matchMedia("(width < 820px)");
  /** @param {"chat" | "phone"} name */
  function show(name) {
    pair.dataset["tab"] = name;
    for (const tab of made) {
      const its = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", String(its));
      tab.tabIndex = its ? 0 : -1;
    }
  }
  function moved(/** @type {KeyboardEvent} */ event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = pair.dataset["tab"] === "chat" ? "phone" : "chat";
    show(other);
    made.find((tab) => tab.id === `tab-${other}`)?.focus();
  }
  // Beside each other they are two regions, and no tabs.
  const roles = () => {
    for (const [element, name] of /** @type {const} */ ([[room, "chat"], [phone, "phone"]])) {
      set(element, "role", narrow.matches ? "tabpanel" : null);
      set(element, "aria-labelledby", narrow.matches ? `tab-${name}` : null);
    }
  };
  narrow.addEventListener("change", roles);
  roles();
  show("chat");
  let waited = 0;
  house.on("cards", () => {
    const waiting = [...house.cards.values()].filter((card) => card.state === "pending").length;
    count.textContent = waiting ? String(waiting) : "";
    if (waiting > waited) show("phone");
    else if (waiting === 0 && waited > 0) show("chat");
    waited = waiting;
  });
}
