/**
 * Markdown as a companion writes it, shown as elements: no markup is ever made from a text, so nothing in it can act. What is
 * not understood stands as it was written.
 *
 * Known: paragraphs, headings, lists, quotes, rules, fenced and inline code, tables, strong, emphasis, struck out, links.
 */

import { h } from "./dom.js";

/** How deep lists and quotes may stand in each other; deeper is text. */
const MAX_DEPTH = 6;
/** Where a link may lead. */
const SCHEMES = ["http:", "https:", "mailto:"];

/**
 * @typedef {{ kind: "paragraph", text: string }
 *   | { kind: "heading", level: number, text: string }
 *   | { kind: "code", text: string, language: string }
 *   | { kind: "quote", blocks: Block[] }
 *   | { kind: "list", ordered: boolean, start: number, items: Block[][] }
 *   | { kind: "table", head: string[], align: string[], rows: string[][] }
 *   | { kind: "rule" }} Block
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,3}[.)])( +|$)(.*)$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/**
 * Cuts a text into blocks.
 * @param {string} text
 * @returns {Block[]}
 */
export function parse(text) {
  return blocks(text.replace(/\r\n?/g, "\n").split("\n"), 0);
}

/**
 * @param {string[]} lines
 * @param {number} depth
 * @returns {Block[]}
 */
function blocks(lines, depth) {
  /** @type {Block[]} */
  const found = [];
  /** @type {string[]} */
  let paragraph = [];
  const close = () => {
    if (paragraph.length > 0) found.push({ kind: "paragraph", text: paragraph.join("\n") });
    paragraph = [];
  };
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const fence = FENCE.exec(line);
    if (fence) {
      close();
      const mark = fence[1] ?? "```";
      const end = new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}\\s*$`);
      const code = [];
      at += 1;
      // A fence that is not closed yet goes to the end: it is still being written.
      while (at < lines.length && !end.test(lines[at] ?? "")) code.push(lines[at++]);
      at += 1;
      found.push({ kind: "code", text: code.join("\n"), language: fence[2] ?? "" });
      continue;
    }
    if (line.trim() === "") {
      close();
      at += 1;
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading) {
      close();
      found.push({ kind: "heading", level: (heading[1] ?? "#").length, text: heading[2] ?? "" });
      at += 1;
      continue;
    }
    if (RULE.test(line)) {
      close();
      found.push({ kind: "rule" });
      at += 1;
      continue;
    }
    if (depth < MAX_DEPTH && QUOTE.test(line)) {
      close();
      const quoted = [];
      while (at < lines.length && QUOTE.test(lines[at] ?? "")) quoted.push((lines[at++] ?? "").replace(QUOTE, ""));
      found.push({ kind: "quote", blocks: blocks(quoted, depth + 1) });
      continue;
    }
    const item = depth < MAX_DEPTH ? ITEM.exec(line) : null;
    // A number other than one does not begin a list within a paragraph: it is a year that stands at a line's start.
    if (item && (paragraph.length === 0 || /^([-*+]|1[.)])$/.test(item[2] ?? "")) && (item[4] ?? "") !== "") {
      close();
      const read = list(lines, at, depth);
      found.push(read.block);
      at = read.next;
      continue;
    }
    if (paragraph.length === 0 && line.includes("|") && TABLE_RULE.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-")) {
      const head = cells(line);
      const marks = cells(lines[at + 1] ?? "");
      if (head.length === marks.length) {
        const rows = [];
        at += 2;
        while (at < lines.length && (lines[at] ?? "").includes("|") && (lines[at] ?? "").trim() !== "") {
          const row = cells(lines[at++] ?? "").slice(0, head.length);
          while (row.length < head.length) row.push("");
          rows.push(row);
        }
        const align = marks.map((mark) =>
          mark.endsWith(":") ? (mark.startsWith(":") ? "center" : "end") : "start",
        );
        found.push({ kind: "table", head, align, rows });
        continue;
      }
    }
    paragraph.push(line.replace(/^ +/, ""));
    at += 1;
  }
  close();
  return found;
}

/**
 * @param {string[]} lines
 * @param {number} from
 * @param {number} depth
 * @returns {{ block: Block, next: number }}
 */
function list(lines, from, depth) {
  const first = ITEM.exec(lines[from] ?? "");
  const mark = first?.[2] ?? "-";
  const ordered = /\d/.test(mark);
  const kind = mark.slice(-1);
  /** @type {Block[][]} */
  const items = [];
  let at = from;
  while (at < lines.length) {
    const item = ITEM.exec(lines[at] ?? "");
    if (!item || (item[2] ?? "").slice(-1) !== kind || RULE.test(lines[at] ?? "")) break;
    const indent = (item[1] ?? "").length + (item[2] ?? "").length + Math.min(4, Math.max(1, (item[3] ?? "").length));
    const own = [item[4] ?? ""];
    at += 1;
    while (at < lines.length) {
      const line = lines[at] ?? "";
      if (line.trim() === "") {
        // An empty line belongs to the item if what follows does.
        const following = lines[at + 1] ?? "";
        if (following.trim() === "" || leading(following) < Math.min(indent, 2)) break;
        own.push("");
        at += 1;
        continue;
      }
      const space = leading(line);
      if (space < Math.min(indent, 2) && (ITEM.test(line) || startsBlock(line))) break;
      if (space < Math.min(indent, 2) && own.at(-1) === "") break;
      own.push(line.slice(Math.min(space, indent)));
      at += 1;
    }
    items.push(blocks(own, depth + 1));
    // Between items there may be one empty line.
    if ((lines[at] ?? "x").trim() === "" && ITEM.test(lines[at + 1] ?? "")) at += 1;
  }
  return { block: { kind: "list", ordered, start: ordered ? Number.parseInt(mark, 10) : 1, items }, next: at };
}

/** @param {string} line */
function startsBlock(line) {
  return FENCE.test(line) || HEADING.test(line) || QUOTE.test(line) || RULE.test(line);
}

/** @param {string} line */
function leading(line) {
  return line.length - line.trimStart().length;
}

/**
 * @param {string} line
 * @returns {string[]}
 */
function cells(line) {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

/**
 * A text as elements.
 * @param {string} text
 * @returns {Node[]}
 */
export function render(text) {
  return parse(text).map(element);
}

/**
 * @param {Block} block
 * @returns {Node}
 */
export function element(block) {
  switch (block.kind) {
    case "paragraph":
      return h("p", { dir: "auto" }, ...inline(block.text));
    case "heading":
      // Below the page's own headings, whatever the companion chose.
      return h(block.level < 3 ? "h3" : "h4", { dir: "auto" }, ...inline(block.text));
    case "code":
      return h("pre", { tabindex: 0 }, h("code", { "data-language": block.language || null }, block.text));
    case "quote":
      return h("blockquote", { dir: "auto" }, ...block.blocks.map(element));
    case "rule":
      return h("hr");
    case "list": {
      const items = block.items.map((item) => h("li", {}, ...tight(item)));
      return block.ordered ? h("ol", { dir: "auto", start: block.start === 1 ? null : block.start }, ...items) : h("ul", { dir: "auto" }, ...items);
    }
    case "table": {
      const row = (/** @type {"th" | "td"} */ tag, /** @type {string[]} */ texts) =>
        h("tr", {}, ...texts.map((text, at) => h(tag, { class: block.align[at] }, ...inline(text))));
      const table = h("table", { dir: "auto" }, h("thead", {}, row("th", block.head)), h("tbody", {}, ...block.rows.map((texts) => row("td", texts))));
      return h("div", { class: "wide", tabindex: 0 }, table);
    }
  }
}

/**
 * An item of one paragraph is its words alone.
 * @param {Block[]} item
 * @returns {Node[]}
 */
function tight(item) {
  const [first, ...rest] = item;
  if (first?.kind !== "paragraph") return item.map(element);
  const task = TASK.exec(first.text);
  if (task) {
    const box = h("span", { class: "task", role: "img", "aria-label": task[1] === " " ? "[ ]" : "[x]" }, task[1] === " " ? "☐" : "☑");
    return [box, " ", ...inline(first.text.slice(task[0].length)), ...rest.map(element)].map((node) => (typeof node === "string" ? document.createTextNode(node) : node));
  }
  return [...inline(first.text), ...rest.map(element)];
}

/** What stands before an item that is to be done, or is. */
const TASK = /^\[([ xX])\]\s+/;
const ESCAPED = /^\\([\\`*_{}[\]()#+\-.!|~<>])/;
const CODE = /^(`+)([\s\S]*?[^`])\1(?!`)/;
const LINK = /^\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*<?((?:[^\s()<>]|\([^\s()]*\))*)>?(?:\s+["'][^"']*["'])?\s*\)/;
const ADDRESS = /^<?((?:https?:\/\/|mailto:)[^\s<>"'，。！？；：、（）“”]+)>?/i;
const STRONG = /^(\*\*|__)(?=\S)([\s\S]*?\S)\1/;
const EMPHASIS = /^([*_])(?=\S)((?:[^*_\\]|\\.|\*\*[^*]+\*\*)*?\S)\1(?![\p{L}\p{N}])/u;
const STRUCK = /^~~(?=\S)([\s\S]*?\S)~~/;
const PLAIN = /^(?:[^\\`*_[\]!~<h m\n]+|.|\n)/su;

/**
 * Words with their emphasis, as nodes.
 * @param {string} text
 * @param {number} [depth]
 * @returns {Node[]}
 */
export function inline(text, depth = 0) {
  /** @type {Node[]} */
  const nodes = [];
  let plain = "";
  const flush = () => {
    if (plain) nodes.push(document.createTextNode(plain));
    plain = "";
  };
  let rest = text;
  let before = " ";
  while (rest.length > 0) {
    const found = depth < MAX_DEPTH ? special(rest, before, depth) : null;
    const taken = found ?? { length: (PLAIN.exec(rest)?.[0] ?? rest[0] ?? "").length, node: null, text: null };
    const source = rest.slice(0, taken.length);
    if (taken.node) {
      flush();
      nodes.push(taken.node);
    } else if (taken.text !== null && taken.text !== undefined) {
      plain += taken.text;
    } else {
      plain += source;
    }
    before = source.slice(-1);
    rest = rest.slice(taken.length);
  }
  flush();
  return nodes;
}

/**
 * @param {string} rest
 * @param {string} before
 * @param {number} depth
 * @returns {{ length: number, node: Node | null, text?: string | null } | null}
 */
function special(rest, before, depth) {
  const first = rest[0];
  const inWord = /[\p{L}\p{N}]/u.test(before);
  if (first === "\\") {
    const escaped = ESCAPED.exec(rest);
    if (escaped) return { length: 2, node: null, text: escaped[1] ?? "" };
  }
  if (first === "`") {
    const code = CODE.exec(rest);
    if (code) return { length: code[0].length, node: h("code", {}, (code[2] ?? "").replace(/^ (.*) $/s, "$1")) };
    const run = /^`+/.exec(rest)?.[0] ?? "`";
    return { length: run.length, node: null };
  }
  if (first === "!" && rest[1] === "[") {
    // A picture is loaded from nowhere: it is a link to itself, under its own words.
    const picture = LINK.exec(rest.slice(1));
    const to = picture && target(picture[2] ?? "");
    const words = picture?.[1] || picture?.[2] || "";
    if (picture) return { length: picture[0].length + 1, node: to ? anchor(to, [document.createTextNode(words)]) : null, text: words };
  }
  if (first === "[") {
    const link = LINK.exec(rest);
    const to = link && target(link[2] ?? "");
    if (link && to) return { length: link[0].length, node: anchor(to, inline(link[1] ?? "", depth + 1)) };
    // One that leads nowhere it may lead to is its words.
    if (link) return { length: link[0].length, node: null, text: link[1] ?? "" };
  }
  if ((first === "h" || first === "H" || first === "m" || first === "M" || first === "<") && !inWord) {
    const address = ADDRESS.exec(rest);
    if (address) {
      let shown = address[1] ?? "";
      const bare = !rest.startsWith("<");
      // What ends the sentence does not belong to the address.
      if (bare) shown = shown.replace(/[.,;:!?)\]]+$/, (end) => (end.startsWith(")") && shown.includes("(") ? ")" : ""));
      const to = target(shown);
      if (to) return { length: bare ? shown.length : address[0].length, node: anchor(to, [document.createTextNode(shown)]) };
    }
  }
  if (first === "*" || (first === "_" && !inWord)) {
    const strong = STRONG.exec(rest);
    if (strong) return { length: strong[0].length, node: h("strong", {}, ...inline(strong[2] ?? "", depth + 1)) };
    const emphasis = EMPHASIS.exec(rest);
    if (emphasis) return { length: emphasis[0].length, node: h("em", {}, ...inline(emphasis[2] ?? "", depth + 1)) };
    const run = /^[*_]+/.exec(rest)?.[0] ?? "*";
    return { length: run.length, node: null };
  }
  if (first === "~") {
    const struck = STRUCK.exec(rest);
    if (struck) return { length: struck[0].length, node: h("s", {}, ...inline(struck[1] ?? "", depth + 1)) };
  }
  if (first === "\n") return { length: 1, node: h("br") };
  return null;
}

/**
 * An address that a link may lead to, or nothing.
 * @param {string} address
 */
export function target(address) {
  try {
    const url = new URL(address);
    return SCHEMES.includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} to
 * @param {Node[]} words
 */
function anchor(to, words) {
  return h("a", { href: to, target: "_blank", rel: "noopener noreferrer nofollow" }, ...words);
}
