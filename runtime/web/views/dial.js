/**
 * Hours of a day as a dial: midnight above, noon below, the hours between two times filled.
 */

import { say } from "../lib/words.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} tag @param {Record<string, string | number>} attributes */
function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** @param {string} time `HH:MM` */
function minutes(time) {
  const [hours, rest] = time.split(":").map(Number);
  return ((hours ?? 0) * 60 + (rest ?? 0)) % 1440;
}

/** @param {number} minute @param {number} radius */
function point(minute, radius) {
  const angle = (minute / 1440) * 2 * Math.PI;
  return [100 + radius * Math.sin(angle), 100 - radius * Math.cos(angle)].map((number) => number.toFixed(2));
}

export function dial() {
  const element = svg("svg", { viewBox: "0 0 200 200", class: "dial", role: "img" });
  const title = svg("title", {});
  const arc = svg("path", { class: "hours" });
  element.append(title, svg("circle", { cx: 100, cy: 100, r: 78, class: "night" }), arc);
  for (let hour = 0; hour < 24; hour += 1) {
    const [x1, y1] = point(hour * 60, hour % 6 === 0 ? 60 : 64);
    const [x2, y2] = point(hour * 60, 68);
    element.append(svg("line", { x1: x1 ?? 0, y1: y1 ?? 0, x2: x2 ?? 0, y2: y2 ?? 0, class: "tick" }));
    if (hour % 6 === 0) {
      const [x, y] = point(hour * 60, 48);
      const text = svg("text", { x: x ?? 0, y: y ?? 0, "text-anchor": "middle", "dominant-baseline": "central" });
      text.textContent = String(hour);
      element.append(text);
    }
  }
  return {
    element: /** @type {Node} */ (element),
    /** @param {string} from @param {string} until */
    show(from, until) {
      const [start, end] = [minutes(from), minutes(until)];
      // A window whose start is behind its end goes over midnight; one that begins where it ends is the whole day.
      const length = (end - start + 1440) % 1440 || 1440;
      title.textContent = say("dial_hours", { start: from, end: until });
      const [x1, y1] = point(start, 78);
      const [x2, y2] = point(start + (length === 1440 ? 1439.9 : length), 78);
      arc.setAttribute("d", `M${x1} ${y1}A78 78 0 ${length > 720 ? 1 : 0} 1 ${x2} ${y2}`);
    },
  };
}
