//! Messages, mail and calls.

use super::super::proposal::{Proposal, list};
use super::{Sentence, bare, names};

/// What stands before a message's words.
const SAYS: &[&str] = &["saying that", "saying", "to say that", "to say", "that says", "that", ":"];

pub(super) fn sms(sentence: &Sentence<'_>) -> Option<Proposal> {
    const TO: &[&str] = &[
        "send a text message to",
        "send a text to",
        "send a message to",
        "send an sms to",
        "send sms to",
        "write a text to",
        "write a message to",
        "write an sms to",
        "draft a text to",
        "text to",
        "text",
        "sms",
        "message",
    ];
    if let Some(rest) = sentence.begins(TO) {
        return message(rest);
    }
    // `send Anna a text saying …`, `tell Anna that …`
    if let Some(rest) = sentence.begins(&["send"]) {
        let (to, body) = Sentence::new(rest).split(&["a text message", "a text", "a message", "an sms"])?;
        let body = Sentence::new(body).begins(SAYS).unwrap_or(body);
        return Some(Proposal::new("sms_draft").maybe("to", list(&names(to))).maybe("body", bare(body)));
    }
    let (to, body) = Sentence::new(sentence.begins(&["tell"])?).split(&["that"])?;
    Some(Proposal::new("sms_draft").maybe("to", list(&names(to))).maybe("body", bare(body)))
}

/// Who and what: divided by a word that says so, else the first name or number is who.
fn message(rest: &str) -> Option<Proposal> {
    let sentence = Sentence::new(rest);
    let (to, body) = match sentence.split(SAYS) {
        Some(divided)
            if !divided.0.is_empty() && names(divided.0).iter().all(|name| name.split(' ').count() <= 3) =>
        {
            divided
        }
        _ => rest.split_at(first_recipient(rest)),
    };
    Some(Proposal::new("sms_draft").maybe("to", list(&names(to))).maybe("body", bare(body)))
}

/// Where the first recipient ends: a word, or a number with its blanks.
fn first_recipient(text: &str) -> usize {
    let number = text.find(|c: char| !(c.is_ascii_digit() || "+()-./ ".contains(c))).unwrap_or(text.len());
    if text[..number].chars().filter(char::is_ascii_digit).count() >= 3 {
        return number;
    }
    text.find(char::is_whitespace).unwrap_or(text.len())
}

pub(super) fn email(sentence: &Sentence<'_>) -> Option<Proposal> {
    const TO: &[&str] = &[
        "send an email to",
        "send an e-mail to",
        "send a mail to",
        "write an email to",
        "write an e-mail to",
        "draft an email to",
        "compose an email to",
        "email to",
        "email",
        "e-mail",
        "mail",
    ];
    const SUBJECT: &[&str] = &["about", "with the subject", "with subject", "subject"];
    const COPY: &[&str] = &["cc", "with a copy to", "copying"];
    let rest = sentence.begins(TO)?;
    let rest = Sentence::new(rest);
    let (head, body) =
        rest.split(&["saying that", "saying", "that says", "to say", "body", ":"]).unwrap_or((rest.raw, ""));
    let head = Sentence::new(head);
    let (who, subject) = head.split(SUBJECT).unwrap_or((head.raw, ""));
    let who = Sentence::new(who);
    let (to, copy) = who.split(COPY).unwrap_or((who.raw, ""));
    Some(
        Proposal::new("email_draft")
            .maybe("to", list(&names(to)))
            .maybe("cc", list(&names(copy)))
            .maybe("subject", bare(subject))
            .maybe("body", bare(body)),
    )
}

pub(super) fn dial(sentence: &Sentence<'_>) -> Option<Proposal> {
    let number = sentence.begins(&[
        "make a call to",
        "call the number",
        "dial the number",
        "call",
        "dial",
        "phone",
        "ring",
    ])?;
    Some(Proposal::new("dial").maybe("number", bare(number)))
}
