/**
 * Everything that happens, as it happens: one stream of events, opened again wherever it ends, and polls where no stream gets
 * through.
 *
 * The server says something at least every 15 seconds. Silence beyond that is a dead line, whatever the browser believes.
 */

import { Reader } from "../lib/sse.js";
import { ask, gate } from "./api.js";
import { session } from "./session.js";

/** How long a line may be silent: two beats, and a breath. */
const SILENCE = 40_000;
/** How long the server may take to answer a request for the stream; a proxy that collects answers never does. */
const OPENS_WITHIN = 10_000;
/** After how many streams that brought nothing the page polls. */
const TRIES = 3;
/** How long it polls before it tries a stream again. */
const POLLS_FOR = 300_000;
/** How long one poll waits at the server, in seconds. */
const POLL_WAIT = 25;
const PLACE = "handset.place";

/** @typedef {import("../types/wire.d.ts").Happening} Happening */
/** @typedef {"connecting" | "live" | "away"} Line */

export class Feed {
  /** @type {string | null} */
  #after = sessionStorage.getItem(PLACE);
  /** @type {AbortController | null} */
  #open = null;
  #running = false;
  #heard = 0;
  #empty = 0;
  #wait = 0;
  #pollsUntil = 0;
  /** @type {(() => void) | null} */
  #wake = null;
  /** @type {Line} */
  line = "connecting";

  /**
   * @param {{
   *   device: () => string | null,
   *   happened: (happening: Happening, place: string | null) => void,
   *   resync: () => void,
   *   changed: (line: Line) => void,
   *   hold: () => string | null,
   * }} house `happened` is told the place before the event as well; `hold` is the place from which a reload has to read again, where that is not the newest
   */
  constructor(house) {
    this.house = house;
  }

  /** The place behind what was told last. */
  get place() {
    return this.#after;
  }

  start() {
    if (this.#running) return;
    this.#running = true;
    addEventListener("online", () => this.again());
    addEventListener("offline", () => this.#open?.abort());
    addEventListener("pageshow", (event) => event.persisted && this.again());
    document.addEventListener("visibilitychange", () => {
      // A page that was away is told anew: its line may be dead without knowing it.
      if (document.visibilityState === "visible" && Date.now() - this.#heard > 5_000) this.again();
    });
    setInterval(() => {
      if (this.#open && Date.now() - this.#heard > SILENCE) this.#open.abort();
    }, 5_000);
    void this.#run();
  }

  /** Opens the line anew, now. */
  again() {
    this.#wait = 0;
    this.#open?.abort();
    this.#wake?.();
  }

  stop() {
    this.#running = false;
    this.#open?.abort();
    this.#wake?.();
    sessionStorage.removeItem(PLACE);
  }

  async #run() {
    while (this.#running) {
      if (!session()) return gate.closed();
      this.#say(this.line === "live" ? "connecting" : this.line);
      const before = this.#heard;
      try {
        if (Date.now() < this.#pollsUntil) await this.#poll();
        else await this.#stream();
      } catch {
        // Whatever ended it: it is opened again.
      }
      this.#open = null;
      if (!this.#running) return;
      const brought = this.#heard !== before;
      this.#empty = brought ? 0 : this.#empty + 1;
      if (this.#empty >= TRIES && navigator.onLine && Date.now() >= this.#pollsUntil) {
        this.#pollsUntil = Date.now() + POLLS_FOR;
        this.#wait = 0;
      }
      if (!brought) this.#say("away");
      this.#wait = brought ? 300 : Math.min(10_000, Math.max(500, this.#wait * 2));
      await this.#rest(this.#wait * (0.8 + Math.random() * 0.4));
    }
  }

  /** @param {number} ms */
  #rest(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve(undefined);
      };
    });
  }

  #query() {
    const query = new URLSearchParams();
    const device = this.house.device();
    if (device) query.set("device", device);
    if (this.#after) query.set("after", this.#after);
    return query;
  }

  async #stream() {
    const control = new AbortController();
    this.#open = control;
    this.#heard ||= Date.now() - SILENCE / 2;
    const late = setTimeout(() => control.abort(), OPENS_WITHIN);
    /** @type {Record<string, string>} */
    const headers = { Accept: "text/event-stream", Authorization: `Bearer ${session()?.token ?? ""}` };
    const response = await fetch(`/api/events?${this.#query()}`, { headers, signal: control.signal, cache: "no-store" });
    clearTimeout(late);
    if (response.status === 401) return gate.closed();
    if (!response.ok || !response.body) return;
    this.#beat();
    const reader = new Reader(
      (line) => {
        if (line.event === "stopping") return;
        this.#take({ id: line.id, event: line.event, data: JSON.parse(line.data) });
      },
      (id) => this.#placed(id),
    );
    const bytes = response.body.getReader();
    for (;;) {
      const { done, value } = await bytes.read();
      if (done) return;
      this.#beat();
      reader.push(value);
    }
  }

  async #poll() {
    while (this.#running && Date.now() < this.#pollsUntil) {
      const control = new AbortController();
      this.#open = control;
      const query = this.#query();
      query.set("wait", String(POLL_WAIT));
      const told = await ask("GET", `/api/events/poll?${query}`, undefined, { signal: control.signal });
      this.#beat();
      if (told.resync) this.house.resync();
      for (const event of told.events) this.#take(event);
      this.#placed(told.last_id);
    }
  }

  #beat() {
    this.#heard = Date.now();
    this.#say("live");
  }

  /** @param {Line} line */
  #say(line) {
    if (line === this.line) return;
    this.line = line;
    this.house.changed(line);
  }

  /** @param {Happening} happening */
  #take(happening) {
    if (happening.event === "resync") this.house.resync();
    else this.house.happened(happening, this.#after);
    this.#placed(happening.id);
  }

  /** @param {string} id */
  #placed(id) {
    this.#after = id;
    sessionStorage.setItem(PLACE, this.house.hold() ?? id);
  }
}
