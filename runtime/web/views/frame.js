/**
 * The frame of everything that is behind the sign-in: chats on the left, the chat in the middle, on `/phone` the phone beside it.
 */

import { fill, h, icon } from "../lib/dom.js";
import { say } from "../lib/words.js";
import { house } from "../state/house.js";
import { renew } from "../wire/push.js";
import { mountCall } from "./call.js";
import "./chats.js";
import "./composer.js";
import "./log.js";

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
  if (path === "/settings") {
    const { settings } = await import("./settings.js");
    await settings(app);
    return;
  }
  if (isPhone) await import("./phone.js");

  const heading = h("h1", { class: "title" });
  const line = h("p", { class: "line", role: "status" });
  const drawer = h("dialog", { class: "drawer", "aria-label": say("chats") });
  const aside = h("aside", { class: "side" });
  const list = document.createElement("handset-chats");
  aside.append(list);
  const menu = h("button", { class: "round menu", type: "button", "aria-label": say("open_chats"), onclick: () => openDrawer() }, icon("menu"));
  const fresh = h("button", { class: "round fresh", type: "button", "aria-label": say("new_chat"), onclick: () => go(null) }, icon("plus"));
  const main = h(
    "main",
    { class: "room" },
    h("header", { class: "head" }, menu, heading, line, fresh),
    document.createElement("handset-log"),
    document.createElement("handset-composer"),
  );
  const parts = [aside, main];
  if (isPhone) parts.push(document.createElement("handset-phone"));
  fill(app, h("div", { class: isPhone ? "frame with-phone" : "frame" }, ...parts), drawer);

  const openDrawer = () => {
    drawer.append(list);
    drawer.showModal();
  };
  drawer.addEventListener("close", () => aside.append(list));
  drawer.addEventListener("click", (event) => event.target === drawer && drawer.close());

  /** @param {string | null} chat */
  function go(chat) {
    const address = chat ? `${path}?chat=${encodeURIComponent(chat)}` : path;
    if (address !== location.pathname + location.search) history.pushState(null, "", address);
    if (drawer.open) drawer.close();
    void house.open(chat);
    if (!matchMedia("(pointer: coarse)").matches) document.querySelector("textarea")?.focus();
  }
  app.addEventListener("handset-open", (event) => go(/** @type {CustomEvent} */ (event).detail));
  addEventListener("popstate", () => void house.open(new URLSearchParams(location.search).get("chat")));

  const titled = () => {
    const chat = house.chats.find((chat) => chat.id === house.thread?.chat);
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

  const begun = house.begin(isPhone);
  if (query.get("dnd") === "toggle") {
    // The home screen's shortcut.
    history.replaceState(null, "", path);
    void begun.then(() => house.setDnd(!house.dnd)).catch(() => {});
  }
  const wanted = query.get("chat");
  if (wanted) await house.open(wanted);
  titled();
  await begun;
  if (!wanted && !house.thread && house.chats[0] && !query.has("new")) {
    // The chat that was spoken in last.
    const latest = [...house.chats].sort((a, b) => (b.last?.at_ms ?? b.created_at_ms) - (a.last?.at_ms ?? a.created_at_ms))[0];
    if (latest) await house.open(latest.id);
  }
  titled();
}
