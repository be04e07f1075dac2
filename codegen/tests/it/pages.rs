//! The reference pages, `generated/docs/`: nothing of the spec is missing, no link is dead, every table is one.

use std::collections::{BTreeMap, BTreeSet};

use handset_codegen::value::Model;
use handset_codegen::{Specs, check, compile};
use serde_json::Value;

use crate::support::{base, path};

type Pages = BTreeMap<String, String>;

/// The pages of a spec, by their names, and its model.
fn pages_of(specs: &Specs) -> (Pages, Value) {
    let files = compile(specs).unwrap_or_else(|faults| panic!("{faults}"));
    let pages: Pages = files
        .iter()
        .filter_map(|(file, text)| Some((file.strip_prefix("docs/")?.to_owned(), text.clone())))
        .collect();
    let spec = check(specs).unwrap_or_else(|faults| panic!("{faults}"));
    (pages, serde_json::from_str(&Model::new(&spec).to_json()).unwrap())
}

fn both() -> [(Pages, Value); 2] {
    [pages_of(&Specs::load(&path("../../specs")).unwrap()), pages_of(&base())]
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} in {value}"))
}

fn snake(named: &Value) -> &str {
    named["snake"].as_str().unwrap()
}

/// The part of a page below a heading, down to the next that is no deeper.
fn below<'p>(page: &'p str, heading: &str) -> &'p str {
    let start = format!("\n{heading}\n");
    let place = page.find(&start).unwrap_or_else(|| panic!("no heading `{heading}`"));
    let rest = &page[place + start.len()..];
    let depth = heading.split(' ').next().unwrap();
    let end = (1..=depth.len()).filter_map(|less| rest.find(&format!("\n{} ", "#".repeat(less)))).min();
    &rest[..end.unwrap_or(rest.len())]
}

/// The cells of a row, as they are shown.
fn cells(row: &str) -> Vec<String> {
    let row = row.strip_prefix('|').unwrap().strip_suffix('|').unwrap();
    let mut cells = vec![String::new()];
    let mut rest = row.chars();
    while let Some(c) = rest.next() {
        let cell = cells.last_mut().unwrap();
        match c {
            '\\' => cell.extend(rest.next()),
            '|' => cells.push(String::new()),
            c => cell.push(c),
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// The rows of the tables in a part of a page.
fn rows(part: &str) -> Vec<Vec<String>> {
    part.lines().filter(|line| line.starts_with('|')).map(cells).collect()
}

/// The row whose first cell is that code.
fn row<'r>(rows: &'r [Vec<String>], name: &str) -> &'r [String] {
    let code = format!("`{name}`");
    rows.iter().find(|row| row[0] == code).unwrap_or_else(|| panic!("no row of {name} in {rows:?}"))
}

/// A text as a cell shows it, its line breaks as they are.
fn shown(text: &str) -> String {
    text.replace('\n', "<br>").trim().to_owned()
}

#[test]
fn every_tier_of_a_voice_is_on_its_page() {
    for (pages, model) in both() {
        let page = &pages["tone.md"];
        for figure in list(&model, "tone") {
            let rows = rows(below(page, &format!("## {}", snake(&figure["feature"]))));
            for side in ["below", "above"] {
                for tier in list(figure, side) {
                    let percentile = format!("{side} {}", tier["percentile"].as_f64().unwrap());
                    let row = rows.iter().find(|row| row[0] == percentile).unwrap();
                    assert_eq!(row[1] == "soft", tier["soft"] == true, "{row:?}");
                    for (cell, wording) in row[2..].iter().zip(list(tier, "phrase")) {
                        assert_eq!(*cell, shown(wording["text"].as_str().unwrap()));
                    }
                }
            }
        }
    }
}

#[test]
fn every_action_and_field_is_on_its_page() {
    for (pages, model) in both() {
        let (page, phone) = (&pages["actions.md"], &model["phone"]);
        for action in list(phone, "actions") {
            let part = below(page, &format!("## {}", snake(&action["name"])));
            let rows = rows(part);
            for field in list(action, "fields") {
                let row = row(&rows, snake(&field["name"]));
                assert_eq!(row[1], field["shape"].as_str().unwrap());
                assert_eq!(row[2] == "yes", field["required"].as_bool().unwrap(), "{row:?}");
                let what = field["check"]["what"].as_str().unwrap_or("anything");
                assert_eq!(
                    (&*row[3], &*row[4]),
                    (&*shown(what), &*shown(field["description"].as_str().unwrap()))
                );
            }
            let entry = |entry: &Value| -> String {
                let names: Vec<_> =
                    entry.as_array().unwrap().iter().map(|name| format!("`{}`", snake(name))).collect();
                names.join(" or ")
            };
            let needs: Vec<_> = list(action, "required").iter().map(entry).collect();
            let needs = if needs.is_empty() { "nothing".to_owned() } else { needs.join(" and ") };
            assert!(part.contains(&format!("\nNeeds {needs}.\n")), "{needs}: {part}");
        }
        let rows = rows(below(page, "## The fields in the order of refusals"));
        let names: Vec<_> = rows[2..].iter().map(|row| row[0].trim_matches('`')).collect();
        let checked = list(phone, "checked");
        assert_eq!(names, checked.iter().map(|field| snake(&field["name"])).collect::<Vec<_>>());
        for (row, field) in rows[2..].iter().zip(checked) {
            let check = &field["check"];
            assert_eq!(row[1], format!("`{}`", snake(&check["kind"])));
            for bound in ["min", "max", "min_digits"] {
                assert!(check[bound].is_null() || row[2].contains(&check[bound].to_string()), "{row:?}");
            }
            for value in list(check, "values") {
                assert!(row[2].contains(&format!("`{}`", snake(value))), "{row:?}");
            }
        }
        for number in ["wait_seconds", "answer_grace_seconds", "message_max_chars"] {
            assert!(page.contains(&phone[number].to_string()), "{number}");
        }
        assert!(page.contains(phone["capability"].as_str().unwrap()));
    }
}

#[test]
fn every_text_is_on_its_page_in_every_language() {
    for (pages, model) in both() {
        for section in list(&model, "texts") {
            let rows = rows(below(&pages["texts.md"], &format!("## {}", snake(&section["section"]))));
            let mut rest = rows[2..].iter();
            for text in list(section, "texts") {
                for (place, wording) in list(text, "wordings").iter().enumerate() {
                    let row = rest.next().unwrap();
                    if place == 0 {
                        let holes: Vec<_> =
                            list(text, "holes").iter().map(|hole| format!("`{}`", snake(hole))).collect();
                        let key = format!("`{}`", snake(&text["key"]));
                        assert_eq!(
                            row[..3],
                            [key, text["audience"].as_str().unwrap().to_owned(), holes.join(", ")]
                        );
                    }
                    assert_eq!(row[3], wording["language"].as_str().unwrap_or(""));
                    let pieces = list(wording, "parts").iter().map(|part| match part["literal"].as_str() {
                        Some(literal) => literal.replace('\n', "<br>"),
                        None => format!("`{{{}}}`", snake(&part["hole"])),
                    });
                    assert_eq!(row[4], pieces.collect::<String>().trim());
                }
            }
            assert!(rest.next().is_none());
        }
    }
}

#[test]
fn every_setting_and_constant_is_on_its_page() {
    let value = |value: &Value| match value {
        Value::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    for (pages, model) in both() {
        for section in list(&model, "numbers") {
            let rows = rows(below(&pages["settings.md"], &format!("## {}", snake(&section["section"]))));
            for knob in list(section, "knobs") {
                let row = row(&rows, snake(&knob["key"]));
                assert_eq!(row[1], value(&knob["default"]));
                if knob["json"] != "boolean" {
                    assert_eq!(row[2], format!("{} to {}", value(&knob["min"]), value(&knob["max"])));
                }
                assert_eq!(row[3], knob["unit"].as_str().unwrap());
                for (cell, words) in [(4, "label"), (5, "help")] {
                    for word in list(knob, words) {
                        assert!(row[cell].contains(&shown(word["text"].as_str().unwrap())), "{row:?}");
                    }
                }
            }
            for constant in list(section, "constants") {
                assert_eq!(row(&rows, snake(&constant["key"]))[1], constant["value"].to_string());
            }
        }
    }
}

#[test]
fn every_marker_tool_and_thing_of_the_wire_is_on_its_page() {
    for (pages, model) in both() {
        let (page, markers) = (&pages["markers.md"], &model["markers"]);
        assert!(page.contains(&format!("at most {} characters", markers["max_chars"])));
        let delimiters = rows(page);
        for delimiter in list(markers, "delimiters") {
            let row = row(&delimiters, delimiter["open"].as_str().unwrap());
            assert_eq!(row[1], format!("`{}`", delimiter["close"].as_str().unwrap()));
        }
        for kind in list(markers, "kinds") {
            let part = below(page, &format!("## {}", snake(&kind["name"])));
            for spelling in list(kind, "spellings") {
                assert!(part.contains(&format!("`{}`", spelling["text"].as_str().unwrap())), "{part}");
            }
            let plain: String = part.replace('\\', "");
            assert!(plain.contains(&shown(kind["rule"].as_str().unwrap())), "{part}");
            assert!(
                kind["argument"].is_null() || part.contains(&format!("its `{}`", snake(&kind["argument"])))
            );
            let budget = &kind["per_conversation"];
            assert!(budget.is_null() || part.contains(&format!("done {budget} time")), "{part}");
        }
        for tool in list(&model, "tools") {
            let part = below(&pages["tools.md"], &format!("## {}", snake(&tool["name"])));
            let plain =
                |text: &str| text.replace("\n>", " ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(plain(part).contains(&plain(tool["description"].as_str().unwrap())), "{part}");
            assert!(part.replace('\\', "").contains(&shown(tool["unavailable"].as_str().unwrap())));
            for gate in list(tool, "gates") {
                assert!(rows(part).iter().any(|row| row[0] == gate["key"].as_str().unwrap()
                    && row[1] == format!("`{}`", gate["value"].as_str().unwrap())));
            }
            let json = part.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
            let parameters: Value = serde_json::from_str(tool["parameters"].as_str().unwrap()).unwrap();
            assert_eq!(serde_json::from_str::<Value>(json).unwrap(), parameters);
        }
        let (page, wire) = (&pages["wire.md"], &model["wire"]);
        for event in list(wire, "events") {
            row(&rows(below(page, "## Events")), snake(&event["name"]));
        }
        for (kind, members) in [("words", "values"), ("records", "members")] {
            for thing in list(wire, kind) {
                let rows = rows(below(page, &format!("### {}", snake(&thing["name"]))));
                for member in list(thing, members) {
                    row(&rows, snake(&member["name"]));
                }
            }
        }
    }
}

/// The anchors of a page, as GitHub makes them from its headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let headings = page
        .lines()
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    let anchor = |heading: &str| -> String {
        let kept = heading
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .collect::<String>();
        kept.replace(' ', "-")
    };
    let mut all = BTreeSet::new();
    for anchor in headings.map(anchor) {
        let before = seen.entry(anchor.clone()).or_default();
        all.insert(if *before == 0 { anchor } else { format!("{anchor}-{before}") });
        *before += 1;
    }
    all
}

#[test]
fn no_link_is_dead() {
    for (pages, _) in both() {
        let mut count = 0;
        for (name, page) in &pages {
            for link in page.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                if ["../schema/wire.schema.json", "../schema/openapi.json"].contains(&file) {
                    continue;
                }
                let target = if file.is_empty() {
                    page
                } else {
                    pages.get(file).unwrap_or_else(|| panic!("{name}: {link}"))
                };
                assert!(anchor.is_empty() || anchors(target).contains(anchor), "{name}: {link}");
                count += 1;
            }
        }
        assert!(count > 60, "{count}");
    }
}

#[test]
fn every_table_is_one() {
    for (pages, _) in both() {
        for (name, page) in &pages {
            let lines: Vec<_> = page.lines().collect();
            for (place, line) in lines.iter().enumerate() {
                if !line.starts_with('|') {
                    continue;
                }
                let head = (0..=place).rev().take_while(|at| lines[*at].starts_with('|')).last().unwrap();
                assert_eq!(cells(line).len(), cells(lines[head]).len(), "{name}: {line}");
                assert!(
                    cells(lines[head + 1]).iter().all(|cell| cell == "---"),
                    "{name}: {}",
                    lines[head + 1]
                );
                assert_eq!(lines[head - 1], "", "{name}: a table stands by itself");
            }
        }
    }
}
