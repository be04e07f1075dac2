/** A page looked at: with axe-core, in a picture, and whether it fits its window. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { shoot } from "./harness.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds in a page. */
export async function violations(page) {
  // By the debugger, which the page's policy does not bind.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations, passes } = await Reflect.get(window, "axe").run(document, { resultTypes: ["violations", "passes"] });
    if (passes.length < 5) return ["axe looked at nothing"];
    return violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.html.slice(0, 200)).join(" | ")}`);
  });
}

/** Looks at a page with axe, keeps a picture of it, and sees that nothing stands out of its width. */
export async function look(page, name) {
  await shoot(page, name);
  assert.deepEqual(await violations(page), [], name);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${name} is ${wide} pixels wider than its window`);
}
