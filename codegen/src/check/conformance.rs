//! `conformance/SUITE.json`: cases that every implementation must pass. Whether a case is right is the
//! implementations' to show; here is looked at what would keep it from being run, or compared with anything.

use std::collections::BTreeMap;

use super::known_texts::SECTIONS;
use super::page::{Page, Word, quoted};
use super::reserved::{self, Use};
use super::tone::FEATURES;
use crate::model::Name;
use crate::nearest::{nearest, proposal};
use crate::read::{Member, Node};
use crate::rules;

/// An input that a case may give: its key, the keys that come with it, what may be expected of it.
struct Form {
    key: &'static str,
    with: &'static [&'static str],
    expect: Outcome,
}

/// What a case expects.
#[derive(Clone, Copy)]
enum Outcome {
    /// One of these.
    OneOf(&'static [&'static str]),
    /// The text that is left of a reply, and the markers in it.
    Reading,
    /// What is said of a voice, and whether it calls for a soft one.
    Cues,
}

/// What comes of each event of a list.
const STEPS: Outcome = Outcome::OneOf(&["steps"]);

const FORMS: [Form; 12] = [
    Form { key: "call", with: &[], expect: Outcome::OneOf(&["ok", "refused"]) },
    Form { key: "arguments", with: &[], expect: Outcome::OneOf(&["ok", "refused", "calls"]) },
    Form { key: "answer", with: &[], expect: Outcome::OneOf(&["result"]) },
    Form { key: "voice", with: &["past"], expect: Outcome::Cues },
    Form { key: "offered", with: &["capability", "attended"], expect: Outcome::OneOf(&["unavailable"]) },
    Form { key: "reply", with: &[], expect: Outcome::Reading },
    Form { key: "said", with: &[], expect: Outcome::OneOf(&["pieces"]) },
    Form { key: "invite", with: &["events"], expect: STEPS },
    Form { key: "burst", with: &["events"], expect: STEPS },
    Form { key: "hangup", with: &["events"], expect: STEPS },
    Form { key: "line", with: &["events"], expect: STEPS },
    Form { key: "person", with: &["happens"], expect: Outcome::OneOf(&["rings"]) },
];

/// The keys of every case; `name` and `expect` are needed.
const COMMON: [&str; 4] = ["name", "expect", "why", "given"];

/// Reads the file `conformance/STEM.json`. `kinds` are the markers' in loop.json.
pub(super) fn read(page: &Page<'_>, root: &Node, stem: &str, kinds: &[&str]) {
    let Some(file) = page.object(root, "a file of cases", &["suite", "cases"], &["$schema"]) else { return };
    if let Some(suite) = file.get("suite").and_then(|node| page.string(node, "`suite`"))
        && suite.text != stem
    {
        page.fault(
            &rules::FILE_NAME_DIFFERS,
            suite.span,
            format!("the suite `{}` stands in the file {stem}.json", suite.text),
        )
        .label("not the file's name")
        .help(format!("write \"{stem}\", or rename the file"))
        .report();
    }
    let Some(list) = file.get("cases") else { return };
    page.not_empty(list, "`cases`");
    let mut names = BTreeMap::new();
    for node in page.list(list, "`cases`").unwrap_or_default() {
        let Some(word) = case(page, node, kinds) else { continue };
        let Some(name) = name(page, word) else { continue };
        match names.get(&name) {
            None => drop(names.insert(name, word)),
            Some(first) => repeated(page, word, *first, &name),
        }
    }
}

fn repeated(page: &Page<'_>, word: Word<'_>, first: Word<'_>, name: &Name) {
    let message = if word.text == first.text {
        format!("two cases are named `{}`", word.text)
    } else {
        format!("`{}` and `{}` are both the test `{name}`", first.text, word.text)
    };
    page.fault(&rules::REPEATED_CASE, word.span, message)
        .label("the second")
        .also(first.span, "the first")
        .help("say in the name what sets the case apart")
        .report();
}

/// The name as a test bears it: words in lower case, joined by underscores.
fn name(page: &Page<'_>, word: Word<'_>) -> Option<Name> {
    let name = Name::new(&word.text.replace(['-', ' '], "_"));
    let Some(name) = name else {
        page.fault(&rules::NOT_A_NAME, word.span, format!("`{}` cannot name a case", word.text))
            .label("lower-case words joined by hyphens, beginning with a letter")
            .help("such as `a-blank-time`")
            .report();
        return None;
    };
    if let Some(taken) = reserved::by(&name, Use::Member) {
        page.fault(&rules::RESERVED_NAME, word.span, format!("`{}` cannot name a case: {taken}", word.text))
            .label("reserved")
            .help("say in a few words what the case shows")
            .report();
        return None;
    }
    Some(name)
}

fn case<'a>(page: &Page<'a>, node: &'a Node, kinds: &[&str]) -> Option<Word<'a>> {
    let members = page.map(node, "a case")?;
    let given: Vec<&Member> =
        members.iter().filter(|member| FORMS.iter().any(|form| form.key == member.key)).collect();
    let form = given.first().and_then(|member| FORMS.iter().find(|form| form.key == member.key));
    let with = form.map_or(&[][..], |form| form.with);
    let mut missing: Vec<&str> =
        COMMON[..2].iter().chain(with).copied().filter(|key| node.get(key).is_none()).collect();
    let mut lacks_form = form.is_none();
    for member in members {
        let key = member.key.as_str();
        if COMMON.contains(&key) || with.contains(&key) || FORMS.iter().any(|form| form.key == key) {
            continue;
        }
        let known = || FORMS.iter().filter(|_| form.is_none()).map(|form| form.key);
        let meant = nearest(key, missing.iter().copied().chain(known()).chain(COMMON));
        missing.retain(|key| Some(*key) != meant);
        if meant.is_none_or(|meant| FORMS.iter().any(|form| form.key == meant)) {
            lacks_form = false;
            unknown_form(page, member, meant);
        } else if let Some(meant) = meant {
            page.fault(&rules::UNKNOWN_KEY, member.key_span, format!("a case has no key `{key}`"))
                .label("unknown key")
                .help(format!("did you mean `{meant}`?"))
                .report();
        }
    }
    if lacks_form {
        page.fault(&rules::UNKNOWN_FORM, node.head(), "this case gives no input")
            .label("an input is missing in here")
            .help(format!("give one of {}", quoted(&FORMS.map(|form| form.key))))
            .report();
    }
    if let [first, second, ..] = &*given
        && first.key != second.key
    {
        page.fault(
            &rules::UNKNOWN_FORM,
            second.key_span,
            format!("a case gives one input, and this one gives `{}` besides `{}`", second.key, first.key),
        )
        .label("one too many")
        .also(first.key_span, "the first")
        .help("make two cases of it")
        .report();
    }
    for key in missing {
        page.fault(&rules::MISSING_KEY, node.head(), format!("a case lacks the key `{key}`"))
            .label(format!("`{key}` is missing in here"))
            .report();
    }
    if let Some(why) = node.get("why") {
        page.text(why, "`why` of a case");
    }
    if let (Some(form), Some(node)) = (form, node.get("expect")) {
        match form.expect {
            Outcome::OneOf(outcomes) => expect(page, node, outcomes),
            Outcome::Reading => reading(page, node, kinds),
            Outcome::Cues => cues(page, node),
        }
    }
    for key in ["reply", "said"] {
        if let Some(reply) = node.get(key) {
            page.string(reply, &format!("`{key}`"));
        }
    }
    page.text(node.get("name")?, "the name of a case")
}

fn unknown_form(page: &Page<'_>, member: &Member, meant: Option<&str>) {
    let owner = FORMS.iter().find(|form| form.with.contains(&&*member.key));
    let help = match (meant, owner) {
        (Some(key), _) => format!("did you mean `{key}`?"),
        (None, Some(owner)) => format!("`{}` belongs to `{}`", member.key, owner.key),
        (None, None) => format!("known: {}", quoted(&FORMS.map(|form| form.key))),
    };
    page.fault(&rules::UNKNOWN_FORM, member.key_span, format!("this case has no input `{}`", member.key))
        .label("unknown input")
        .help(help)
        .report();
}

/// What is expected: one of the outcomes that the input can have.
fn expect(page: &Page<'_>, node: &Node, outcomes: &[&str]) {
    let Some(object) = page.object(node, "what a case expects", &[], outcomes) else { return };
    let found: Vec<&&str> = outcomes.iter().filter(|key| object.get(key).is_some()).collect();
    if node.as_object().is_some_and(<[Member]>::is_empty) || found.len() > 1 {
        page.fault(
            &rules::MISSING_KEY,
            node.head(),
            format!("what a case expects has one outcome, and here are {}", found.len()),
        )
        .label("one outcome belongs in here")
        .help(format!("give one of {}", quoted(outcomes)))
        .report();
    }
    for call in object.get("calls").and_then(|calls| page.list(calls, "`calls`")).unwrap_or_default() {
        expect(page, call, &["ok", "refused"]);
    }
    for piece in object.get("pieces").and_then(|list| page.list(list, "`pieces`")).unwrap_or_default() {
        page.text(piece, "a piece");
    }
    for key in ["refused", "result"] {
        if let Some(text) = object.get(key) {
            expected_text(page, text, key);
        }
    }
}

/// What is left of a reply, and the markers found in it, in their order.
fn reading(page: &Page<'_>, node: &Node, kinds: &[&str]) {
    let Some(object) = page.object(node, "what a case expects", &["text", "markers"], &[]) else { return };
    if let Some(text) = object.get("text") {
        page.string(text, "`text`");
    }
    for marker in object.get("markers").and_then(|list| page.list(list, "`markers`")).unwrap_or_default() {
        let Some(marker) = page.object(marker, "a marker", &["kind"], &["argument"]) else { continue };
        if let Some(argument) = marker.get("argument") {
            page.string(argument, "`argument`");
        }
        let kind = marker.get("kind").and_then(|kind| page.string(kind, "`kind`"));
        // Where loop.json has none at all, that is told there.
        if let Some(kind) = kind.filter(|kind| !kinds.is_empty() && !kinds.contains(&kind.text)) {
            page.fault(
                &rules::UNKNOWN_MARKER,
                kind.span,
                format!("`{}` is no kind of `markers.kinds`", kind.text),
            )
            .label("unknown kind")
            .help(proposal(kind.text, kinds))
            .report();
        }
    }
}

/// What is said of a voice, each by its feature and the percentile of its tier.
fn cues(page: &Page<'_>, node: &Node) {
    let Some(object) = page.object(node, "what a case expects", &["cues", "soft"], &[]) else { return };
    for cue in object.get("cues").and_then(|list| page.list(list, "`cues`")).unwrap_or_default() {
        let Some(cue) = page.object(cue, "a cue", &["feature"], &["below", "above"]) else { continue };
        let feature = cue.get("feature").and_then(|feature| page.string(feature, "`feature`"));
        if let Some(feature) = feature.filter(|feature| !FEATURES.contains(&feature.text)) {
            page.fault(
                &rules::UNKNOWN_FEATURE,
                feature.span,
                format!("`{}` is nothing that is measured", feature.text),
            )
            .label("unknown feature")
            .help(proposal(feature.text, &FEATURES))
            .report();
        }
    }
}

/// A text, expected by its key.
fn expected_text(page: &Page<'_>, node: &Node, what: &str) {
    if page.map(node, &format!("`{what}`")).is_none() {
        return;
    }
    let section = node.get("section").map_or(Some("phone"), Node::as_str);
    let Some(known) = SECTIONS.iter().find(|known| !known.person && Some(known.name) == section) else {
        if let Some(section) = node.get("section").and_then(|node| page.string(node, "`section`")) {
            page.fault(
                &rules::UNKNOWN_TEXT,
                section.span,
                format!("`{}` is no section with texts for a model", section.text),
            )
            .label("unknown section")
            .help(proposal(section.text, &["phone", "tools"]))
            .report();
        }
        return;
    };
    let Some(text) = node.get("text") else {
        page.fault(&rules::MISSING_KEY, node.head(), format!("`{what}` lacks the key `text`"))
            .label("`text` is missing in here")
            .report();
        return;
    };
    let Some(text) = page.string(text, "`text`") else { return };
    let keys: Vec<&str> = known.texts.iter().map(|text| text.key).collect();
    if !known.open && !keys.contains(&text.text) {
        page.fault(
            &rules::UNKNOWN_TEXT,
            text.span,
            format!("`{}.texts` has no text `{}`", known.name, text.text),
        )
        .label("unknown text")
        .help(proposal(text.text, &keys))
        .report();
    }
}
