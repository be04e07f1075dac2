//! Changes of `tools/NAME.json`.

use super::excerpt::excerpts;
use super::pairs::pair;
use super::{Change, Class, Found, rules};
use crate::model::Tool;

/// Compares the tools.
pub(super) fn compare(found: &mut Found<'_>) {
    let (old, new) = (&found.old.spec.tools, &found.new.spec.tools);
    let name = |tool: &'_ Tool| tool.name.as_str().to_owned();
    let (before, behind): (Vec<String>, Vec<String>) =
        (old.iter().map(name).collect(), new.iter().map(name).collect());
    let tools = pair(before.iter().map(String::as_str), behind.iter().map(String::as_str), |_, _| false);
    for &index in &tools.removed {
        let name = &before[index];
        let place = found.there(&file(name), &["name"]);
        found.push(Change::new(&rules::TOOL_REMOVED, place, format!("the tool `{name}` is gone")));
    }
    for &index in &tools.added {
        let name = &behind[index];
        let place = found.here(&file(name), &["name"]);
        found.push(Change::new(&rules::TOOL_ADDED, place, format!("there is a new tool: `{name}`")));
    }
    for &(was, now) in &tools.both {
        tool(found, &old[was], &new[now]);
    }
}

fn file(name: &str) -> String {
    format!("tools/{name}.json")
}

fn tool(found: &mut Found<'_>, was: &Tool, now: &Tool) {
    let file = file(now.name.as_str());
    for (rule, key, before, behind) in [
        (&rules::TOOL_DESCRIPTION_CHANGED, "description", &was.description, &now.description),
        (&rules::UNAVAILABLE_CHANGED, "unavailable", &was.unavailable, &now.unavailable),
    ] {
        if before != behind {
            let place = found.here(&file, &[key]);
            let (was, shown) = excerpts(before, behind);
            let message = format!("the {key} of `{}` is worded anew", now.name);
            let message = message.replace("the unavailable", "`unavailable`");
            found.push(Change::new(rule, place, message).between(was, shown));
        }
    }
    let told = found.list.iter().any(|change| {
        change.class == Class::Reads
            && change.place.file == file
            && (change.place.pointer.starts_with("/parameters") || change.place.pointer == "/description")
    });
    if was.parameters != now.parameters && !told {
        let place = found.here(&file, &["parameters"]);
        found.push(Change::new(
            &rules::TOOL_PARAMETERS_CHANGED,
            place,
            format!("the schema that models are given of `{}` changes", now.name),
        ));
    }
}
