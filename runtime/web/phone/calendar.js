/**
 * An event as a file that calendars open (RFC 5545). Its times are floating: the person's own, wherever they are.
 */

/** @typedef {import("../types/wire.d.ts").Call} Call */

/** @param {string} text */
function escaped(text) {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
}

/** A date, or a date and time, as the format writes it. @param {string} moment */
function stamp(moment) {
  const plain = moment.replace(/[-:]/g, "");
  return moment.includes("T") ? `:${plain}00` : `;VALUE=DATE:${plain}`;
}

/** At most 75 bytes a line, cut on a character's edge. @param {string} line */
function folded(line) {
  const encoder = new TextEncoder();
  let out = "";
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > 73) {
      out += "\r\n ";
      bytes = 1;
    }
    out += character;
    bytes += size;
  }
  return out;
}

/**
 * @param {Call} call
 * @param {{ id: string, now: Date }} made
 */
export function calendar(call, made) {
  const start = call.start ?? "";
  let end = call.end;
  // An event of days ends with the day before its end, as the format counts.
  if (end && !end.includes("T") && !start.includes("T")) {
    const after = new Date(`${end}T12:00`);
    after.setDate(after.getDate() + 1);
    end = [after.getFullYear(), String(after.getMonth() + 1).padStart(2, "0"), String(after.getDate()).padStart(2, "0")].join("-");
  }
  const alike = !end || end.includes("T") === start.includes("T");
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Handset//Page//EN",
    "BEGIN:VEVENT",
    `UID:${made.id}`,
    `DTSTAMP:${made.now.toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "")}`,
    `DTSTART${stamp(start)}`,
    end && alike ? `DTEND${stamp(end)}` : "",
    `SUMMARY:${escaped(call.title ?? call.summary)}`,
    call.location ? `LOCATION:${escaped(call.location)}` : "",
    call.notes ? `DESCRIPTION:${escaped(call.notes)}` : "",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return `${lines.filter(Boolean).map(folded).join("\r\n")}\r\n`;
}

/** Hands the file to the browser, which opens it or keeps it. @param {Call} call */
export function calendarFile(call) {
  const text = calendar(call, { id: crypto.randomUUID?.() ?? `${Date.now()}@handset`, now: new Date() });
  const url = URL.createObjectURL(new Blob([text], { type: "text/calendar;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${(call.title ?? "event").replace(/[^\p{L}\p{N} _-]+/gu, "").trim().slice(0, 60) || "event"}.ics`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
