/**
 * Server-sent events from bytes (HTML, "Server-sent events"): the browser's own reader cannot bear a token.
 */

/** @typedef {{ event: string, data: string, id: string }} Line */

/**
 * A reader. Push what has come, however it was cut; it calls back with each event, and with each id that stands alone.
 */
export class Reader {
  #rest = "";
  #event = "";
  /** @type {string[]} */
  #data = [];
  #id = "";
  #first = true;
  #decoder = new TextDecoder();

  /** @param {(line: Line) => void} happened @param {(id: string) => void} [placed] */
  constructor(happened, placed) {
    this.happened = happened;
    this.placed = placed;
  }

  /** @param {Uint8Array} bytes */
  push(bytes) {
    let text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    if (this.#first && text.length > 0) {
      this.#first = false;
      if (text.startsWith("\uFEFF")) text = text.slice(1);
    }
    let start = 0;
    for (const end of text.matchAll(/\r\n|\r|\n/g)) {
      // A carriage return at the very end may be half of a line's end.
      if (end[0] === "\r" && end.index + 1 === text.length) break;
      this.#line(text.slice(start, end.index));
      start = end.index + end[0].length;
    }
    this.#rest = text.slice(start);
  }

  /** @param {string} line */
  #line(line) {
    if (line === "") return this.#dispatch();
    if (line.startsWith(":")) return;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#id = value;
  }

  #dispatch() {
    const [event, data] = [this.#event || "message", this.#data];
    this.#event = "";
    this.#data = [];
    if (data.length > 0) this.happened({ event, data: data.join("\n"), id: this.#id });
    else if (this.#id) this.placed?.(this.#id);
  }
}
