/**
 * A style sheet that a view brings along: loaded with the view, not with the page.
 */

/** @param {string} name of a file in `style/` @returns {Promise<void>} once it counts */
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
