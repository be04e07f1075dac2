/**
 * The real server as a process, a model that a test scripts, and a real browser. No test waits by the clock: each waits for what
 * it wants to see, with a deadline.
 */

import { spawn } from "node:child_process";
import { createECDH, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium } from "playwright-core";

const BROWSERS = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const executablePath = BROWSERS.find((path) => path && existsSync(path));
const binary = process.env["HANDSET_BIN"] ?? "";
/** Where screenshots go. */
export const shots = process.env["HANDSET_SHOTS"] ?? join(tmpdir(), "handset-shots");

/** Runs the server in a folder of its own. */
export class Server {
  /** @param {{ config?: string, env?: Record<string, string> }} [options] */
  static async start(options = {}) {
    const server = new Server();
    server.env = options.env ?? {};
    server.folder = mkdtempSync(join(tmpdir(), "handset-web-"));
    if (options.config) writeFileSync(join(server.folder, "handset.toml"), options.config);
    await server.run("127.0.0.1:0");
    return server;
  }

  /** @param {string} listen */
  async run(listen) {
    const env = { ...process.env };
    for (const name of Object.keys(env)) if (name.startsWith("HANDSET_")) delete env[name];
    Object.assign(env, this.env);
    if (process.env["HANDSET_PAGE"]) env["HANDSET_PAGE"] = process.env["HANDSET_PAGE"];
    this.child = spawn(binary, ["--data", this.folder, "--listen", listen], { env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    this.errors = "";
    this.child.stderr.on("data", (bytes) => (this.errors += bytes));
    await new Promise((resolve, reject) => {
      this.child.stdout.on("data", (bytes) => {
        said += bytes;
        if (said.includes("curl")) resolve(undefined);
      });
      this.child.on("exit", () => reject(new Error(`the server ended: ${said}${this.errors}`)));
    });
    const after = (name) => said.split("\n").find((line) => line.startsWith(name))?.slice(name.length).trim() ?? "";
    this.banner = said;
    this.origin = after("Address:");
    this.token = after("Token:");
    this.link = after("Open:");
  }

  /** Ends it as a power cut would. */
  async kill() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await ended;
  }

  /** Ends it in order. */
  async stop() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGTERM");
    await ended;
  }

  /** Starts it again at the same address. */
  async again() {
    await this.run(new URL(this.origin).host);
  }

  async end() {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Asks the API as the operator. */
  async ask(method, path, body, token = this.token) {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const response = await fetch(this.origin + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }
}

/**
 * A model's API that says what a test makes it say, when the test makes it. Each request waits for its script.
 */
export class Model {
  static async start() {
    const model = new Model();
    model.requests = [];
    model.waiting = [];
    model.server = createServer((request, response) => {
      let body = "";
      request.on("data", (bytes) => (body += bytes));
      request.on("end", () => {
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        const turn = { body: JSON.parse(body), response, closed: false };
        response.on("close", () => (turn.closed = true));
        model.requests.push(turn);
        model.waiting.shift()?.(turn);
      });
    });
    await new Promise((resolve) => model.server.listen(0, "127.0.0.1", resolve));
    const { port } = model.server.address();
    model.config = `[model]\nkind = "openai"\nurl = "http://127.0.0.1:${port}/v1"\nmodel = "scripted"\n`;
    return model;
  }

  /** The next request, once there is one. */
  async asked() {
    const taken = this.taken ?? 0;
    this.taken = taken + 1;
    if (this.requests[taken]) return new Speech(this.requests[taken]);
    return new Speech(await new Promise((resolve) => this.waiting.push(resolve)));
  }

  end() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** A push service that takes whatever is sent, and counts it. */
export class PushService {
  static async start() {
    const service = new PushService();
    service.pushes = 0;
    service.server = createServer((request, response) => {
      request.resume();
      request.on("end", () => {
        service.pushes += 1;
        response.writeHead(201).end();
      });
    });
    await new Promise((resolve) => service.server.listen(0, "127.0.0.1", resolve));
    service.origin = `http://127.0.0.1:${service.server.address().port}`;
    return service;
  }

  /** A subscription as a browser makes it: an endpoint here, and keys of its own. */
  subscription() {
    const ecdh = createECDH("prime256v1");
    const keys = { p256dh: ecdh.generateKeys().toString("base64url"), auth: randomBytes(16).toString("base64url") };
    return { endpoint: `${this.origin}/push/1`, expirationTime: null, keys };
  }

  end() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

class Speech {
  constructor(turn) {
    this.turn = turn;
  }

  say(text) {
    this.#write({ choices: [{ index: 0, delta: { content: text } }] });
  }

  call(id, argument) {
    const call = { index: 0, id, type: "function", function: { name: "phone_action", arguments: JSON.stringify(argument) } };
    this.#write({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
    this.finish("tool_calls");
  }

  finish(reason = "stop") {
    this.#write({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
    this.turn.response.end("data: [DONE]\n\n");
  }

  #write(data) {
    this.turn.response.write(`data: ${JSON.stringify(data)}\n\n`);
  }
}

/** A browser with a page that is watched: what leaves the origin, and what goes wrong, is kept. */
export class Browser {
  /** @param {string[]} [args] */
  static async start(args = []) {
    const browser = new Browser();
    browser.browser = await chromium.launch({ executablePath, args: ["--no-sandbox", ...args] });
    return browser;
  }

  /** @param {Server} server @param {object} [options] */
  async open(server, options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", ...options });
    context.setDefaultTimeout(15_000);
    return this.watch(server, await context.newPage());
  }

  watch(server, page) {
    page.faults = [];
    page.strangers = [];
    const { origin } = new URL(server.origin);
    page.on("pageerror", (error) => page.faults.push(`error: ${error.stack ?? error}`));
    page.on("console", (message) => {
      const text = message.text();
      // What the browser says of a request that failed is the network's; the tests cut it on purpose.
      if (message.type() === "error" && !/^(Failed to load resource|WebSocket connection to)/.test(text)) page.faults.push(`console: ${text}`);
    });
    page.context().on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !url.startsWith("data:") && !url.startsWith("blob:")) page.strangers.push(url);
    });
    return page;
  }

  /** A browser with a profile of its own, for what a private window does not have. */
  static async whole(server) {
    const profile = mkdtempSync(join(tmpdir(), "handset-profile-"));
    const context = await chromium.launchPersistentContext(profile, { executablePath, args: ["--no-sandbox"], viewport: { width: 1280, height: 800 }, locale: "en-GB" });
    context.setDefaultTimeout(15_000);
    const page = new Browser().watch(server, context.pages()[0] ?? (await context.newPage()));
    const end = async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    };
    return { page, end };
  }

  async end() {
    await this.browser.close();
  }
}

/** Signs a page in by the link of the banner, or another. */
export async function signIn(page, server, link = server.link) {
  await page.goto(link);
  await page.waitForURL((url) => url.pathname === "/");
  await page.locator("handset-composer textarea").waitFor();
}

/** Signs a page in as the operator, without a link. */
export async function enter(page, server, path = "/") {
  await page.goto(`${server.origin}/page/icons/icon.svg`);
  const { people, you } = await server.ask("GET", "/api/people");
  const { token, device } = await server.ask("POST", "/api/devices", { name: `test ${Math.random().toString(36).slice(2)}` });
  const session = { token, person: people.find((one) => one.id === you), device };
  await page.evaluate((session) => localStorage.setItem("handset.session", JSON.stringify(session)), session);
  await page.goto(server.origin + path);
  const composes = ["/", "/phone"].includes(new URL(server.origin + path).pathname);
  await page.locator(composes ? "handset-composer textarea" : "main h1").first().waitFor();
  // As signing in does: the worker reads it there.
  await page.evaluate(async (token) => (await import("/page/lib/keep.js")).keep("token", token), token);
}

/** Says something in the page. */
export async function say(page, text) {
  await page.locator("handset-composer textarea").fill(text);
  await page.keyboard.press("Enter");
}

/** @param {import("playwright-core").Page} page */
export async function shoot(page, name) {
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), animations: "disabled" });
}

/** Asks until it is so, with a deadline. */
export async function until(what, ask, within = 15_000) {
  const end = Date.now() + within;
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (Date.now() > end) throw new Error(`it did not come: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
