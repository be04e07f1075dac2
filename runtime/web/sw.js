/*
 * The page's worker. It keeps the page's files, so that the page opens without a network; what is anybody's it never keeps.
 * The server writes `PAGE` above this line: the version of the page and the files that it consists of.
 */

"use strict";

const CACHE = `page-${PAGE.version}`;
/** How long the network may take before the kept file is taken, in milliseconds. */
const PATIENCE = 3000;
const SHELL = "/page/index.html";
const VIEWS = ["/", "/sign-in", "/phone", "/settings"];

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(PAGE.files.map((path) => new Request(path, { cache: "no-cache" })));
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
