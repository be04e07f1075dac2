//! JSON to be written into a file as its neighbours are written: on one line where it fits, else a line an element.

use crate::read::{Member, Node, Span, Value};

/// A line is usually filled up to this column.
const WIDTH: usize = 110;

pub(super) fn text(text: impl Into<String>) -> Node {
    node(Value::String(text.into()))
}

pub(super) fn number(text: impl ToString) -> Node {
    node(Value::Number(text.to_string()))
}

pub(super) fn boolean(value: bool) -> Node {
    node(Value::Bool(value))
}

pub(super) fn list(items: impl IntoIterator<Item = Node>) -> Node {
    node(Value::Array(items.into_iter().collect()))
}

pub(super) fn texts<'t>(items: impl IntoIterator<Item = &'t str>) -> Node {
    list(items.into_iter().map(text))
}

pub(super) fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, Node)>) -> Node {
    let member = |(key, value): (K, Node)| Member { key: key.into(), key_span: Span::default(), value };
    node(Value::Object(members.into_iter().map(member).collect()))
}

fn node(value: Value) -> Node {
    Node { span: Span::default(), value }
}

/// How a file is laid out.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// What a level is indented by.
    pub(super) step: String,
    /// What ends a line.
    pub(super) newline: &'static str,
    /// A line is filled up to this column.
    width: usize,
}

impl Layout {
    /// The layout of a text.
    pub(super) fn of(text: &str) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let indented = text.lines().find(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
        let step = indented.map_or("  ", |line| &line[..line.len() - line.trim_start().len()]);
        Self { step: step.to_owned(), newline, width: WIDTH }
    }

    /// The same with lines that may be as long as this, where that is longer than usual.
    pub(super) fn within(&self, width: usize) -> Self {
        Self { width: self.width.max(width), ..self.clone() }
    }

    /// Writes a value that begins at a column of a line with this indent.
    pub(super) fn write(&self, value: &Node, indent: &str, column: usize, out: &mut String) {
        let line = inline(value);
        if column.saturating_add(line.chars().count()) <= self.width {
            out.push_str(&line);
            return;
        }
        let inner = format!("{indent}{}", self.step);
        let (open, close) = match &value.value {
            Value::Array(items) if !items.is_empty() => ('[', ']'),
            Value::Object(members) if !members.is_empty() => ('{', '}'),
            _ => {
                out.push_str(&line);
                return;
            }
        };
        out.push(open);
        let mut first = true;
        let mut begin = |out: &mut String| {
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            out.push_str(self.newline);
            out.push_str(&inner);
        };
        for item in value.as_array().unwrap_or_default() {
            begin(out);
            self.write(item, &inner, inner.chars().count(), out);
        }
        for member in value.as_object().unwrap_or_default() {
            begin(out);
            let key = key(&member.key);
            out.push_str(&key);
            self.write(&member.value, &inner, inner.chars().count() + key.chars().count(), out);
        }
        out.push_str(self.newline);
        out.push_str(indent);
        out.push(close);
    }
}

/// A key with its colon.
pub(super) fn key(key: &str) -> String {
    let mut out = String::new();
    crate::read::write_string(key, &mut out);
    out.push_str(": ");
    out
}

/// A value on one line.
pub(super) fn inline(value: &Node) -> String {
    match &value.value {
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let member = |member: &Member| key(&member.key) + &inline(&member.value);
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        _ => value.compact(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, number, object, text, texts};

    #[test]
    fn what_fits_stands_on_one_line() {
        let layout = Layout::of("");
        let value = object([("a", texts(["x", "y"])), ("b", number(1))]);
        let write = |column| {
            let mut out = String::new();
            layout.write(&value, "", column, &mut out);
            out
        };
        assert_eq!(write(0), r#"{"a": ["x", "y"], "b": 1}"#);
        assert_eq!(write(100), "{\n  \"a\": [\"x\", \"y\"],\n  \"b\": 1\n}");
        let mut out = String::new();
        layout.write(&text("x".repeat(200)), "", 0, &mut out);
        assert_eq!(out.len(), 202);
    }

    #[test]
    fn the_layout_is_the_files() {
        assert_eq!(Layout::of("{\r\n\t\"a\": 1\r\n}").step, "\t");
        assert_eq!(Layout::of("{\r\n\t\"a\": 1\r\n}").newline, "\r\n");
        assert_eq!(Layout::of("{}").step, "  ");
    }
}
