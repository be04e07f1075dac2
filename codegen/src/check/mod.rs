//! From JSON to the model: every fault of every file in one run, or the checked spec.

mod conformance;
mod holes;
mod known;
mod known_numbers;
mod known_texts;
mod markers;
mod names;
mod numbers;
mod page;
mod phone;
mod published;
mod reserved;
mod schema;
mod texts;
mod tone;
mod tool;
mod version;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::{Name, NumberSection, Spec, TextSection, Version};
use crate::read::{Node, Span, Value, parse};
use crate::rules;
use crate::specs::Specs;
use known_texts::SECTIONS as SECTIONS_OF_TEXTS;
use page::{Faults, Page, Word};
pub(crate) use reserved::{KOTLIN, PYTHON, SWIFT, Use};
use tool::ToolDraft;
use version::Versions;

const LOOP: &str = "loop.json";

/// The tool whose calls `phone` describes.
const PHONE_TOOL: &str = "phone_action";

/// Checks the spec.
///
/// # Errors
/// All faults of all files, sorted by file and place. Where the version of loop.json is not known, nothing else of
/// loop.json.
pub fn check(specs: &Specs) -> Result<Spec, Diagnostics> {
    checked(specs, Versions::Known)
}

/// The same for a spec of whatever version, read as if it were the one that the compiler knows: two specs are compared
/// across the raise of a version.
///
/// # Errors
/// All faults of all files.
pub(crate) fn check_any_version(specs: &Specs) -> Result<Spec, Diagnostics> {
    checked(specs, Versions::Any)
}

/// The same for a spec that an older compiler has checked, which did not ask for every text and number that this one does.
///
/// # Errors
/// All faults of all files, where there is another one, or where nothing can be made of what is there.
pub(crate) fn check_older(specs: &Specs) -> Result<Spec, Diagnostics> {
    checked(specs, Versions::Older)
}

fn checked(specs: &Specs, versions: Versions) -> Result<Spec, Diagnostics> {
    let faults = Faults::default();
    let roots: BTreeMap<&str, Node> = specs
        .files
        .iter()
        .filter_map(|(file, text)| Some((file.as_str(), read(specs, file, text, &faults)?)))
        .collect();
    let page =
        |file: &'_ str| specs.files.get_key_value(file).map(|(file, text)| Page::new(file, text, &faults));
    let mut tools = Vec::new();
    let kinds = marker_kinds(roots.get(LOOP));
    for (file, root) in &roots {
        // loop.json comes last: it speaks of the tools, and its version comes before all else that is said of it.
        let Some(page) = page(file).filter(|_| *file != LOOP) else { continue };
        duplicates(&page, root);
        if let Some(stem) = file.strip_prefix("tools/").and_then(|name| name.strip_suffix(".json")) {
            tools.push((stem, tool::read(page, root, stem)));
        } else if let Some(stem) =
            file.strip_prefix("conformance/").and_then(|name| name.strip_suffix(".json"))
        {
            conformance::read(&page, root, stem, &kinds);
        }
    }
    if !specs.files.contains_key(LOOP) {
        Page::new(LOOP, "", &faults)
            .fault(&rules::MISSING_FILE, Span::default(), "there is no loop.json")
            .help("every spec begins with it: put it back, or give the folder that holds it with --specs")
            .report();
    }
    let parts = match (roots.get(LOOP), page(LOOP)) {
        (Some(root), Some(page)) => loop_file(&page, root, specs, &tools, versions),
        _ => None,
    };
    finish(parts, &tools, &faults, specs, &roots, versions)
}

/// Why a text cannot name what is so used, and what to write: of one that is new beside `others`.
pub(crate) fn name_refused(
    text: &str,
    what: &str,
    used: Use,
    others: &BTreeSet<&str>,
) -> Option<(String, String)> {
    let faults = Faults::default();
    names::among(&Page::new("", text, &faults), Word { text, span: Span::default() }, what, used, others);
    let fault = faults.take().into_iter().next()?;
    Some((fault.message, fault.help.unwrap_or_default()))
}

/// A name like the text's that is free and none of `others`.
pub(crate) fn other_name(text: &str, used: Use, others: &BTreeSet<&str>) -> String {
    Name::new(text).map_or_else(|| text.to_owned(), |name| reserved::other(&name, used, others))
}

/// The sections that may have texts of the spec's own, and whether a person reads them.
pub(crate) fn open_sections() -> Vec<(&'static str, bool)> {
    SECTIONS_OF_TEXTS.iter().filter(|known| known.open).map(|known| (known.name, known.person)).collect()
}

/// The kinds of markers that there are, and those that loop.json speaks of, right or not: one that it misspells is told
/// there, and not at every case that spells it right.
fn marker_kinds(root: Option<&Node>) -> Vec<&str> {
    let kinds = root.and_then(|root| root.get("markers")?.get("kinds")?.as_object());
    let named = kinds.unwrap_or_default().iter().map(|member| member.key.as_str());
    named.chain(markers::KINDS).collect()
}

/// The node of a file, or its first fault told.
fn read(specs: &Specs, file: &str, text: &str, faults: &Faults) -> Option<Node> {
    let page = Page::new(file, text, faults);
    if let Some(&at) = specs.not_utf8.get(file) {
        let span = Span::new(
            at,
            text[text.floor_char_boundary(at)..].chars().next().map_or(at, |first| at + first.len_utf8()),
        );
        page.fault(&rules::NOT_UTF8, span, "the file is not UTF-8")
            .label("the first byte that is not")
            .help("save it as UTF-8")
            .report();
        return None;
    }
    match parse(text) {
        Ok(root) => Some(root),
        Err(error) => {
            let mut fault = page.fault(&rules::NOT_JSON, error.span, error.message).label(error.label);
            if let Some((span, label)) = error.also {
                fault = fault.also(span, label);
            }
            if let Some(help) = error.help {
                fault = fault.help(help);
            }
            fault.report();
            None
        }
    }
}

/// Tells every key that stands in its object before.
fn duplicates(page: &Page<'_>, node: &Node) {
    match &node.value {
        Value::Array(items) => {
            for item in items {
                duplicates(page, item);
            }
        }
        Value::Object(members) => {
            // Most objects are small: looking back through them is quicker than a map, up to here.
            let mut seen = (members.len() > 8).then(BTreeMap::new);
            for (index, member) in members.iter().enumerate() {
                let first = match &mut seen {
                    None => members[..index]
                        .iter()
                        .find(|before| before.key == member.key)
                        .map(|before| before.key_span),
                    Some(seen) => seen.get(member.key.as_str()).copied().or_else(|| {
                        seen.insert(member.key.as_str(), member.key_span);
                        None
                    }),
                };
                if let Some(first) = first {
                    page.fault(
                        &rules::DUPLICATE_KEY,
                        member.key_span,
                        format!("the key `{}` stands twice in this object", member.key),
                    )
                    .label("the second")
                    .also(first, "the first")
                    .help("remove one of the two")
                    .report();
                }
                duplicates(page, &member.value);
            }
        }
        _ => {}
    }
}

/// The sections of loop.json: what each holds besides its numbers.
pub(crate) const SECTIONS: [&str; 14] = [
    "phone",
    "markers",
    "tools",
    "prompt",
    "gateway",
    "demo",
    "call",
    "escalation",
    "voice",
    "tone",
    "record",
    "reading",
    "settings",
    "page",
];

/// What comes of loop.json.
struct LoopFile {
    version: Version,
    phone: crate::model::Phone,
    markers: crate::model::Markers,
    tone: Vec<crate::model::ToneFeature>,
    texts: Vec<TextSection>,
    numbers: Vec<NumberSection>,
}

fn loop_file(
    page: &Page<'_>,
    root: &Node,
    specs: &Specs,
    tools: &[(&str, ToolDraft<'_>)],
    versions: Versions,
) -> Option<LoopFile> {
    page.map(root, "loop.json")?;
    let version = version::version(page, root, versions)?;
    duplicates(page, root);
    let keys: Vec<&str> = std::iter::once("version").chain(SECTIONS).collect();
    let object = page.object(root, "loop.json", &keys, &["$schema"])?;
    if let Some(node) = object.get("$schema") {
        page.string(node, "`$schema`");
    }
    let markers = object.get("markers").and_then(|node| markers::read(page, node));
    let cues = object.get("tone").and_then(|node| node.get("cues"));
    let tone = cues.map_or(Some(Vec::new()), |node| tone::read(page, node));
    let mut phone = None;
    let mut sections = Vec::new();
    for known in SECTIONS_OF_TEXTS {
        let Some(member) = object.member(known.name) else { continue };
        let texts = if known.name == "phone" {
            let tool = tools.iter().find(|(stem, _)| *stem == PHONE_TOOL).map(|(_, tool)| tool);
            let draft = phone::read(page, &member.value, tool.and_then(|tool| tool.properties.as_deref()));
            phone = match tool {
                Some(tool) => phone::resolve(page, &draft, tool),
                None => {
                    no_phone_tool(specs, page, member.key_span);
                    None
                }
            };
            draft.texts
        } else {
            member.value.get("texts")
        };
        sections.push((member.key_span, texts.and_then(|node| texts::section(page, node, known))));
    }
    sections.sort_by_key(|(place, _)| *place);
    let sections = sections.into_iter().map(|(_, section)| section).collect::<Option<Vec<_>>>();
    let numbers = numbers(page, root);
    let sections = sections?;
    Some(LoopFile {
        version,
        phone: phone?,
        markers: markers?,
        tone: tone?,
        texts: sections,
        numbers: numbers?,
    })
}

/// The constants and knobs of every section, in the order of the file.
fn numbers(page: &Page<'_>, root: &Node) -> Option<Vec<NumberSection>> {
    let members = root.as_object()?.iter().filter(|member| SECTIONS.contains(&&*member.key));
    let sections: Vec<_> = members
        .map(|member| {
            let has_texts = SECTIONS_OF_TEXTS.iter().any(|known| known.name == member.key);
            let own = match member.key.as_str() {
                "phone" => numbers::Own { needed: phone::KEYS, told_elsewhere: true },
                "markers" => numbers::Own { needed: markers::KEYS, told_elsewhere: true },
                "tone" => numbers::Own { needed: tone::KEYS, told_elsewhere: false },
                _ if has_texts => numbers::Own { needed: &["texts"], told_elsewhere: false },
                _ => numbers::Own { needed: &[], told_elsewhere: false },
            };
            numbers::section(page, &member.key, &member.value, own, known_numbers::of(&member.key))
        })
        .collect();
    let sections = sections.into_iter().collect::<Option<Vec<_>>>()?;
    let some = |section: &NumberSection| !section.knobs.is_empty() || !section.constants.is_empty();
    Some(sections.into_iter().filter(some).collect())
}

fn no_phone_tool(specs: &Specs, page: &Page<'_>, place: Span) {
    let file = format!("tools/{PHONE_TOOL}.json");
    // A file that is there and no JSON is told already.
    if !specs.files.contains_key(&file) {
        page.fault(
            &rules::MISSING_FILE,
            place,
            format!("`phone` describes the calls of a tool, and there is no {file}"),
        )
        .label("needs the tool")
        .help(format!("create {file} beside loop.json"))
        .report();
    }
}

/// The spec, or the faults with their pointers.
fn finish(
    parts: Option<LoopFile>,
    tools: &[(&str, ToolDraft<'_>)],
    faults: &Faults,
    specs: &Specs,
    roots: &BTreeMap<&str, Node>,
    versions: Versions,
) -> Result<Spec, Diagnostics> {
    let whole = tools.iter().map(|(_, draft)| draft.tool.clone()).collect::<Option<Vec<_>>>();
    let mut list = faults.take();
    let absent = |fault: &Diagnostic| {
        let rules = [&rules::MISSING_TEXT, &rules::MISSING_NUMBER, &rules::MISSING_KEY];
        versions == Versions::Older && rules.iter().any(|rule| rule.id == fault.rule.id)
    };
    if list.iter().all(absent) {
        if let (Some(LoopFile { version, phone, markers, tone, texts, numbers }), Some(tools)) =
            (parts, whole)
        {
            return Ok(Spec { version, phone, markers, tone, tools, texts, numbers });
        }
        if list.is_empty() {
            list.push(compiler_fault());
        }
    }
    for fault in &mut list {
        if let Some(root) = roots.get(fault.file.as_str()) {
            fault.pointer = root.pointer(fault.span);
        }
    }
    Err(Diagnostics::new(list, &specs.files))
}

fn compiler_fault() -> Diagnostic {
    Diagnostic {
        rule: &rules::COMPILER_FAULT,
        file: LOOP.to_owned(),
        span: Span::default(),
        pointer: String::new(),
        message: "the spec could not be built, and no rule is broken: a fault of the compiler".to_owned(),
        label: String::new(),
        also: Vec::new(),
        help: Some("undo the last edit, and report it".to_owned()),
    }
}
