//! A model's stream beside its rivals: from the socket's bytes to words and calls.
//!
//! The rival is what a client is usually made of: `eventsource-stream` for the events, `serde_json::Value` for what is in
//! them. It gathers what a well-behaved provider sends; the oddities that the reader here knows it would not survive.

#![allow(clippy::expect_used, reason = "a benchmark without its rivals is none")]

mod rounds;

use std::convert::Infallible;
use std::hint::black_box;

use eventsource_stream::Eventsource as _;
use futures_util::{StreamExt as _, stream};
use handset::gateway::calls::Assembler;
use handset::gateway::model::Delta;
use handset::models::openai::Completion;
use handset::models::reply::Reply;
use handset::models::sse::{Reader, TooLong};
use rounds::{Candidate, report};
use serde_json::{Value, json};

/// How many events there are, and how many bytes come at once: what fits in one packet.
const EVENTS: usize = 2_000;
const PACKET: usize = 1_400;

fn main() {
    let body = body();
    let packets: Vec<&[u8]> = body.chunks(PACKET).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    println!("{EVENTS} events, {} bytes each, in packets of {PACKET}\n", body.len() / EVENTS);
    let whole = theirs(&runtime, &packets);
    assert_eq!(ours(&packets), whole, "both hear the same");
    report(
        "from bytes to words and calls",
        EVENTS,
        vec![
            Candidate::new("reader, decoder and assembler", || drop(black_box(ours(black_box(&packets))))),
            Candidate::new("eventsource-stream and serde_json to Value", || {
                drop(black_box(theirs(&runtime, black_box(&packets))));
            }),
        ],
    );
    report(
        "from bytes to events",
        EVENTS,
        vec![
            Candidate::new("reader", || {
                let mut reader = Reader::default();
                let mut take = |data: &str| {
                    black_box(data);
                    Ok::<_, TooLong>(())
                };
                for packet in &packets {
                    reader.push(black_box(packet), &mut take).expect("no line is that long");
                }
            }),
            Candidate::new("eventsource-stream", || {
                let bytes = stream::iter(packets.iter().map(|packet| Ok::<_, Infallible>(packet.to_vec())));
                let mut events = bytes.eventsource();
                runtime.block_on(async {
                    while let Some(event) = events.next().await {
                        drop(black_box(event));
                    }
                });
            }),
        ],
    );
}

/// Words in small pieces, in two languages, and now and then a call.
fn body() -> Vec<u8> {
    let mut body = String::new();
    for number in 0..EVENTS {
        let delta = match number % 20 {
            18 => {
                let function = json!({"name": "phone_action", "arguments": ""});
                json!({"tool_calls": [{"index": number, "id": format!("c{number}"), "type": "function", "function": function}]})
            }
            19 => {
                let function = json!({"arguments": r#"{"action":"torch","on":true}"#});
                json!({"tool_calls": [{"index": number - 1, "function": function}]})
            }
            odd if odd % 2 == 1 => json!({"content": "好的，"}),
            _ => json!({"content": " all right"}),
        };
        let choice = json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": null});
        let chunk = json!({
            "id": "chatcmpl-123456789", "object": "chat.completion.chunk", "created": 1_796_042_092, "model": "m",
            "system_fingerprint": "fp_44709d6fcb", "choices": [choice],
        });
        body += &format!("data: {chunk}\n\n");
    }
    body += "data: [DONE]\n\n";
    body.into_bytes()
}

type Heard = (String, Vec<(String, String)>);

fn ours(packets: &[&[u8]]) -> Heard {
    let mut reply = Reply::new(Completion::default());
    let mut assembler = Assembler::default();
    let (mut words, mut out) = (String::new(), Vec::new());
    for packet in packets {
        reply.push(packet, &mut out).expect("a whole stream");
        for delta in out.drain(..) {
            match delta {
                Delta::Text(text) => words += &text,
                Delta::Call(piece) => assembler.push(piece),
            }
        }
    }
    (words, assembler.finish().into_iter().map(|call| (call.name, call.arguments)).collect())
}

fn theirs(runtime: &tokio::runtime::Runtime, packets: &[&[u8]]) -> Heard {
    let bytes = stream::iter(packets.iter().map(|packet| Ok::<_, Infallible>(packet.to_vec())));
    let mut events = bytes.eventsource();
    let (mut words, mut calls) = (String::new(), Vec::<(u64, String, String)>::new());
    runtime.block_on(async {
        while let Some(Ok(event)) = events.next().await {
            let Ok(chunk) = serde_json::from_str::<Value>(&event.data) else { continue };
            let delta = &chunk["choices"][0]["delta"];
            words += delta["content"].as_str().unwrap_or_default();
            for piece in delta["tool_calls"].as_array().into_iter().flatten() {
                let index = piece["index"].as_u64().unwrap_or_default();
                let function = &piece["function"];
                let arguments = function["arguments"].as_str().unwrap_or_default();
                match calls.iter_mut().find(|(known, ..)| *known == index) {
                    Some((_, _, whole)) => whole.push_str(arguments),
                    None => {
                        let name = function["name"].as_str().unwrap_or_default().to_owned();
                        calls.push((index, name, arguments.to_owned()));
                    }
                }
            }
        }
    });
    (words, calls.into_iter().map(|(_, name, arguments)| (name, arguments)).collect())
}
