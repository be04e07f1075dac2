/**
 * Sounds that are made here: no file is loaded.
 */

/** @type {AudioContext | null} */
let context = null;

/** The one context, awake where the browser allows it: after a tap. */
export function audio() {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume().catch(() => {});
  return context;
}

/**
 * A soft tone: struck, and dying away.
 * @param {number} frequency
 * @param {number} at in the context's time
 * @param {number} length in seconds
 * @param {AudioNode} into
 * @param {number} [loud]
 */
export function tone(frequency, at, length, into, loud = 0.2) {
  const its = audio();
  const gain = its.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(into);
  for (const [times, share] of /** @type {const} */ ([[1, 1], [2.01, 0.25]])) {
    const oscillator = its.createOscillator();
    const part = its.createGain();
    oscillator.type = "sine";
    oscillator.frequency.value = frequency * times;
    part.gain.value = share;
    oscillator.connect(part).connect(gain);
    oscillator.start(at);
    oscillator.stop(at + length);
  }
}

/** A timer that is over. */
export function chime() {
  try {
    const its = audio();
    for (const [step, frequency] of [659.3, 784, 987.8, 784, 987.8].entries()) {
      tone(frequency, its.currentTime + step * 0.22, 0.9, its.destination);
    }
    navigator.vibrate?.([200, 100, 200]);
  } catch {
    // Without sound it is shown all the same.
  }
}
