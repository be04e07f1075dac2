/**
 * The page's beginning: its words, its worker, and the view that its address names.
 */

import { preferred, say, speak } from "./lib/words.js";
import { fill, h } from "./lib/dom.js";
import { session } from "./wire/session.js";

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

async function begin() {
  await speak(preferred());
  if (location.pathname === "/sign-in" || !session()) {
    const { signIn } = await import("./views/sign-in.js");
    await signIn(app);
  } else {
    const { frame } = await import("./views/frame.js");
    await frame(app, location.pathname);
  }
}

register();
begin().catch((error) => {
  console.error(error);
  fill(app, h("p", { class: "lost", role: "alert" }, say("broken")));
});
