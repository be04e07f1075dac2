/**
 * What an action of the phone is drawn as.
 */

/** @type {Record<string, import("../lib/dom.js").IconName>} */
const ICONS = {
  alarm: "clock",
  timer: "clock",
  calendar_event: "day",
  sms_draft: "words",
  email_draft: "mail",
  dial: "call",
  navigate: "pin",
  add_stop: "pin",
  search_nearby: "pin",
  stop_navigation: "pin",
  open_app: "phone",
  open_url: "globe",
  media: "play",
  torch: "torch",
  settings_panel: "settings",
  automation_intent: "settings",
};

/** @param {string} action */
export function actionIcon(action) {
  return ICONS[action] ?? "phone";
}
