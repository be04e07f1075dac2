/**
 * Ringing while the page is closed: this device's subscription with its push service, kept at the server.
 */

import { ask, get, post } from "./api.js";

/** What this device needs, before it can be rung. @returns {"no_worker" | "install" | "refused" | "ask" | "ready"} */
export function pushNeeds() {
  const apple = /iPhone|iPad/.test(navigator.userAgent);
  const installed = matchMedia("(display-mode: standalone)").matches || Reflect.get(navigator, "standalone") === true;
  if (apple && !installed) return "install";
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "no_worker";
  if (Notification.permission === "denied") return "refused";
  return Notification.permission === "granted" ? "ready" : "ask";
}

/** Subscribes, within a tap; anew where the server's key is another than the one that this device subscribed with. */
export async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("refused");
  return renew(true);
}

/**
 * Brings the subscription up to date: on each load, since a browser may have changed it.
 * @param {boolean} make whether to make one where there is none
 */
export async function renew(make) {
  if (pushNeeds() !== "ready") return null;
  const registration = await navigator.serviceWorker.ready;
  let own = await registration.pushManager.getSubscription();
  if (!own && !make) return null;
  const { key } = await get("/api/push/key");
  if (own && encoded(own.options.applicationServerKey) !== key) {
    await own.unsubscribe();
    own = null;
  }
  own ??= await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  return ask("PUT", "/api/push/subscription", { ...own.toJSON(), server_key: key });
}

export async function unsubscribe() {
  const registration = await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  await ask("DELETE", "/api/push/subscription");
}

export const testRing = () => post("/api/push/test", {});

/** Base64url without its filling. @param {ArrayBuffer | null} bytes */
function encoded(bytes) {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
