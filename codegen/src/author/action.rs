//! A new action: `cargo spec new action NAME [FIELD…]`.

use std::collections::{BTreeMap, BTreeSet};

use super::edit::Edit;
use super::field::{Field, Given, read};
use super::json::{list, object, text, texts};
use super::{fresh, lacks, said, sample};
use crate::check::Use;
use crate::model::Spec;
use crate::read::Node;

const LOOP: &str = "loop.json";
const TOOL: &str = "tools/phone_action.json";
const CASES: &str = "conformance/phone.json";

pub(super) fn add(edit: &mut Edit<'_>, spec: &Spec, name: &str, words: &[&str]) -> Result<String, String> {
    let phone = &spec.phone;
    fresh(name, "an action", Use::Type, phone.actions.iter().map(|action| action.name.as_str()))?;
    let given = words.iter().map(|word| read(word, phone)).collect::<Result<Vec<Given>, String>>()?;
    // A field that was given by itself has its kind there, and may stand in a group behind.
    let mut fields: Vec<Field> = Vec::new();
    for field in given.iter().flat_map(|given| &given.fields) {
        if !field.known {
            fresh(&field.name, "a field", Use::Field, phone.fields.iter().map(|field| field.name.as_str()))?;
        }
        if !fields.iter().any(|other| other.name == field.name) {
            fields.push(field.clone());
        }
    }
    let required: Vec<Vec<&str>> = given
        .iter()
        .filter(|given| given.required)
        .map(|given| given.fields.iter().map(|field| field.name.as_str()).collect())
        .collect();
    write(edit, name, &fields, &required)?;
    cases(edit, name, &fields, &required);
    Ok(format!("the action `{name}`"))
}

/// The places where an action stands.
fn write(edit: &mut Edit<'_>, name: &str, fields: &[Field], required: &[Vec<&str>]) -> Result<(), String> {
    let made = edit.items(LOOP, &["phone", "actions"], &[text(name)]);
    made.ok_or_else(|| lacks("`phone.actions`"))?;
    let read = texts(fields.iter().map(|field| field.name.as_str()));
    edit.member(LOOP, &["phone", "fields"], None, (name, &read)).ok_or_else(|| lacks("`phone.fields`"))?;
    if !required.is_empty() {
        let entry = |group: &Vec<&str>| match &**group {
            [field] => text(*field),
            group => texts(group.iter().copied()),
        };
        let entries = list(required.iter().map(entry));
        edit.member(LOOP, &["phone", "required"], None, (name, &entries))
            .ok_or_else(|| lacks("`phone.required`"))?;
    }
    let new: Vec<&Field> = fields.iter().filter(|field| !field.known).collect();
    let checks: Vec<Node> = new.iter().filter_map(|field| field.check()).collect();
    if !checks.is_empty() {
        edit.items(LOOP, &["phone", "check"], &checks).ok_or_else(|| lacks("`phone.check`"))?;
        let phrase = |field: &&Field| Some((field.name.clone(), text(field.phrase()?)));
        let phrases: Vec<(String, Node)> = new.iter().filter_map(phrase).collect();
        let made = edit.members(LOOP, &["phone", "what"], &phrases);
        for (field, _) in &phrases {
            edit.word(made, &format!("\"{field}\": "), format!("the phrase completes “{field} must be …”"));
        }
    }
    edit.items(TOOL, &["parameters", "properties", "action", "enum"], &[text(name)])
        .ok_or_else(|| lacks("the enum of `action`"))?;
    let properties: Vec<(String, Node)> =
        new.iter().map(|field| (field.name.clone(), field.property(name))).collect();
    if !properties.is_empty() {
        let made = edit.members(TOOL, &["parameters", "properties"], &properties);
        for (field, _) in &properties {
            let why = format!("the description says to a model what `{field}` is");
            edit.word(made, &format!("\"For {name}: {}", said(field)), why);
        }
    }
    for field in fields.iter().filter(|field| field.known) {
        edit.note(format!(
            "the description of `{}` in specs/{TOOL} says for which actions it is: name `{name}` there",
            field.name
        ));
    }
    let line = described(name, fields, required);
    let made = edit.line_of_list(TOOL, &["description"], &line);
    match made {
        Some(_) => edit.word(
            made,
            "- ",
            "the line tells a model what the action does, and what is left to the person",
        ),
        None => edit
            .note(format!("the description in specs/{TOOL} lists no actions; say there what `{name}` does")),
    }
    Ok(())
}

/// The action's line in the tool's description: `flash (times; label): flash.`
fn described(name: &str, fields: &[Field], required: &[Vec<&str>]) -> String {
    let needed: Vec<String> = required.iter().map(|group| group.join(" or ")).collect();
    let optional: Vec<&str> = fields
        .iter()
        .map(|field| field.name.as_str())
        .filter(|field| !required.iter().flatten().any(|other| other == field))
        .collect();
    let lists: Vec<String> =
        [needed.join(", "), optional.join(", ")].into_iter().filter(|list| !list.is_empty()).collect();
    match lists.is_empty() {
        true => format!("{name}: {}.", said(name)),
        false => format!("{name} ({}): {}.", lists.join("; "), said(name)),
    }
}

/// Conformance cases: the call at its least and at its fullest, each requirement missing, each new check's refusal.
fn cases(edit: &mut Edit<'_>, name: &str, fields: &[Field], required: &[Vec<&str>]) {
    if !edit.has(CASES) {
        edit.note(format!("there is no specs/{CASES}, so no cases were added"));
        return;
    }
    let stem = name.replace('_', "-");
    let kinds: BTreeMap<&str, &Field> = fields.iter().map(|field| (field.name.as_str(), field)).collect();
    let value = |field: &str| {
        let kind = kinds.get(field).and_then(|field| field.kind.as_ref());
        (field.to_owned(), sample::right(kind, field))
    };
    let call = |values: &[(String, Node)]| {
        object([("action".to_owned(), text(name))].into_iter().chain(values.iter().cloned()))
    };
    let passes = |values: &[(String, Node)]| {
        let head = [("action".to_owned(), text(name)), ("summary".to_owned(), text(name))];
        object([("ok", object(head.into_iter().chain(values.iter().cloned())))])
    };
    let refused = |more: Vec<(&str, Node)>| object([("refused", object(more))]);
    let case = |name: String, call: Node, expect: Node| {
        object([("name", text(name)), ("call", call), ("expect", expect)])
    };
    // In the order of the fields, in which what passes is written.
    let in_order = |chosen: &BTreeSet<&str>| -> Vec<(String, Node)> {
        let names = fields.iter().map(|field| field.name.as_str());
        names.filter(|field| chosen.contains(field)).map(value).collect()
    };
    let least: BTreeSet<&str> = required.iter().filter_map(|group| group.first().copied()).collect();
    let all: BTreeSet<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let values = in_order(&least);
    let mut new = vec![case(format!("{stem}-at-its-least"), call(&values), passes(&values))];
    if all != least {
        let values = in_order(&all);
        new.push(case(format!("{stem}-with-every-field"), call(&values), passes(&values)));
    }
    for group in required {
        let mut rest = least.clone();
        rest.retain(|field| !group.contains(field));
        let expect = refused(vec![
            ("text", text("missing")),
            ("action", text(name)),
            ("fields", text(group.join(" or "))),
        ]);
        let title = format!("{stem}-without-{}", group.join("-or-").replace('_', "-"));
        new.push(case(title, call(&in_order(&rest)), expect));
    }
    for field in fields.iter().filter(|field| !field.known) {
        for (apart, bad) in field.kind.as_ref().map(sample::wrong).unwrap_or_default() {
            let mut chosen = least.clone();
            chosen.insert(&field.name);
            let mut values = in_order(&chosen);
            for (name, value) in &mut values {
                if *name == field.name {
                    *value = bad.clone();
                }
            }
            let expect =
                refused(vec![("text", text("bad")), ("action", text(name)), ("field", text(&*field.name))]);
            let title = format!("{stem}-with-{}-in-{}", apart, field.name.replace('_', "-"));
            new.push(case(title, call(&values), expect));
        }
    }
    edit.items(CASES, &["cases"], &new);
}
