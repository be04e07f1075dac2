//! Messages, mail and calls.

use super::super::proposal::{Proposal, list};
use super::{bare, has, names, split};

/// What stands before a message's words.
const SAYS: &[&str] = &["告诉他", "告诉她", "内容是", "内容", "说:", "说", "写道", "写", ":", "，", ","];

/// Who a message goes to and what it says, for the words that name its kind: 给X发短信说Y, 发短信给X说Y.
fn letter<'a>(text: &'a str, kinds: &[&str]) -> Option<(&'a str, &'a str)> {
    let (before, behind) = split(text, kinds)?;
    if let Some(behind) = behind.strip_prefix('给').or_else(|| behind.strip_prefix('到')) {
        let (to, body) = split(behind, SAYS).unwrap_or((behind, ""));
        return Some((to, body));
    }
    let to = split(before, &["给"]).map_or("", |(_, to)| to);
    let to = split(to, &["发一条", "发一封", "发个", "发条", "发封", "发", "写一封", "写封", "写"])
        .map_or(to, |(to, _)| to);
    let body = SAYS.iter().find_map(|says| behind.strip_prefix(says)).unwrap_or(behind);
    Some((to, body))
}

pub(super) fn sms(text: &str) -> Option<Proposal> {
    let (to, body) = letter(text, &["短信", "信息", "消息"])?;
    has(text, &["发", "写", "给"])
        .then(|| Proposal::new("sms_draft").maybe("to", list(&names(to))).maybe("body", bare(body)))
}

pub(super) fn email(text: &str) -> Option<Proposal> {
    const SUBJECT: &[&str] = &["主题是", "主题", "关于", "标题是", "标题"];
    const BODY: &[&str] = &["内容是", "内容", "正文", "说:", "说", "写道"];
    let kinds = ["电子邮件", "邮件", "电邮"];
    let (_, behind) = split(text, &kinds)?;
    if !has(text, &["发", "写", "给"]) {
        return None;
    }
    let subject =
        split(text, SUBJECT).map(|(_, subject)| split(subject, BODY).map_or(subject, |(before, _)| before));
    let subject =
        subject.map(|subject| split(subject, &["的邮件", "的电邮"]).map_or(subject, |(before, _)| before));
    let body = split(behind, BODY).map(|(_, body)| body);
    let head = split(text, SUBJECT).map_or(text, |(before, _)| before);
    let head = if split(head, &kinds).is_some() { head } else { text };
    let (to, _) = letter(head, &kinds)?;
    let to = split(to, BODY).map_or(to, |(to, _)| to);
    let to = split(to, SUBJECT).map_or(to, |(to, _)| to);
    Some(
        Proposal::new("email_draft")
            .maybe("to", list(&names(to)))
            .maybe("subject", subject.and_then(bare))
            .maybe("body", body.and_then(bare)),
    )
}

pub(super) fn dial(text: &str) -> Option<Proposal> {
    const BEFORE: &[&str] =
        &["打电话给", "打个电话给", "电话打给", "打给", "拨打电话", "拨打", "拨号", "拨", "呼叫", "致电"];
    let number = match split(text, BEFORE) {
        Some((_, number)) => number,
        None => split(split(text, &["给"])?.1, &["打个电话", "打电话", "去电话", "打一个电话"])?.0,
    };
    Some(Proposal::new("dial").maybe("number", bare(number)))
}
