/**
 * A recording as a file: RIFF with one channel of 16-bit samples, which every server reads.
 */

/** Of the head: `RIFF`, `fmt ` and the head of `data`. */
const HEAD = 44;

/**
 * @param {Float32Array} samples each from -1 to 1; what is beyond is cut off
 * @param {number} rate samples a second
 * @returns {ArrayBuffer}
 */
export function wav(samples, rate) {
  const bytes = new ArrayBuffer(HEAD + samples.length * 2);
  const view = new DataView(bytes);
  const word = (/** @type {number} */ at, /** @type {string} */ text) => {
    for (let letter = 0; letter < text.length; letter += 1) view.setUint8(at + letter, text.charCodeAt(letter));
  };
  word(0, "RIFF");
  view.setUint32(4, bytes.byteLength - 8, true);
  word(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  word(36, "data");
  view.setUint32(40, samples.length * 2, true);
  for (let at = 0; at < samples.length; at += 1) {
    const sample = Math.max(-1, Math.min(1, samples[at] ?? 0));
    view.setInt16(HEAD + at * 2, Math.round(sample * 32767), true);
  }
  return bytes;
}
