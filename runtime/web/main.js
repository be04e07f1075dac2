/**
 * The page's beginning: its words, its worker, and the view that its address names.
 */

import { preferred, say, speak } from "./lib/words.js";
import { fill, h } from "./lib/dom.js";
import { session } from "./wire/session.js";

/** How long the page has been there before the views are kept that nobody opened, in milliseconds. */
const SETTLED = 4000;

/** The addresses that are something. */
const VIEWS = ["/", "/sign-in", "/phone", "/settings", "/rings", "/lab", "/page/index.html"];

const app = /** @type {HTMLElement} */ (document.getElementById("app"));

/** The worker's address is the one that may become a script; the browser holds the page to it. */
function register() {
  if (!("serviceWorker" in navigator)) return;
  const rules = {
    createScriptURL: (/** @type {string} */ url) => {
      if (url !== "/sw.js") throw new TypeError(url);
      return url;
    },
  };
  const address = window.trustedTypes?.createPolicy("handset", rules).createScriptURL("/sw.js") ?? "/sw.js";
  navigator.serviceWorker
    .register(/** @type {string} */ (address), { updateViaCache: "none" })
    .then((registration) => {
      void registration.update().catch(() => {});
      document.addEventListener("visibilitychange", () => {
        if (document.visibilityState === "visible") void registration.update().catch(() => {});
      });
    })
    .catch(() => {
      // Without a worker the page works while there is a network.
    });
}

/** What no view needed yet is kept once there is nothing else to do; not where whoever pays for the bytes wishes to save them. */
function keepAll() {
  if (/** @type {any} */ (navigator).connection?.saveData) return;
  setTimeout(() => void navigator.serviceWorker?.ready.then((registration) => registration.active?.postMessage({ type: "keep" })), SETTLED);
}

async function begin() {
  await speak(preferred());
  if (!VIEWS.includes(location.pathname)) {
    document.title = say("nowhere");
    return fill(app, h("main", { class: "lost" }, h("h1", {}, say("nowhere")), h("p", {}, h("a", { href: "/" }, say("to_chat")))));
  }
  if (location.pathname === "/sign-in" || !session()) {
    const { signIn } = await import("./views/sign-in.js");
    await signIn(app);
  } else {
    const { frame } = await import("./views/frame.js");
    await frame(app, location.pathname);
  }
}

register();
begin().then(keepAll, async (error) => {
  console.error(error);
  const reached = await fetch("/healthz").then(() => true, () => false);
  const again = h("button", { type: "button", class: "primary", onclick: () => location.reload() }, say("again"));
  const back = location.pathname === "/" ? null : h("a", { href: "/" }, say("to_chat"));
  fill(app, h("main", { class: "lost" }, h("p", { role: "alert" }, say(reached ? "broken" : "broken_away")), h("p", { class: "choices" }, again, back)));
  if (!reached) addEventListener("online", () => location.reload(), { once: true });
});
