/**
 * The companion's picture, the newest one.
 */

import { h } from "../lib/dom.js";
import { companion } from "../state/companion.js";

/** @type {Set<WeakRef<HTMLImageElement>>} */
const shown = new Set();
companion.on(() => {
  for (const ref of shown) {
    const image = ref.deref();
    if (image) image.src = companion.picture;
    else shown.delete(ref);
  }
});

/** It says nothing to a screen reader: the name stands beside it. @param {number} size in pixels */
export function face(size) {
  const image = h("img", { class: "face", src: companion.picture, alt: "", width: size, height: size });
  shown.add(new WeakRef(image));
  return image;
}
