/*
 * The page's worker. It keeps the page's files, so that the page opens without a network; what is anybody's it never keeps.
 * The server writes `PAGE` above this line: the version of the page and the files that it consists of.
 */

"use strict";

const CACHE = `page-${PAGE.version}`;
/** How long the network may take before the kept file is taken, in milliseconds. */
const PATIENCE = 3000;
const SHELL = "/page/index.html";
const VIEWS = ["/", "/sign-in", "/phone", "/settings", "/rings", "/lab"];

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    // What the page begins with; the rest is kept once it was opened, and then over each renewal.
    const wanted = new Set(PAGE.first);
    for (const path of await keptBefore()) if (PAGE.files.includes(path)) wanted.add(path);
    await cache.addAll([...wanted].map((path) => new Request(path, { cache: "no-cache" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("page-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

/** What a worker before this one has kept. */
async function keptBefore() {
  const paths = [];
  for (const name of await caches.keys()) {
    if (!name.startsWith("page-") || name === CACHE) continue;
    for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname);
  }
  return paths;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (VIEWS.includes(url.pathname) && request.mode === "navigate") event.respondWith(fresh(request, SHELL));
  else if (PAGE.files.includes(url.pathname)) event.respondWith(fresh(request, url.pathname));
});

/** The file from the server, or the kept one where the server does not answer. */
async function fresh(request, path) {
  const kept = caches.open(CACHE).then((cache) => cache.match(path));
  const asked = fetch(request).then(async (response) => {
    if (response.ok && !response.redirected) {
      const cache = await caches.open(CACHE);
      await cache.put(path, response.clone());
    }
    return response;
  });
  // What comes too late is kept all the same, and no fault of nobody's.
  asked.catch(() => {});
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const first = await Promise.race([asked.catch(() => null), late.then(() => null)]);
  return first ?? (await kept) ?? asked;
}

/*
 * A push is one buzz of a call that rings. Each one shows something, or the subscription is lost; all that a call showed is closed
 * together, since not every system puts one in the place of the other.
 */

self.addEventListener("push", (event) => {
  event.waitUntil(rang(event.data ? event.data.text() : ""));
});

async function rang(text) {
  const at = Date.now();
  let ring = {};
  try {
    ring = JSON.parse(text);
  } catch {
    // Shown all the same, as what it is: something that rang.
  }
  const [words, companion] = await Promise.all([spoken(), row("companion")]);
  const name = (companion && companion.name) || words.call_from || "";
  const late = typeof ring.expires_at_ms === "number" && at >= ring.expires_at_ms;
  const title = late ? words.push_missed : ring.title || String(words.push_rang || "").replace("{{name}}", name);
  const id = typeof ring.id === "string" ? ring.id : "";
  await self.registration.showNotification(title, {
    body: ring.body || "",
    tag: `call:${id}`,
    renotify: true,
    requireInteraction: !late,
    vibrate: [300, 150, 300],
    icon: (companion && companion.picture) || "/page/icons/icon-192.png",
    badge: "/page/icons/badge-96.png",
    data: { id, rings: !late && ring.kind === "call" },
  });
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const page of pages) page.postMessage({ type: "rang", id });
  if (id) await report([PAGE.version, ring.kind || "call", id, ring.sequence || 0, at].join("|"));
}

/** Tells the server that it has arrived, and when: the only measure of whether the interval works. */
async function report(value) {
  try {
    const token = await row("token");
    if (!token) return;
    const headers = { Authorization: `Bearer ${token}` };
    await fetch(`/api/events?type=swpush&value=${encodeURIComponent(value)}`, { method: "POST", headers });
  } catch {
    // A report that is lost is a point less in a plot.
  }
}

self.addEventListener("notificationclick", (event) => {
  const { id } = event.notification.data || {};
  event.waitUntil((async () => {
    await close(id);
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const page = pages.find((one) => new URL(one.url).pathname !== "/sign-in");
    if (!page) return void (await self.clients.openWindow("/"));
    await page.focus();
    page.postMessage({ type: "rang", id });
  })());
});

self.addEventListener("message", (event) => {
  if (event.data && event.data.type === "hush") event.waitUntil(close(event.data.id));
  if (event.data && event.data.type === "keep") event.waitUntil(keepAll());
});

/** Keeps the views that were not opened yet as well: whoever opens one without a network is not to find it missing. */
async function keepAll() {
  const cache = await caches.open(CACHE);
  for (const path of PAGE.files) {
    // One after another, and each by itself: what does not come now comes with the next page.
    if (!(await cache.match(path))) await cache.add(new Request(path, { cache: "no-cache" })).catch(() => {});
  }
}

/** A subscription that the browser changed by itself: the page brings it up to date when it is opened next. */
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil((async () => {
    const pages = await self.clients.matchAll({ type: "window" });
    for (const page of pages) page.postMessage({ type: "subscription" });
  })());
});

/** Closes what a call showed; without an id, whatever rings. A missed call and a test stay until they are looked at. */
async function close(id) {
  for (const shown of await self.registration.getNotifications()) {
    const its = shown.data || {};
    if (id ? its.id === id : its.rings) shown.close();
  }
}

async function spoken() {
  const language = (await row("language")) === "zh" ? "zh" : "en";
  const kept = await caches.match(`/page/words/${language}.json`);
  const asked = kept || (await fetch(`/page/words/${language}.json`).catch(() => null));
  return asked ? asked.json() : {};
}

/** A row of what the page keeps. */
function row(key) {
  return new Promise((resolve) => {
    const opening = indexedDB.open("handset", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    opening.onerror = () => resolve(undefined);
    opening.onsuccess = () => {
      const asked = opening.result.transaction("kept").objectStore("kept").get(key);
      asked.onsuccess = () => {
        resolve(asked.result);
        opening.result.close();
      };
      asked.onerror = () => resolve(undefined);
    };
  });
}
