/**
 * Elements without markup: nothing that was said ever becomes HTML.
 */

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Makes an element. Keys that begin with `on` are listeners, `class` and `data-…`/`aria-…` attributes; `true` sets an attribute
 * without a value, `null`, `undefined` and `false` leave it out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {any} value
 */
export function set(element, name, value) {
  if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value);
  else if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/**
 * @param {Element | DocumentFragment} parent
 * @param {(Child | Child[])[]} children
 */
export function append(parent, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) parent.append(child);
  }
}

/**
 * Puts these children in the place of what is there.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

const SVG = "http://www.w3.org/2000/svg";

/** Drawn on a square of 24: strokes alone, so that they take the colour of the words beside them. */
const DRAWN = {
  menu: "M4 7h16M4 12h16M4 17h10",
  plus: "M12 5v14M5 12h14",
  send: "M5 12h13M12 5l7 7-7 7",
  stop: "M7 7h10v10H7z",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  phone: "M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2",
  call: "M6.5 3.5l3 .5 1.5 4-2 1.8a12 12 0 0 0 5.2 5.2l1.8-2 4 1.5.5 3c.1 1.4-1 2.5-2.5 2.5C10.500 20 4 13.500 4 6c0-1.500 1.100-2.600 2.500-2.500z",
  hangup: "M2.500 13.500c5.300-5.300 13.700-5.300 19 0 .7.8.6 1.900-.2 2.500l-2.300 1.700c-.8.5-1.800.3-2.300-.5l-1-2.200c-2.400-.8-5-.8-7.400 0l-1 2.200c-.5.8-1.500 1-2.300.5L2.700 16c-.8-.6-.9-1.700-.2-2.500z",
  microphone: "M12 4a2.800 2.800 0 0 0-2.800 2.800v5a2.800 2.800 0 0 0 5.600 0v-5A2.800 2.800 0 0 0 12 4zM6.500 11.500a5.500 5.500 0 0 0 11 0M12 17v3",
  mute: "M9.200 9.200v2.600a2.800 2.800 0 0 0 4.600 2.100M14.800 10.500V6.800a2.800 2.800 0 0 0-5.400-1M6.500 11.500a5.500 5.500 0 0 0 9 4.200M17.500 11.500c0 .9-.2 1.700-.6 2.500M12 17v3M4.500 4.500l15 15",
  settings: "M5 7h8M17 7h2M5 17h2M11 17h8M15 4.800v4.400M9 14.800v4.400",
  leave: "M14 5H7a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h7M10 12h10M17 9l3 3-3 3",
  down: "M12 5v13M6 12l6 6 6-6",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.500l3 1.500",
  moon: "M19 14.500A7.500 7.500 0 0 1 9.500 5a7.500 7.500 0 1 0 9.500 9.500z",
  warn: "M12 4l9 16H3zM12 10v4M12 17v.5",
  dots: "M6 12h.01M12 12h.01M18 12h.01",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l1.500 2h-15zM10 20.500h4",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 2.500 3 15 0 18M12 3c-3 2.500-3 15 0 18",
  play: "M8 5l11 7-11 7z",
  pin: "M12 21s7-6.500 7-11.500a7 7 0 0 0-14 0C5 14.500 12 21 12 21zM12 7.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  torch: "M8 3h8v4l-2 3v10h-4V10L8 7zM8 7h8M12 13v2",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  words: "M4 5h16v11H9l-5 4z",
  day: "M5 6h14v14H5zM5 10h14M9 4v4M15 4v4",
};

/** @typedef {keyof typeof DRAWN} IconName */

/**
 * An icon. It says nothing to a screen reader: the words beside it do.
 * @param {IconName} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" })) {
    svg.setAttribute(key, value);
  }
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", DRAWN[name]);
  svg.append(path);
  return svg;
}

/**
 * A ring that empties as time passes: `share` of it is left.
 * @param {number} share
 */
export function ring(share) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 36 36");
  svg.setAttribute("class", "ring");
  svg.setAttribute("aria-hidden", "true");
  for (const name of ["track", "left"]) {
    const circle = document.createElementNS(SVG, "circle");
    for (const [key, value] of Object.entries({ cx: 18, cy: 18, r: 15.5, class: name, pathLength: 100 })) {
      circle.setAttribute(key, String(value));
    }
    svg.append(circle);
  }
  turn(svg, share);
  return svg;
}

/**
 * @param {SVGElement} svg
 * @param {number} share
 */
export function turn(svg, share) {
  const left = svg.lastElementChild;
  left?.setAttribute("stroke-dasharray", `${Math.max(0, Math.min(1, share)) * 100} 100`);
}

/**
 * A style sheet that a view brings along: loaded with the view, not with the page.
 * @param {string} name of a file in `style/` @returns {Promise<void>} once it counts
 */
export function styled(name) {
  const href = `/page/style/${name}.css`;
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.onload = () => resolve();
    // A view without its style is a view.
    link.onerror = () => resolve();
    document.head.append(link);
  });
}
