/**
 * Signing in: by the link that the operator gave, by the code that another device shows, or by the operator's own token.
 */

import { fill, h } from "../lib/dom.js";
import { LANGUAGES, choose, language, say } from "../lib/words.js";
import { Refusal, ask } from "../wire/api.js";
import { deviceName, enter, fresh, leave, session, watch } from "../wire/session.js";
import { reason } from "./faults.js";

/** What a sign-in link's code and a token look like. */
const SECRET = /^[0-9a-f]{64}$/i;

/** @param {HTMLElement} app */
export async function signIn(app) {
  // A link that is pasted into the address of this very page loads nothing anew.
  addEventListener("hashchange", () => location.hash.length > 1 && void open(app));
  // Somebody has signed in on another page of this browser.
  watch(() => session() && location.replace("/"));
  await open(app);
}

/** @param {HTMLElement} app */
async function open(app) {
  document.title = say("sign_in_title");
  const fromLink = location.pathname === "/sign-in" ? location.hash.slice(1) : "";
  if (fromLink) {
    // The code is used up by what follows; it is to stay in no history.
    history.replaceState(null, "", "/sign-in");
    fill(app, h("main", { class: "door" }, mark(), h("p", { class: "hush", role: "status" }, say("signing_in"))));
    try {
      await redeem(fromLink);
      return;
    } catch (error) {
      show(app, reason(error));
      return;
    }
  }
  if (location.pathname === "/sign-in" && session()) {
    location.replace("/");
    return;
  }
  show(app, "");
}

/**
 * @param {HTMLElement} app
 * @param {string} fault
 */
function show(app, fault) {
  const input = h("input", {
    id: "code",
    name: "code",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    required: true,
    "aria-describedby": "code-help fault",
  });
  const told = h("p", { id: "fault", class: "fault", role: "alert" }, fault);
  const button = h("button", { class: "primary", type: "submit" }, say("sign_in"));
  const form = h(
    "form",
    {
      onsubmit: async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        told.textContent = "";
        button.disabled = true;
        try {
          await redeem(input.value);
        } catch (error) {
          told.textContent = reason(error);
          input.focus();
        } finally {
          button.disabled = false;
        }
      },
    },
    h("label", { for: "code" }, say("sign_in_label")),
    input,
    h("p", { id: "code-help", class: "hint" }, say("sign_in_help")),
    told,
    button,
  );
  const languages = h(
    "p",
    { class: "languages" },
    ...LANGUAGES.map((each) =>
      h(
        "button",
        {
          type: "button",
          class: "plain",
          lang: each === "zh" ? "zh-Hans" : "en",
          "aria-pressed": String(each === language()),
          onclick: async () => {
            await choose(each);
            document.title = say("sign_in_title");
            show(app, "");
          },
        },
        each === "zh" ? "中文" : "English",
      ),
    ),
  );
  fill(app, h("main", { class: "door" }, mark(), h("h1", {}, say("sign_in_heading")), h("p", { class: "lead" }, say("sign_in_lead")), form, languages));
  input.focus();
}

function mark() {
  return h("img", { class: "mark", src: "/page/icons/icon.svg", alt: "", width: 72, height: 72 });
}

/** @param {string} given a link, a link's code, a pairing code, or a token */
async function redeem(given) {
  const text = given.trim();
  const code = text.includes("#") ? text.slice(text.lastIndexOf("#") + 1) : text;
  const name = deviceName();
  // Repeated after a lost answer, the same request gives the same token again.
  const key = `handset.redeem.${code.slice(0, 12)}`;
  const client_id = sessionStorage.getItem(key) ?? fresh();
  sessionStorage.setItem(key, client_id);
  const path = SECRET.test(code) ? "/api/sign-in" : "/api/pairings/redeem";
  let signedIn;
  try {
    signedIn = await ask("POST", path, { code, name, client_id }, { token: null });
  } catch (error) {
    const own = SECRET.test(code) && error instanceof Refusal && error.code === "code_not_valid" ? await byToken(code) : null;
    if (!own) throw error;
    signedIn = own;
  }
  if (session()) await leave();
  await enter(signedIn);
  sessionStorage.removeItem(key);
  location.replace("/");
}

/** Whether it is a token, and whose. @param {string} token */
async function byToken(token) {
  try {
    const { people, you } = await ask("GET", "/api/people", undefined, { token });
    const { devices } = await ask("GET", "/api/devices", undefined, { token });
    const person = people.find((/** @type {{ id: string }} */ one) => one.id === you);
    const device = devices.find((/** @type {{ current: boolean }} */ one) => one.current) ?? { id: "", name: "" };
    return { token, person, device };
  } catch {
    return null;
  }
}
