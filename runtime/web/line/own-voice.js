/**
 * The browser's own voice, where it has one for what is to be said; where it has none, the time that reading takes.
 */

/** Within how many milliseconds a voice has to begin. */
const BEGINS = 2500;
/** How long it takes to read a letter, and a character that is a word or a part of one, in milliseconds. */
const [LETTER, SIGN] = [62, 210];
/** As long is even a short piece shown. */
const LEAST = 900;
/** How long voices may take to be there, in milliseconds: some browsers load them when they are first asked for. */
const VOICES = 700;

const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** @type {readonly [RegExp, string][]} */
const SCRIPTS = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Han}/u, "zh"],
  [/\p{Script=Cyrillic}/u, "ru"],
  [/\p{Script=Greek}/u, "el"],
  [/\p{Script=Arabic}/u, "ar"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Devanagari}/u, "hi"],
];

/**
 * The language of a piece by its letters; those that many languages share are taken for the first of the person's that does.
 * @param {string} text
 * @param {readonly string[]} preferred language tags, the person's own first
 * @param {string} [known] the language that the server knows it to be
 */
export function languageOf(text, preferred, known = "") {
  const shared = SCRIPTS.find(([script]) => script.test(text))?.[1];
  // What the server knows of it is more than its letters: several languages are written in the same.
  const found = shared && known ? primary(known) : shared;
  // The person's own kind of it: another region's voice is another voice.
  if (found) return preferred.find((tag) => primary(tag) === found) ?? (found === "zh" ? "zh-CN" : found);
  if (known) return preferred.find((tag) => primary(tag) === primary(known)) ?? known;
  const others = SCRIPTS.map(([, tag]) => tag);
  return preferred.find((tag) => !others.includes(primary(tag))) ?? "en";
}

/** How long reading it takes, in milliseconds. @param {string} text */
export function readingTime(text) {
  const signs = text.match(SIGNS)?.length ?? 0;
  return Math.max(LEAST, signs * SIGN + ([...text].length - signs) * LETTER);
}

/** @param {string} tag */
function primary(tag) {
  return tag.toLowerCase().split("-")[0] ?? "";
}

/** One piece that is being said, or read. */
export class Saying {
  #over = false;
  #began = performance.now();
  #takes;
  #length;
  /** How many characters have been said, where the voice tells. */
  #said = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {string} text
   * @param {number} loud
   * @param {string} language that it is known to be in, or none
   * @param {{ ended: () => void, voiceless: () => void }} house `voiceless` is told where it can only be read
   */
  constructor(text, loud, language, house) {
    this.house = house;
    this.#takes = readingTime(text);
    this.#length = text.length || 1;
    void this.#say(text, loud, language);
  }

  get share() {
    const passed = (performance.now() - this.#began) / this.#takes;
    return Math.max(0, Math.min(1, this.#said ? this.#said / this.#length : passed));
  }

  /** Silence, now. */
  stop() {
    this.#over = true;
    clearTimeout(this.#timer);
    globalThis.speechSynthesis?.cancel();
  }

  /** @param {string} text @param {number} loud @param {string} language */
  async #say(text, loud, language) {
    const tag = languageOf(text, navigator.languages, language);
    const voice = await voiceFor(tag);
    if (this.#over) return;
    if (!voice) return this.#read();
    const said = new SpeechSynthesisUtterance(text);
    said.voice = voice;
    said.lang = voice.lang;
    said.volume = loud;
    let begun = false;
    said.onstart = () => {
      begun = true;
      this.#began = performance.now();
      clearTimeout(this.#timer);
      // A voice that never says that it has ended does not keep the rest from being said.
      this.#timer = setTimeout(() => this.#end(), this.#takes * 3 + 5000);
    };
    said.onboundary = (event) => (this.#said = event.charIndex);
    said.onend = () => this.#end();
    said.onerror = () => (begun ? this.#end() : this.#read());
    this.#timer = setTimeout(() => {
      if (begun) return;
      said.onend = said.onerror = null;
      speechSynthesis.cancel();
      this.#read();
    }, BEGINS);
    speechSynthesis.speak(said);
  }

  #read() {
    if (this.#over) return;
    clearTimeout(this.#timer);
    this.#began = performance.now();
    this.#timer = setTimeout(() => this.#end(), this.#takes);
    this.house.voiceless();
  }

  #end() {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.house.ended();
  }
}

/** The first question after a voice wakes them. */
let asked = false;

/** @param {string} tag @returns {Promise<SpeechSynthesisVoice | null>} */
async function voiceFor(tag) {
  if (!globalThis.speechSynthesis || !globalThis.SpeechSynthesisUtterance) return null;
  let voices = speechSynthesis.getVoices();
  if (voices.length === 0 && !asked) {
    asked = true;
    await new Promise((resolve) => {
      speechSynthesis.addEventListener("voiceschanged", () => resolve(undefined), { once: true });
      setTimeout(resolve, VOICES);
    });
    voices = speechSynthesis.getVoices();
  }
  const named = (/** @type {SpeechSynthesisVoice} */ voice) => voice.lang.replace("_", "-").toLowerCase();
  const its = voices.filter((voice) => primary(named(voice)) === primary(tag));
  // What is said stays on this device where it can.
  const worth = (/** @type {SpeechSynthesisVoice} */ voice) => (voice.localService ? 4 : 0) + (named(voice) === tag.toLowerCase() ? 2 : 0) + (voice.default ? 1 : 0);
  return its.sort((a, b) => worth(b) - worth(a))[0] ?? null;
}
