//! Templates: the compiler's own, and anybody's.

use std::collections::BTreeSet;
use std::path::Path;

use handset_codegen::cli::{Surroundings, run};
use handset_codegen::emit::templates::{FAULTY, Renderer, Templates};
use handset_codegen::value::Model;
use handset_codegen::{Specs, check, compile};

use crate::support::{base, path};

fn walk(folder: &Path, below: &str, files: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.path().is_dir() {
            walk(&entry.path(), &path, files);
        } else {
            files.insert(path);
        }
    }
}

/// What is in the folder and not in the compiler would be edited in vain.
#[test]
fn every_template_is_in_the_compiler() {
    let mut there = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    walk(&root.join("templates"), "", &mut there);
    let table = std::fs::read_to_string(root.join("src/emit/templates/built_in.rs")).unwrap();
    let listed: BTreeSet<String> = table
        .lines()
        .filter_map(|line| line.strip_prefix("    \"")?.strip_suffix('"'))
        .map(str::to_owned)
        .collect();
    assert_eq!(listed, there, "codegen/src/emit/templates/built_in.rs lists codegen/templates/");
}

/// Specs that lack what this one has: no knobs, no texts for persons, other names.
#[test]
fn every_template_is_filled_from_every_spec() {
    let own = Specs::load(&path("../../specs")).unwrap();
    for specs in [own, base()] {
        let files = compile(&specs).unwrap_or_else(|faults| panic!("{faults}"));
        for (file, text) in &files {
            assert!(!text.contains(FAULTY), "{file}:\n{text}");
        }
    }
}

#[test]
fn every_name_of_the_wire_resolves() {
    let spec = check(&base()).unwrap_or_else(|faults| panic!("{faults}"));
    let model: serde_json::Value = serde_json::from_str(&Model::new(&spec).to_json()).unwrap();
    let names = |list: &str| -> BTreeSet<String> {
        let all = model["wire"][list].as_array().unwrap().iter();
        all.map(|each| each["name"]["snake"].as_str().unwrap().to_owned()).collect()
    };
    let (words, records) = (names("words"), names("records"));
    let all: BTreeSet<_> = words.union(&records).collect();
    assert_eq!(all.len(), words.len() + records.len(), "a type is one or the other");
    for record in model["wire"]["records"].as_array().unwrap() {
        for member in record["members"].as_array().unwrap() {
            let mut of = &member["type"];
            while of["is"] == "list" {
                of = &of["of"];
            }
            let known = match of["is"].as_str().unwrap() {
                "words" => &words,
                "record" => &records,
                _ => continue,
            };
            assert!(known.contains(of["name"]["snake"].as_str().unwrap()), "{record}");
        }
    }
    for event in model["wire"]["events"].as_array().unwrap() {
        assert!(records.contains(event["data"]["snake"].as_str().unwrap()), "{event}");
    }
}

fn rendered(templates: &[(&str, &str)]) -> Result<Vec<(String, String)>, Vec<String>> {
    let templates: Templates =
        templates.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let spec = check(&base()).unwrap_or_else(|faults| panic!("{faults}"));
    let (files, faults) = Renderer::new(&templates).render(&Model::new(&spec));
    if faults.is_empty() {
        return Ok(files.into_iter().collect());
    }
    Err(faults.iter().map(ToString::to_string).collect())
}

fn one(template: &str) -> String {
    let file = rendered(&[("x.hbs", &format!("// {{{{header}}}}\n{template}"))]).unwrap();
    file[0].1.split_once('\n').unwrap().1.to_owned()
}

#[test]
fn helpers_write_what_a_formatter_would() {
    assert_eq!(one(r#"{{quote "js" "it's"}} {{quote "js" "a \"b\""}}"#), r#""it's" 'a "b"'"#);
    assert_eq!(one(r#"{{quote "json" "a\n\"b\"\\"}}"#), r#""a\n\"b\"\\""#);
    assert_eq!(
        one(r#"{{quote "kotlin" "$a"}} {{escape "template" "`${a}`"}} {{escape "format" "{a}"}}"#),
        r#""\$a" \`\${a}\` {{a}}"#
    );
    assert_eq!(
        one("{{quote \"swift\" \"\u{202e}\"}} {{quote \"go\" \"\u{202e}\"}}"),
        r#""\u{202e}" "\u202e""#
    );
    assert_eq!(
        one(r#"{{pretty "{\"b\":[1,{}],\"a\":\"x:,\"}"}}"#),
        "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"a\": \"x:,\"\n}"
    );
    assert_eq!(one(r#"{{#join languages ", "}}{{@index}}{{this}}{{/join}}"#), "0en, 1zh");
    assert_eq!(one(r#"{{pick "b" a="1" b="2"}}{{pick "c" a="1"}}"#), "2");
    assert_eq!(
        one(r#"{{name "python" "from"}} {{name "python" "form"}} {{name "swift" "case"}}"#),
        "from_ form `case`"
    );
    assert_eq!(one(r#"{{lines "*/*" prefix=" * " width=10}}"#), " * * / *");
    assert_eq!(
        one("{{markdown \"a_b _c_ 1|2 <i>\\n[x]\"}} {{code \"a|`b\"}}"),
        r"a_b \_c\_ 1\|2 \<i\><br>\[x\] ``a\|`b``"
    );
    assert_eq!(one(r#"{{lines "one two three" prefix="// " width=10}}"#), "// one two\n// three");
    assert_eq!(
        one("{{#fits 4}}four{{else}}several{{/fits}} {{#fits 3}}four{{else}}several{{/fits}}"),
        "four several"
    );
    assert_eq!(one("{{#fits 3}}四{{else}}no{{/fits}} {{#fits 3}}四四{{else}}no{{/fits}}"), "四 no");
}

#[test]
fn parts_are_taken_in_and_are_no_files() {
    let files = rendered(&[
        ("a/x.txt.hbs", "# {{header}}\n{{> a/b}}"),
        ("a/_b.hbs", "part"),
        ("plain.txt", "# @generated by handset\n{{as it is}}"),
    ]);
    let files = files.unwrap();
    assert_eq!(files[0].0, "a/x.txt");
    assert!(files[0].1.ends_with("\npart"));
    assert_eq!(files[1], ("plain.txt".to_owned(), "# @generated by handset\n{{as it is}}".to_owned()));
    assert_eq!(files.len(), 2);
}

/// What a part sees is what the engine shows it, though it looks into the model itself.
#[test]
fn a_part_sees_its_own_value_and_what_it_is_given() {
    let filled = |part: &str, template: &str| {
        let template = format!("# {{{{header}}}}\n{template}");
        let files =
            rendered(&[("x.hbs", &template), ("_part.hbs", part)]).map_err(|faults| faults.join("\n"))?;
        Ok::<_, String>(files[0].1.split_once('\n').unwrap().1.to_owned())
    };
    let names = "{{#each phone.listed}}{{#if @first}}{{> part}} {{> part name}}{{/if}}{{/each}}";
    assert_eq!(filled("{{#if name}}{{name.snake}}{{else}}{{camel}}{{/if}}", names).unwrap(), "mode mode");
    assert!(
        filled("{{name.snake}}", names).is_err(),
        "a key that is not there is an error in a part as well"
    );
    let by = "{{#each phone.listed}}{{#if @first}}{{> part name of=name.pascal}}{{/if}}{{/each}}";
    assert_eq!(filled("{{camel}} {{of}} {{@first}} {{../name.snake}}", by).unwrap(), "mode Mode true mode");
    assert_eq!(filled("{{of}}", "{{#with phone}}{{> part of=1}}{{/with}}").unwrap(), "1");
    assert_eq!(
        filled("{{#if of}}({{> part of=false}}){{else}}end{{/if}}", "{{> part of=true}}").unwrap(),
        "(end)"
    );
    assert_eq!(filled("one\ntwo\n", "  {{> part}}\n").unwrap(), "  one\n  two\n", "a part alone is indented");
    assert_eq!(filled("one\ntwo", "x: {{> part}}").unwrap(), "x: one\ntwo", "one within a line is not");
    assert!(filled("{{> part}}", "{{> part}}").is_err(), "a part that is nothing but itself");
    assert!(filled("", "{{> other}}").unwrap_err().contains("other"));
}

#[test]
fn the_parts_of_a_wording_stand_inside_a_literal() {
    let says = r#"{{#each texts}}{{#each texts}}{{#if (eq key.snake "missing")}}{{#each wordings}}"{{inside "kotlin" parts name="camel" open="${" close="}"}}"{{/each}}{{/if}}{{/each}}{{/each}}"#;
    let written = one(says);
    assert!(
        written.starts_with('"') && written.contains("${action}") && written.contains("${fields}"),
        "{written}"
    );
}

#[test]
fn a_template_that_cannot_be_filled_is_named_with_its_line() {
    for (template, says) in [
        ("// {{header}}\n{{phone.actoins}}", "line 2, column 1: `phone.actoins` is not in the model"),
        ("// {{header}}\n{{phone.actoins}}", "did you mean `actions`?"),
        ("// {{header}}\n{{phone.snake}}", "`cargo spec model` prints"),
        ("// {{header}}\n{{#each phone.actions}}\n", "line 2: the block `{{#each}}` is not closed"),
        ("// {{header}}\n{{#if phone}}\n{{/each}}", "write `{{/if}}`"),
        ("// {{header}}\n{{phone", "is not closed"),
        ("// {{header}}\n{{quote \"cobol\" version}}", "is no style"),
        ("// {{header}}\n{{quote \"js\" phone.wait_seconds}}", "needs a text"),
        ("no header", "{{header}}"),
    ] {
        let faults = rendered(&[("x.hbs", template)]).unwrap_err();
        assert!(faults[0].starts_with("x.hbs: ") && faults[0].contains(says), "{faults:?}");
    }
}

fn spec(directory: &Path, arguments: &[&str]) -> (u8, String, String) {
    let arguments: Vec<_> = arguments.iter().map(|&text| text.to_owned()).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut around =
        Surroundings { directory: directory.to_owned(), out: &mut out, err: &mut err, colour: false };
    let code = run(&arguments, &mut around).unwrap();
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn anybodys_templates_are_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let (specs, go) = (path("base/specs"), path("../examples/go"));
    let out = folder.path().join("out");
    let arguments =
        ["emit", "--specs", specs.to_str().unwrap(), "--templates", go.to_str().unwrap(), "--out", "out"];
    let (code, said, _) = spec(folder.path(), &arguments);
    assert!(code == 0 && said.contains("wrote out/handset.go"), "{said}");
    std::fs::write(out.join("mine.go"), "package handset\n").unwrap();
    let (code, ..) = spec(folder.path(), &[&arguments[..], &["--check"]].concat());
    assert_eq!(code, 0);
    std::fs::write(out.join("handset.go"), "// @generated by handset\n").unwrap();
    std::fs::write(out.join("old.go"), "// @generated by handset\n").unwrap();
    let (code, _, err) = spec(folder.path(), &[&arguments[..], &["--check"]].concat());
    assert!(code == 1 && err.contains("stale: out/handset.go") && err.contains("out/old.go"), "{err}");
    assert!(err.contains("run `cargo spec emit --templates ") && !err.contains("spec build"), "{err}");
    assert_eq!(spec(folder.path(), &arguments).0, 0);
    assert!(out.join("mine.go").exists() && !out.join("old.go").exists());
    let (code, _, err) = spec(
        folder.path(),
        &["emit", "--specs", specs.to_str().unwrap(), "--templates", "none", "--out", "out"],
    );
    assert!(code == 2 && err.contains("cannot read the templates"), "{err}");
}

#[test]
fn the_model_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, _) = spec(folder.path(), &["model", "--specs", path("base/specs").to_str().unwrap()]);
    assert_eq!(code, 0);
    let model: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(model["format"], 1);
    let named = &model["phone"]["actions"][0]["name"];
    assert!(named["snake"].is_string() && named["screaming"].is_string(), "{named}");
}
