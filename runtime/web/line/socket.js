/**
 * The line of a call to the server: one socket, opened again where it drops, and what has to arrive whatever happens to it.
 */

/** How long between two tries, in milliseconds: at first, and at most. */
const [FIRST, MOST] = [250, 4000];
/** After how many tries that brought nothing there is no such line at this server. */
const TRIES = 4;
/** How long the server may take to say that the line is open, in milliseconds. */
const OPENS_WITHIN = 8000;
/** Another page has taken the call. */
const TAKEN = 4001;
/** What the server says of an utterance that it can take a little later, and how long that is, in milliseconds. */
const [LATER, WAIT] = [["busy", "too_many_requests"], 2000];

/** @typedef {"connecting" | "live" | "away" | "none" | "taken" | "closed"} State */
/** @typedef {{ client_id: string, recording: ArrayBuffer, language?: string }} Utterance */

export class Line {
  /** @type {State} */
  state = "connecting";
  /** @type {WebSocket | null} */
  #socket = null;
  /** A frame whose bytes come next. @type {any} */
  #announced = null;
  /** Recordings whose outcome has not come, oldest first. @type {Map<string, Utterance>} */
  #utterances = new Map();
  /** What was told while nobody heard. @type {object[]} */
  #later = [];
  #tries = 0;
  #wasLive = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {() => WebSocket} open
   * @param {{ greets: () => object | null, took: (frame: any, bytes: ArrayBuffer | null) => void, changed: () => void }} house `greets`: what each new line is told before everything
   */
  constructor(open, house) {
    this.open = open;
    this.house = house;
    this.#connect();
  }

  /** How many recordings wait for what they are. */
  get waiting() {
    return this.#utterances.size;
  }

  /** Tells what is of its moment alone: without a line it is not told. @param {object} frame */
  tell(frame) {
    if (this.state === "live") this.#socket?.send(JSON.stringify(frame));
  }

  /** Tells what has to be known, now or when the line is there again. @param {object} frame */
  note(frame) {
    if (this.state === "live") this.tell(frame);
    else this.#later.push(frame);
  }

  /** Sends a recording, and again with each new line until its outcome came. @param {Utterance} utterance */
  say(utterance) {
    this.#utterances.set(utterance.client_id, utterance);
    if (this.state === "live") this.#send(utterance);
    this.house.changed();
  }

  /** Tries again at once. */
  again() {
    if (this.#socket || this.state === "closed" || this.state === "taken") return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  /** Lets go of a line that is known to be dead. */
  drop() {
    const socket = this.#socket;
    if (!socket) return;
    this.#forget(socket);
    socket.close();
    this.#dropped();
  }

  close() {
    const socket = this.#socket;
    if (socket) this.#forget(socket);
    socket?.close(1000);
    clearTimeout(this.#timer);
    this.#utterances.clear();
    this.#is("closed");
  }

  #connect() {
    const socket = this.open();
    this.#socket = socket;
    this.#announced = null;
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => this.#take(data);
    this.#timer = setTimeout(() => this.drop(), OPENS_WITHIN);
    socket.onclose = ({ code }) => {
      this.#forget(socket);
      if (code === TAKEN) this.#is("taken");
      else this.#dropped();
    };
  }

  /** @param {WebSocket} socket */
  #forget(socket) {
    socket.onmessage = socket.onclose = null;
    if (this.#socket === socket) this.#socket = null;
  }

  #dropped() {
    this.#tries += 1;
    this.#is(this.#wasLive ? "away" : this.#tries >= TRIES ? "none" : "connecting");
    const wait = Math.min(MOST, FIRST * 2 ** (this.#tries - 1));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), wait * (0.8 + Math.random() * 0.4));
  }

  /** @param {string | ArrayBuffer} data */
  #take(data) {
    if (typeof data !== "string") {
      const frame = this.#announced;
      this.#announced = null;
      if (frame) this.house.took(frame, data);
      return;
    }
    const frame = JSON.parse(data);
    if (frame.type === "ready") this.#begin();
    if (frame.type === "fault" && LATER.includes(frame.error?.code) && this.#utterances.has(frame.client_id)) {
      // The server has too much to understand just now: nothing that was said is lost for that.
      setTimeout(() => this.#again(frame.client_id), WAIT);
      return;
    }
    if (["caption", "nothing_heard", "fault"].includes(frame.type) && frame.client_id) this.#utterances.delete(frame.client_id);
    if (frame.type === "audio" && !frame.error) this.#announced = frame;
    else this.house.took(frame, null);
  }

  #begin() {
    clearTimeout(this.#timer);
    this.#tries = 0;
    this.#wasLive = true;
    this.#is("live");
    const greeting = this.house.greets();
    if (greeting) this.tell(greeting);
    for (const frame of this.#later.splice(0)) this.tell(frame);
    for (const utterance of this.#utterances.values()) this.#send(utterance);
  }

  /** @param {string} client_id */
  #again(client_id) {
    const utterance = this.#utterances.get(client_id);
    // A line that is opened anew sends it by itself.
    if (utterance && this.state === "live") this.#send(utterance);
  }

  /** @param {Utterance} utterance */
  #send({ client_id, recording, language }) {
    this.tell({ type: "utterance", client_id, ...(language ? { language } : {}) });
    this.#socket?.send(recording);
  }

  /** @param {State} state */
  #is(state) {
    if (state === this.state) return;
    this.state = state;
    this.house.changed();
  }
}
