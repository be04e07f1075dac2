/**
 * Addresses that open a phone's own apps.
 */

/** @typedef {import("../types/wire.d.ts").Call} Call */

export const isApple = () => /iPhone|iPad|Macintosh/.test(navigator.userAgent);
export const isAndroid = () => navigator.userAgent.includes("Android");

/** What a number may hold in an address: digits and what a keypad has. @param {string} number */
function digits(number) {
  return encodeURIComponent(number.replace(/[^\d+*#,;]/g, "")).replaceAll("%2B", "+");
}

/** @param {Call} call */
export function dialer(call) {
  return `tel:${digits(call.number ?? "")}`;
}

/** @param {Call} call */
export function sms(call) {
  // RFC 5724; a name that is no number is left to the person.
  const to = (call.to ?? []).filter((name) => /\d/.test(name)).map(digits).join(",");
  const body = call.body ? `?body=${encodeURIComponent(call.body)}` : "";
  return `sms:${to}${body}`;
}

/** @param {Call} call */
export function mail(call) {
  // RFC 6068: line breaks as %0D%0A.
  const part = (/** @type {string} */ text) => encodeURIComponent(text.replace(/\r?\n/g, "\r\n"));
  const to = (call.to ?? []).map(encodeURIComponent).join(",").replaceAll("%40", "@");
  const query = [
    call.cc?.length ? `cc=${call.cc.map(encodeURIComponent).join(",")}` : "",
    call.subject ? `subject=${part(call.subject)}` : "",
    call.body ? `body=${part(call.body)}` : "",
  ].filter(Boolean);
  return `mailto:${to}${query.length ? `?${query.join("&")}` : ""}`;
}

/** An automation by its name, where the system has an address for them. @param {Call} call */
export function shortcut(call) {
  if (!isApple()) return null;
  const text = call.values ? `&input=text&text=${encodeURIComponent(JSON.stringify(call.values))}` : "";
  return `shortcuts://run-shortcut?name=${encodeURIComponent(call.name ?? "")}${text}`;
}
