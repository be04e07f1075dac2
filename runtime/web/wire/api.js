/**
 * Requests to the server.
 */

import { session } from "./session.js";

/** How long a request may take. Streams have their own watch. */
const WITHIN = 20_000;

/** A request that was not done, and why. */
export class Refusal extends Error {
  /**
   * @param {number} status 0 where the server was not reached
   * @param {string} code
   * @param {string} message
   * @param {any} [body]
   */
  constructor(status, code, message, body) {
    super(message);
    this.status = status;
    this.code = code;
    this.body = body;
  }

  /** Whether the same request may well do better in a moment. */
  get passing() {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** Called when the server does not know the token any more. */
export const gate = { closed: () => {} };

/**
 * Asks, and gives the answer's JSON; nothing where it has none.
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {{ token?: string | null, signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body, options = {}) {
  const token = options.token === undefined ? session()?.token : options.token;
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const signal = options.signal ?? AbortSignal.timeout(WITHIN);
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body), signal, cache: "no-store" });
  } catch (error) {
    throw new Refusal(0, "unreachable", String(error));
  }
  let answer;
  try {
    const text = await response.text();
    answer = text ? JSON.parse(text) : null;
  } catch (error) {
    throw new Refusal(response.ok ? 0 : response.status, "unreadable", String(error));
  }
  if (response.ok) return answer;
  // Signed out meanwhile, or not known any more; a token that somebody tries is no matter of this page's.
  if (response.status === 401 && options.token === undefined && token === session()?.token) gate.closed();
  const fault = answer?.error ?? {};
  throw new Refusal(response.status, fault.code ?? "unknown", fault.message ?? response.statusText, answer);
}

export const get = (/** @type {string} */ path) => ask("GET", path);
export const post = (/** @type {string} */ path, /** @type {any} */ body) => ask("POST", path, body);
