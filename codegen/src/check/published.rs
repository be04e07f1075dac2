//! The schema of a tool's calls as it is shown to models.
//!
//! A field that is not required may be null, and counts as absent then (document 1 §2). Some models fill in every
//! property they are shown, and some of the servers before them check the call against the schema first: it has to say
//! that null is allowed.

use std::collections::BTreeSet;

use crate::read::{Member, Node, Value};

/// The schema, with null allowed for every property that is not required.
pub(super) fn published(parameters: &Node) -> Node {
    let mut schema = parameters.clone();
    let required: BTreeSet<String> = match parameters.get("required").and_then(Node::as_array) {
        Some(names) => names.iter().filter_map(Node::as_str).map(str::to_owned).collect(),
        None => BTreeSet::new(),
    };
    if let Some(Value::Object(properties)) = member(&mut schema, "properties") {
        for property in properties.iter_mut().filter(|property| !required.contains(&property.key)) {
            allow_null(&mut property.value);
        }
    }
    schema
}

fn allow_null(property: &mut Node) {
    let span = property.span;
    if let Some(ty) = member(property, "type") {
        let one = Node { span, value: std::mem::replace(ty, Value::Null) };
        *ty = Value::Array(vec![one, Node { span, value: Value::String("null".to_owned()) }]);
    }
    if let Some(Value::Array(values)) = member(property, "enum") {
        values.push(Node { span, value: Value::Null });
    }
}

fn member<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Value> {
    let Value::Object(members) = &mut node.value else { return None };
    members.iter_mut().find(|member: &&mut Member| member.key == key).map(|member| &mut member.value.value)
}

#[cfg(test)]
mod tests {
    use super::published;
    use crate::read::parse;

    #[test]
    fn p009_what_is_not_required_may_be_null() {
        let schema = r#"{"type":"object","properties":{"action":{"type":"string","enum":["dial"]},
            "mode":{"type":"string","enum":["drive"]},"stop":{"type":"object","properties":{"lat":{"type":"number"}}}},
            "required":["action"]}"#;
        let Ok(schema) = parse(schema) else { panic!("the schema is JSON") };
        assert_eq!(
            published(&schema).compact(),
            r#"{"type":"object","properties":{"action":{"type":"string","enum":["dial"]},"mode":{"type":["string","null"],"enum":["drive",null]},"stop":{"type":["object","null"],"properties":{"lat":{"type":"number"}}}},"required":["action"]}"#
        );
    }
}
