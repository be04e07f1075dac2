//! Every oddity cut at every byte: the same words, the same calls.

use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};

use handset::gateway::calls::{Assembled, Assembler};
use handset::gateway::model::{Delta, Fault, Model, Prompt, Said};
use handset::models::anthropic::Message;
use handset::models::openai::Completion;
use handset::models::reply::{Decoder, Reply};
use handset_spec::tools::PHONE_ACTION;

use super::endpoint::{Answer, Endpoint};
use super::oddities::{Oddity, all};
use super::*;

type Heard = (String, Vec<(String, String)>);

fn gather(deltas: Vec<Delta>) -> Heard {
    let mut words = String::new();
    let mut assembler = Assembler::default();
    for delta in deltas {
        match delta {
            Delta::Text(text) => words += &text,
            Delta::Call(piece) => assembler.push(piece),
        }
    }
    (
        words,
        assembler.finish().into_iter().map(|Assembled { name, arguments, .. }| (name, arguments)).collect(),
    )
}

fn read_as<'a>(
    decoder: impl Decoder,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    delimited: bool,
) -> Result<Heard, Fault> {
    let mut reply = Reply::new(decoder);
    let mut out = Vec::new();
    for piece in pieces {
        reply.push(piece, &mut out)?;
    }
    reply.finish(delimited, &mut out)?;
    Ok(gather(out))
}

fn read<'a>(kind: &str, pieces: impl IntoIterator<Item = &'a [u8]>, delimited: bool) -> Result<Heard, Fault> {
    match kind {
        "openai" => read_as(Completion::default(), pieces, delimited),
        _ => read_as(Message::default(), pieces, delimited),
    }
}

fn expected(oddity: &Oddity) -> Heard {
    let calls =
        oddity.calls.iter().map(|(name, arguments)| ((*name).to_owned(), arguments.clone())).collect();
    (oddity.words.to_owned(), calls)
}

#[test]
fn every_oddity_cut_in_two_at_every_byte() {
    for oddity in all() {
        let (kind, body) = (oddity.kind, &oddity.body);
        for cut in 0..=body.len() {
            let (a, b) = body.split_at(cut);
            assert_eq!(
                read(kind, [a, b], true).as_ref(),
                Ok(&expected(&oddity)),
                "{kind}: {} at {cut}",
                oddity.name
            );
        }
        assert_eq!(
            read(kind, body.chunks(1), true),
            Ok(expected(&oddity)),
            "{kind}: {}, byte by byte",
            oddity.name
        );
    }
}

/// A connection that is lost at any byte: a fault, or the reply as it would have been, never another call.
#[test]
fn every_oddity_lost_at_every_byte() {
    for oddity in all() {
        let whole = expected(&oddity);
        for end in 0..oddity.body.len() {
            match read(oddity.kind, [&oddity.body[..end]], false) {
                Err(_) => {}
                // Behind the word that the reply is complete, nothing that is missing matters.
                Ok(heard) => assert_eq!(heard, whole, "{} lost at {end}", oddity.name),
            }
        }
    }
}

/// One stream over a real socket, cut in two at every byte, through the client that the server uses.
#[test]
fn a_real_socket_cut_at_every_byte() {
    let oddity = all().into_iter().find(|oddity| oddity.name == "words and a call").unwrap();
    let (body, whole) = (oddity.body.clone(), expected(&oddity));
    let cut = std::sync::Arc::new(AtomicUsize::new(0));
    let next = std::sync::Arc::clone(&cut);
    let endpoint = Endpoint::new(move |_| Answer::cut(&body, next.load(Ordering::Relaxed)));
    let data = Folder::new();
    configured(&data, "openai", &endpoint, "");
    let config = handset::config::load(Some(&data.path().join("handset.toml")), data.path()).unwrap();
    let model = handset::models::build(&config.model).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for at in 0..=oddity.body.len() {
        cut.store(at, Ordering::Relaxed);
        let heard = runtime.block_on(listen(&*model)).unwrap();
        assert_eq!(heard, whole, "cut at {at}");
    }
}

async fn listen(model: &dyn Model) -> Result<Heard, Fault> {
    let said = vec![Said::Person { sent: String::new(), text: "hello".to_owned(), capabilities: Vec::new() }];
    let mut deltas = model.open(Prompt { system: "s".into(), said, tools: vec![&PHONE_ACTION] });
    let mut heard = Vec::new();
    while let Some(delta) = deltas.recv().await {
        heard.push(delta?);
    }
    Ok(gather(heard))
}

/// Nobody there at all: told at once, and not for ever.
#[test]
fn nobody_listens() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let data = Folder::new();
    fs::create_dir_all(data.path()).unwrap();
    let file = data.path().join("handset.toml");
    fs::write(
        &file,
        format!("[model]\nkind = \"openai\"\nurl = \"http://{free}\"\nmodel = \"m\"\nretries = 0"),
    )
    .unwrap();
    let model =
        handset::models::build(&handset::config::load(Some(&file), data.path()).unwrap().model).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let fault = runtime.block_on(listen(&*model)).unwrap_err();
    assert_eq!(fault.code, handset::gateway::model::Code::Unreachable);
    assert!(fault.detail.contains("refused"), "{fault}");
}
