//! Tool calls as models really send them, each as the bytes of an answer with what must come of it. A number such as P015
//! is that of a fault seen in the field.

use serde_json::{Value, json};

pub(super) const ON: &str = r#"{"action":"torch","on":true}"#;
pub(super) const OFF: &str = r#"{"action":"torch","on":false}"#;
pub(super) const TOOL: &str = "phone_action";

const TEXT_FOR_NUMBER: &str = r#"{"action":"timer","seconds":"300"}"#;
const NULLS: &str = r#"{"action":"torch","on":true,"time":null,"to":null}"#;
const OBJECT_FOR_TEXT: &str = r#"{"action":"sms_draft","body":{"text":"hi"}}"#;
const ESCAPES: &str = r#"{"action":"sms_draft","body":"\uc548\ub155"}"#;

/// An answer.
pub(super) struct Oddity {
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    pub(super) body: Vec<u8>,
    /// Whether it is one whole body rather than a stream.
    pub(super) whole: bool,
    pub(super) words: &'static str,
    /// The calls that it holds: name and arguments.
    pub(super) calls: Vec<(&'static str, String)>,
    /// How many cards they are, the answer coming from a phone.
    pub(super) cards: usize,
}

/// A stream of the first kind: its deltas, and how it ends.
fn openai(deltas: &[Value], finish: &str, end: &str) -> Vec<u8> {
    let chunk = |delta: &Value, finish: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        format!("data: {}\n\n", json!({"id": "c", "object": "chat.completion.chunk", "choices": [choice]}))
    };
    let mut body = chunk(&json!({"role": "assistant", "content": ""}), Value::Null);
    body.extend(deltas.iter().map(|delta| chunk(delta, Value::Null)));
    body += &chunk(&json!({}), Value::from(finish));
    (body + end).into_bytes()
}

const DONE: &str = "data: [DONE]\n\n";

fn calls(pieces: Value) -> Value {
    json!({ "tool_calls": pieces })
}

fn named(index: u32, id: &str, arguments: &str) -> Value {
    json!({"index": index, "id": id, "type": "function", "function": {"name": TOOL, "arguments": arguments}})
}

fn piece(index: u32, arguments: &str) -> Value {
    json!({"index": index, "function": {"arguments": arguments}})
}

/// A stream of the second kind.
fn anthropic(events: &[Value]) -> Vec<u8> {
    let event = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    events.iter().map(event).collect::<String>().into_bytes()
}

fn block(index: u32, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u32, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn tool_use(index: u32, id: &str, input: Value) -> Value {
    block(index, json!({"type": "tool_use", "id": id, "name": TOOL, "input": input}))
}

fn input(index: u32, partial: &str) -> Value {
    delta(index, json!({"type": "input_json_delta", "partial_json": partial}))
}

pub(super) fn all() -> Vec<Oddity> {
    let on = || vec![(TOOL, ON.to_owned())];
    let both = || vec![(TOOL, ON.to_owned()), (TOOL, OFF.to_owned())];
    let usual = [
        calls(json!([named(0, "c1", "")])),
        calls(json!([piece(0, &ON[..9])])),
        calls(json!([piece(0, &ON[9..])])),
    ];
    let with = |more: Value| [&usual[..], &[more]].concat();
    let of = |name, body, calls, cards| Oddity {
        name,
        kind: "openai",
        body,
        whole: false,
        words: "",
        calls,
        cards,
    };
    let one = |deltas: &[Value]| openai(deltas, "tool_calls", DONE);
    let whole_message = json!({"role": "assistant", "content": null, "tool_calls": [named(0, "c1", ON)]});
    let odd_ends = |body: Vec<u8>| {
        let text = String::from_utf8(body).unwrap().replace("\n\n", "\r\n\r\n: a comment\r\n\r\n");
        format!("\u{feff}: OPENROUTER PROCESSING\r\n\r\ndata: ping\r\n\r\n{}", text.trim_end()).into_bytes()
    };
    let over_lines = |body: Vec<u8>| {
        let text = String::from_utf8(body).unwrap().replace("\"choices\"", "\r\ndata: \"choices\"");
        text.replace("\n\n", "\r\n\r\n").into_bytes()
    };
    let just = |arguments: &str| vec![(TOOL, arguments.to_owned())];
    let given = |arguments: &str| one(&[calls(json!([named(0, "c1", arguments)]))]);
    let function = |function: Value| calls(json!([{"index": 0, "id": "c1", "function": function}]));
    let bare = |arguments: &str| json!({"function": {"name": TOOL, "arguments": arguments}});
    let object = json!({"action": "torch", "on": true});
    let empty = calls(json!([{"index": 1, "id": "", "function": {"name": "", "arguments": ""}}]));
    let usage = format!("data: {}\n\n{DONE}", json!({"choices": [], "usage": {"total_tokens": 9}}));
    let last = json!({"index": 0, "message": whole_message, "finish_reason": "tool_calls"});
    let whole = json!({ "choices": [last], "error": null }).to_string().into_bytes();
    let again = format!("data: {}\n\n{DONE}", json!({ "choices": [last] }));
    let words =
        [json!({"content": "早上"}), json!({"content": "好, on it."}), json!({"reasoning_content": "hm"})];
    let words_first = [&words[..], &usual[..]].concat();
    let mut all = vec![
        of("usual", one(&usual), on(), 1),
        of("p001 empty arguments", one(&[calls(json!([named(0, "c1", "")]))]), just(""), 0),
        of("p003 null arguments", one(&[function(json!({"name": TOOL, "arguments": null}))]), just(""), 0),
        of("p003 absent arguments", one(&[function(json!({"name": TOOL}))]), just(""), 0),
        of("arguments as an object", one(&[function(json!({"name": TOOL, "arguments": object}))]), on(), 1),
        of("p005 encoded twice", given(&json!(ON).to_string()), just(&json!(ON).to_string()), 1),
        of("p007 a number as text", given(TEXT_FOR_NUMBER), just(TEXT_FOR_NUMBER), 0),
        of("p009 every field, unused ones null", given(NULLS), just(NULLS), 1),
        of("p013 an object for a text", given(OBJECT_FOR_TEXT), just(OBJECT_FOR_TEXT), 1),
        of(
            "p015 one index, two ids",
            one(&[
                calls(json!([named(0, "a", &ON[..9])])),
                calls(json!([named(0, "b", &OFF[..9])])),
                calls(json!([{"index": 0, "id": "a", "function": {"arguments": &ON[9..]}}])),
                calls(json!([{"index": 0, "id": "b", "function": {"arguments": &OFF[9..]}}])),
            ]),
            both(),
            2,
        ),
        of("p017 an empty last piece at another index", one(&with(empty)), on(), 1),
        of(
            "p019 a blank behind the end",
            one(&with(calls(json!([piece(0, " ")])))),
            just(&format!("{ON} ")),
            1,
        ),
        of("p021 everything again in a last piece", one(&with(calls(json!([named(0, "c1", ON)])))), on(), 1),
        of("p023 cut at the limit, and the reason lies", one(&usual[..2]), just(&ON[..9]), 0),
        of("p025 escapes", given(ESCAPES), just(ESCAPES), 1),
        of(
            "p029 an invented tool",
            one(&[function(json!({"name": "fax", "arguments": "{}"}))]),
            vec![("fax", "{}".to_owned())],
            0,
        ),
        of(
            "no index",
            one(&[
                calls(json!([{"id": "c1", "function": {"name": TOOL, "arguments": &ON[..9]}}])),
                calls(json!([{"function": {"arguments": &ON[9..]}}])),
            ]),
            on(),
            1,
        ),
        of("no index and no id, two in one piece", one(&[calls(json!([bare(ON), bare(OFF)]))]), both(), 2),
        of(
            "the same, the first without arguments",
            one(&[calls(json!([{"function": {"name": TOOL, "arguments": null}}, bare(ON)]))]),
            [just(""), on()].concat(),
            1,
        ),
        of(
            "no id",
            one(&[
                calls(json!([{"index": 0, "function": {"name": TOOL, "arguments": ON}}])),
                calls(json!([{"index": 1, "id": null, "function": {"name": TOOL, "arguments": OFF}}])),
            ]),
            both(),
            2,
        ),
        of(
            "one id for two calls",
            one(&[calls(json!([named(0, "c1", ON)])), calls(json!([named(1, "c1", OFF)]))]),
            just(&format!("{ON}{OFF}")),
            2,
        ),
        of("two calls glued in one", given(&format!("{ON}{OFF}")), just(&format!("{ON}{OFF}")), 2),
        of(
            "an index as text, an id as a number",
            one(&[calls(json!([{"index": "0", "id": 7, "function": {"name": TOOL, "arguments": ON}}]))]),
            on(),
            1,
        ),
        of(
            "the old form",
            one(&[
                json!({"function_call": {"name": TOOL, "arguments": &ON[..9]}}),
                json!({"function_call": {"arguments": &ON[9..]}}),
            ]),
            on(),
            1,
        ),
        of("the reason says stop", openai(&usual, "stop", DONE), on(), 1),
        of("no [DONE]", openai(&usual, "tool_calls", ""), on(), 1),
        of("a usage piece without choices", openai(&usual, "tool_calls", &usage), on(), 1),
        of("the whole message again at the end", openai(&usual, "tool_calls", &again), on(), 1),
        of("CR LF, comments, a byte-order mark, no end", odd_ends(one(&usual)), on(), 1),
        of("an event over several lines", over_lines(one(&usual)), on(), 1),
        of("one object for a list of calls", one(&[json!({ "tool_calls": bare(ON) })]), on(), 1),
        Oddity { whole: true, ..of("a body although a stream was asked for", whole, on(), 1) },
        Oddity { words: "早上好, on it.", ..of("words and a call", one(&words_first), on(), 1) },
    ];
    let start = json!({"type": "message_start", "message": {"role": "assistant", "content": []}});
    let ping = json!({"type": "ping"});
    let stop = |index: u32| json!({"type": "content_block_stop", "index": index});
    let reason =
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}});
    let end = json!({"type": "message_stop"});
    let words = || {
        vec![
            start.clone(),
            block(0, json!({"type": "text", "text": ""})),
            ping.clone(),
            delta(0, json!({"type": "text_delta", "text": "好。"})),
            stop(0),
        ]
    };
    let usual = [
        words(),
        vec![
            tool_use(1, "t1", json!({})),
            input(1, ""),
            input(1, &ON[..9]),
            input(1, &ON[9..]),
            stop(1),
            reason.clone(),
            end.clone(),
        ],
    ]
    .concat();
    let of = |name, body, words, calls, cards| Oddity {
        name,
        kind: "anthropic",
        body,
        whole: false,
        words,
        calls,
        cards,
    };
    let two = [tool_use(0, "t1", json!({})), tool_use(1, "t2", json!({})), input(1, OFF), input(0, ON)];
    let filled = || tool_use(0, "t1", json!({"action": "torch", "on": true}));
    let opened = || tool_use(0, "t1", json!({}));
    let message = |blocks: &[Value]| {
        anthropic(&[std::slice::from_ref(&start), blocks, &[reason.clone(), end.clone()]].concat())
    };
    let content = json!([{"type": "text", "text": "好。"}, filled()["content_block"]]);
    let whole = json!({"type": "message", "content": content, "stop_reason": "tool_use"});
    all.extend([
        of("usual", anthropic(&usual), "好。", on(), 1),
        of("no message_stop", anthropic(&usual[..usual.len() - 1]), "好。", on(), 1),
        of("two calls", message(&two), "", both(), 2),
        of("the whole input at the start", message(&[filled()]), "", on(), 1),
        of("the input at the start and again", message(&[filled(), input(0, ON)]), "", on(), 1),
        of("no input", message(&[opened(), stop(0)]), "", just(""), 0),
        of("cut off", message(&[opened(), input(0, &ON[..9])]), "", just(&ON[..9]), 0),
        Oddity {
            whole: true,
            ..of("a body although a stream was asked for", whole.to_string().into_bytes(), "好。", on(), 1)
        },
    ]);
    all
}

/// Plain words, as either kind streams them.
pub(super) fn plain(kind: &str, words: &str) -> Vec<u8> {
    match kind {
        "openai" => openai(&[json!({ "content": words })], "stop", DONE),
        _ => anthropic(&[
            json!({"type": "message_start", "message": {}}),
            block(0, json!({"type": "text", "text": ""})),
            delta(0, json!({"type": "text_delta", "text": words})),
            json!({"type": "message_stop"}),
        ]),
    }
}

/// One call of the phone's tool.
pub(super) fn call(kind: &str, id: &str, arguments: &str) -> Vec<u8> {
    match kind {
        "openai" => openai(&[calls(json!([named(0, id, arguments)]))], "tool_calls", DONE),
        _ => anthropic(&[
            json!({"type": "message_start", "message": {}}),
            tool_use(0, id, json!({})),
            input(0, arguments),
            json!({"type": "message_stop"}),
        ]),
    }
}
