/** The far end of a call's line, held by a test in the server's place. */

import { until } from "./harness.js";
import { wav } from "./voice.js";

/** The server's end of the line. */
export class Far {
  /** What came, in order: frames, each with the bytes behind it. */
  frames = [];
  sockets = 0;
  #taken = 0;
  #announced = null;

  /** @param {{ hears?: boolean, by?: "server" | "browser", chat?: string }} [options] */
  static async of(page, { hears = true, by = "server", chat = "none" } = {}) {
    const far = new Far();
    await page.routeWebSocket(/\/api\/call\/live/, (socket) => {
      far.socket = socket;
      far.sockets += 1;
      far.url = socket.url();
      socket.onMessage((data) => far.#take(data));
      const call = { id: new URL(far.url).searchParams.get("call"), state: "going", began_at: "", began_at_ms: Date.now() };
      if (far.away) return socket.close({ code: 1011 });
      far.say({ type: "ready", call, chat, hears, speech: { by, format: by === "server" ? "audio/wav" : null }, soft_gain: 0.5 });
    });
    return far;
  }

  #take(data) {
    if (typeof data !== "string") return this.#announced && (this.#announced.bytes = data);
    this.#announced = { ...JSON.parse(data), at: Date.now() };
    this.frames.push(this.#announced);
  }

  /** The next frame of a kind that was not looked at yet. */
  async next(type) {
    return until(type, () => {
      const at = this.frames.findIndex((frame, at) => at >= this.#taken && frame.type === type && (type !== "utterance" || frame.bytes));
      if (at < 0) return null;
      this.#taken = at + 1;
      return this.frames[at];
    });
  }

  say(frame, bytes) {
    this.socket.send(JSON.stringify(frame));
    if (bytes) this.socket.send(bytes);
  }

  /** A piece with its sound. */
  piece(turn, piece, words, sound) {
    this.say({ type: "piece", turn, piece, spoken: words.trim(), shown: words });
    if (sound) this.say({ type: "audio", turn, piece, format: "audio/wav" }, wav(sound));
  }
}
