//! What a template may call, beside handlebars' own (`each`, `if`, `unless`, `with`, `lookup`, `eq`, `ne`, `and`, `or`,
//! `not`, `gt`, `lt`, `len`). Few, and none knows a language but by an argument: docs/templates.md.

use handlebars::{
    BlockContext, Context, Handlebars, Helper, HelperResult, Output, RenderContext, RenderError,
    RenderErrorReason, Renderable, StringOutput,
};
use serde_json::Value;

use super::parts;
use crate::check::{KOTLIN, PYTHON, SWIFT};

/// Registers them all.
pub(super) fn register(engine: &mut Handlebars<'_>) {
    engine.register_helper("quote", Box::new(quote));
    engine.register_helper("escape", Box::new(escape));
    engine.register_helper("inside", Box::new(inside));
    engine.register_helper("pretty", Box::new(pretty));
    engine.register_helper("json", Box::new(json));
    engine.register_helper("join", Box::new(join));
    engine.register_helper("lines", Box::new(lines));
    engine.register_helper("fits", Box::new(fits));
    engine.register_helper("name", Box::new(name));
    engine.register_helper("pick", Box::new(pick));
    engine.register_helper("markdown", Box::new(markdown));
    engine.register_helper("code", Box::new(code));
    engine.register_helper(parts::NAME, Box::new(parts::take_in));
}

type Registry<'a> = Handlebars<'a>;

fn fault(message: String) -> RenderError {
    RenderErrorReason::Other(message).into()
}

/// `{{quote STYLE TEXT}}`: a text as a literal of a language. STYLE is one of [`STYLES`] that has quotes of its own.
fn quote(
    helper: &Helper<'_>,
    _: &Registry<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let style = text(helper, 0, "quote")?;
    let value = text(helper, 1, "quote")?;
    // Prettier, and the formatters of Python, prefer double quotes unless that means more escapes.
    let single = matches!(style, "js" | "python") && value.matches('"').count() > value.matches('\'').count();
    let mark = if single { '\'' } else { '"' };
    let inside = escaped(style, value, mark).map_err(fault)?;
    out.write(&format!("{mark}{inside}{mark}"))?;
    Ok(())
}

/// `{{escape STYLE TEXT}}`: the same without the quotes, for a literal that has holes as well.
fn escape(
    helper: &Helper<'_>,
    _: &Registry<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let style = text(helper, 0, "escape")?;
    out.write(&escaped(style, text(helper, 1, "escape")?, '"').map_err(fault)?)?;
    Ok(())
}

/// `{{inside STYLE PARTS name="camel" open="${" close="}"}}`: the parts of a wording as they stand between the marks of a
/// literal, each hole by its name in that style, between `open` and `close`.
fn inside(
    helper: &Helper<'_>,
    _: &Registry<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let style = text(helper, 0, "inside")?;
    let parts = helper.param(1).and_then(|parts| parts.value().as_array());
    let parts = parts.ok_or_else(|| fault("`inside` needs a list of parts as its argument 2".to_owned()))?;
    let option = |key: &str| {
        let value = helper.hash_get(key).and_then(|value| value.value().as_str());
        value.ok_or_else(|| fault(format!("`inside` needs a text as `{key}`")))
    };
    let (name, open, close) = (option("name")?, option("open")?, option("close")?);
    for part in parts {
        if let Some(literal) = part["literal"].as_str() {
            out.write(&escaped(style, literal, '"').map_err(fault)?)?;
            continue;
        }
        let hole = part["hole"][name].as_str();
        let hole = hole.ok_or_else(|| fault(format!("`inside` finds no `{name}` of a hole in {part}")))?;
        for piece in [open, hole, close] {
            out.write(piece)?;
        }
    }
    Ok(())
}

/// The languages of literals; `template` is JavaScript's between backticks, `format` Python's `f"…"`.
const STYLES: [&str; 8] = ["json", "js", "template", "python", "format", "kotlin", "swift", "go"];

/// A text as it stands between the marks of a literal.
fn escaped(style: &str, text: &str, mark: char) -> Result<String, String> {
    if !STYLES.contains(&style) {
        return Err(format!("`{style}` is no style: {}", STYLES.join(", ")));
    }
    let mut out = String::with_capacity(text.len() + 2);
    for c in text.chars() {
        match (c, style) {
            ('\\', _) => out.push_str("\\\\"),
            ('`' | '$', "template") | ('$', "kotlin") => out.extend(['\\', c]),
            ('{' | '}', "format") => out.extend([c, c]),
            (c, style) if c == mark && style != "template" => out.extend(['\\', c]),
            ('\n', _) => out.push_str("\\n"),
            ('\r', _) => out.push_str("\\r"),
            ('\t', _) => out.push_str("\\t"),
            (c, _) if shown(c) => out.push(c),
            // All that are left are below U+10000.
            (c, "swift") => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            (c, _) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    Ok(out)
}

/// Whether a character stands as it is in a source file: no control, nothing that turns the direction of what follows.
fn shown(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// How deep [`pretty`] may begin.
const MOST_INDENT: usize = 100;

/// `{{pretty JSON}}`: JSON text, indented by two spaces, its keys in their order.
fn pretty(
    helper: &Helper<'_>,
    _: &Registry<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let indent = helper.hash_get("indent").and_then(|value| value.value().as_u64()).unwrap_or(0);
    let indent = usize::try_from(indent).ok().filter(|indent| *indent <= MOST_INDENT);
    let indent = indent.ok_or_else(|| fault(format!("`pretty` indents by at most {MOST_INDENT}")))?;
    out.write(&indented(text(helper, 0, "pretty")?, indent))?;
    Ok(())
}

/// Compact JSON with line breaks.
fn indented(json: &str, depth: usize) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut inside, mut escape) = (depth, false, false);
    let mut rest = json.chars().peekable();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', depth));
    };
    while let Some(c) = rest.next() {
        if inside {
            out.push(c);
            inside = c != '"' || escape;
            escape = c == '\\' && !escape;
            continue;
        }
        match c {
            '"' => {
                inside = true;
                out.push(c);
            }
            '{' | '[' if rest.peek().is_some_and(|next| matches!(next, '}' | ']')) => {
                out.push(c);
                out.extend(rest.next());
            }
            '{' | '[' => {
                depth += 2;
                out.push(c);
                line(&mut out, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(2);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

/// `{{json VALUE}}`: a value as JSON, on one line.
fn json(
    helper: &Helper<'_>,
    _: &Registry<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let value = helper.param(0).ok_or_else(|| fault("`json` needs a value".to_owned()))?.value();
    let written = value.to_string();
    let mark = helper.hash_get("digits").and_then(|mark| mark.value().as_str());
    match mark.filter(|_| value.is_number()) {
        Some(mark) => out.write(&grouped(&written, mark))?,
        None => out.write(&written)?,
    }
    Ok(())
}

/// A number whose whole part has seven digits or more, in groups of three, as Swift's formatter wants it.
fn grouped(number: &str, mark: &str) -> String {
    let digits = number.trim_start_matches('-');
    let whole = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    if whole < 7 {
        return number.to_owned();
    }
    let start = number.len() - digits.len();
    let mut grouped = number[..start].to_owned();
    for (at, digit) in digits[..whole].char_indices() {
        if at > 0 && (whole - at).is_multiple_of(3) {
            grouped.push_str(mark);
        }
        grouped.push(digit);
    }
    grouped + &digits[whole..]
}

/// `{{#join LIST SEPARATOR}}…{{/join}}`: the block for each entry, with the separator between.
fn join<'reg, 'rc>(
    helper: &Helper<'rc>,
    engine: &'reg Handlebars<'reg>,
    context: &'rc Context,
    render: &mut RenderContext<'reg, 'rc>,
    out: &mut dyn Output,
) -> HelperResult {
    let list = helper.param(0).ok_or_else(|| fault("`join` needs a list".to_owned()))?;
    let separator = text(helper, 1, "join")?;
    let entries = list.value().as_array().ok_or_else(|| fault("`join` needs a list".to_owned()))?;
    let template = helper.template().ok_or_else(|| fault("`join` needs a block".to_owned()))?;
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            out.write(separator)?;
        }
        let mut block = BlockContext::new();
        // A list of the model is known by its path, and its entries need not be copied. A small one is, since every look
        // at it would copy the path.
        match list.context_path().filter(|_| !is_flat(entry)) {
            Some(path) => {
                block.base_path_mut().extend_from_slice(path);
                block.base_path_mut().push(index.to_string());
            }
            None => block.set_base_value(entry.clone()),
        }
        block.set_local_var("index", index.into());
        render.push_block(block);
        let done = template.render(engine, context, render, out);
        render.pop_block();
        done?;
    }
    Ok(())
}

/// Whether a value holds no other lists and objects.
fn is_flat(value: &Value) -> bool {
    let plain = |value: &Value| !value.is_array() && !value.is_object();
    value.as_object().map_or_else(|| plain(value), |members| members.values().all(plain))
}

/// `{{lines TEXT prefix="// " width=100}}`: a text in lines of at most that width, the prefix before each.
/// Behind a prefix that ends in `*`, what would end the comment, or begin another, gets a space.
fn lines(
    helper: &Helper<'_>,
    _: &Registry<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let prefix = helper.hash_get("prefix").and_then(|value| value.value().as_str()).unwrap_or_default();
    let width = helper.hash_get("width").and_then(|value| value.value().as_u64()).unwrap_or(100);
    let width = usize::try_from(width).unwrap_or(usize::MAX);
    out.write(&wrapped(text(helper, 0, "lines")?, prefix, width))?;
    Ok(())
}

fn wrapped(text: &str, prefix: &str, width: usize) -> String {
    // In a comment between `/*` and `*/` a text may hold neither; some languages count both.
    let text = match prefix.trim_end().ends_with('*') {
        true => &text.replace("*/", "* /").replace("/*", "/ *"),
        false => text,
    };
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        let mut count = 0;
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            let length = word.chars().count();
            if count > 0 && prefix.chars().count() + count + 1 + length > width {
                lines.push(std::mem::take(&mut line));
                count = 0;
            }
            if count > 0 {
                line.push(' ');
                count += 1;
            }
            line.extend(word.chars().map(|c| if shown(c) { c } else { '\u{fffd}' }));
            count += length;
        }
        lines.push(line);
    }
    let with_prefix = |line: String| format!("{prefix}{line}").trim_end().to_owned();
    lines.into_iter().map(with_prefix).collect::<Vec<_>>().join("\n")
}

/// `{{#fits WIDTH}}on one line{{else}}on several{{/fits}}`: the first, if each of its lines has at most that many
/// characters.
fn fits<'reg, 'rc>(
    helper: &Helper<'rc>,
    engine: &'reg Handlebars<'reg>,
    context: &'rc Context,
    render: &mut RenderContext<'reg, 'rc>,
    out: &mut dyn Output,
) -> HelperResult {
    let width = helper.param(0).and_then(|param| param.value().as_u64());
    let width = width.ok_or_else(|| fault("`fits` needs a width".to_owned()))?;
    let (Some(one), Some(several)) = (helper.template(), helper.inverse()) else {
        return Err(fault("`fits` needs a block with an {{else}}".to_owned()));
    };
    let mut short = StringOutput::new();
    one.render(engine, context, render, &mut short)?;
    let short = short.into_string().map_err(|error| fault(error.to_string()))?;
    let most = usize::try_from(width).unwrap_or(usize::MAX);
    if short.lines().all(|line| columns(line) <= most) {
        out.write(&short)?;
        return Ok(());
    }
    several.render(engine, context, render, out)
}

/// How wide a line is: characters of East Asia take two columns, as the formatters count them.
fn columns(line: &str) -> usize {
    let wide = |c: char| matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd);
    line.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}

/// `{{name STYLE NAME}}`: a name as an identifier, with the marks that it needs where the language keeps the word for
/// itself. STYLE is `kotlin`, `swift` or `python`.
fn name(
    helper: &Helper<'_>,
    _: &Registry<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let style = text(helper, 0, "name")?;
    let name = text(helper, 1, "name")?;
    let (words, before, behind) = match style {
        "kotlin" => (KOTLIN, "`", "`"),
        "swift" => (SWIFT, "`", "`"),
        "python" => (PYTHON, "", "_"),
        other => return Err(fault(format!("`{other}` is no style of names: kotlin, swift, python"))),
    };
    let (before, behind) = if words.contains(&name) { (before, behind) } else { ("", "") };
    for piece in [before, name, behind] {
        out.write(piece)?;
    }
    Ok(())
}

/// `{{pick WORD this="That" other="Another"}}`: the text that stands under the word; nothing where none does.
fn pick(
    helper: &Helper<'_>,
    _: &Registry<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let word = text(helper, 0, "pick")?;
    if let Some(picked) = helper.hash_get(word) {
        let picked = picked.value().as_str();
        out.write(picked.ok_or_else(|| fault(format!("`pick` needs a text under `{word}`")))?)?;
    }
    Ok(())
}

/// `{{markdown TEXT}}`: a text in Markdown, in a table as well: nothing in it is taken for a sign, and its line breaks do
/// not end the row.
fn markdown(
    helper: &Helper<'_>,
    _: &Registry<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let text = text(helper, 0, "markdown")?;
    let mut written = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let inside = before.is_alphanumeric() && rest.peek().is_some_and(|next| next.is_alphanumeric());
        match c {
            '\n' => written.push_str("<br>"),
            '_' if inside => written.push('_'),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '$' | '#' => {
                written.extend(['\\', c]);
            }
            c if shown(c) => written.push(c),
            // A place where something stands that cannot be seen, or turns what follows.
            c => written.push_str(&format!("U+{:04X}", u32::from(c))),
        }
        before = c;
    }
    out.write(&written)?;
    Ok(())
}

/// `{{code TEXT}}`: a text on one line as Markdown's code, in a table as well.
fn code(
    helper: &Helper<'_>,
    _: &Registry<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let text = text(helper, 0, "code")?;
    // One backtick more than stand together inside.
    let most = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(most + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    let inside: String = text.chars().map(|c| if shown(c) { c } else { ' ' }).collect();
    out.write(&format!("{ticks}{space}{}{space}{ticks}", inside.replace('|', "\\|")))?;
    Ok(())
}

fn text<'h>(helper: &'h Helper<'_>, index: usize, name: &str) -> Result<&'h str, RenderError> {
    let param = helper.param(index).map(|param| param.value());
    match param {
        Some(Value::String(text)) => Ok(text),
        Some(other) => {
            Err(fault(format!("`{name}` needs a text as its argument {}, and got {other}", index + 1)))
        }
        None => Err(fault(format!("`{name}` needs an argument {}", index + 1))),
    }
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn long_numbers_stand_in_groups_of_three() {
        let cases = [
            ("999999", "999999"),
            ("1000000", "1_000_000"),
            ("-12345678", "-12_345_678"),
            ("1234567.25", "1_234_567.25"),
            ("0.12345678", "0.12345678"),
        ];
        for (number, wanted) in cases {
            assert_eq!(grouped(number, "_"), wanted);
        }
    }
}
