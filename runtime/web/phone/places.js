/**
 * Places and ways to them, as maps take them: Apple's by its own address, elsewhere the one that map apps and browsers share.
 */

import { isApple } from "./links.js";

/** @typedef {import("../types/wire.d.ts").Place} Place */

/** @param {Place | undefined} place */
export function words(place) {
  if (!place) return "";
  if (typeof place.lat === "number" && typeof place.lon === "number") return `${place.lat},${place.lon}`;
  return place.query ?? place.name ?? "";
}

/**
 * A route.
 * @param {Place | undefined} destination
 * @param {Place[]} stops
 * @param {string | undefined} mode
 */
export function navigation(destination, stops, mode) {
  if (isApple()) {
    const flag = { drive: "d", walk: "w", bicycle: "c", transit: "r" }[mode ?? ""];
    const query = new URLSearchParams();
    // Stops come one after another, the destination last.
    for (const place of [...stops, destination]) query.append("daddr", words(place));
    if (flag) query.set("dirflg", flag);
    return `https://maps.apple.com/?${query}`;
  }
  const query = new URLSearchParams({ api: "1", destination: words(destination), dir_action: "navigate" });
  if (stops.length) query.set("waypoints", stops.map(words).join("|"));
  const travel = { drive: "driving", walk: "walking", bicycle: "bicycling", transit: "transit" }[mode ?? ""];
  if (travel) query.set("travelmode", travel);
  return `https://www.google.com/maps/dir/?${query}`;
}

/** @param {string} query */
export function search(query) {
  if (isApple()) return `https://maps.apple.com/?${new URLSearchParams({ q: query })}`;
  return `https://www.google.com/maps/search/?${new URLSearchParams({ api: "1", query })}`;
}
