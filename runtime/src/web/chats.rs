//! `/api/chats`: open, list, show, delete.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::{Body, Id, OptionalBody, Query, once};
use crate::clock::rfc3339;
use crate::gateway::view::ChatView;
use crate::ids::ChatId;
use crate::store::{Kind, Mode, NewChat};

/// How many characters a title may have.
const MAX_TITLE: usize = 200;

#[derive(Serialize)]
pub(super) struct Chats {
    chats: Vec<Listed>,
}

/// A chat in a list: with what it is known by where it has no title. The words are cut.
#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    chat: ChatView,
    /// What the person said first.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    /// What was said last.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<Last>,
}

#[derive(Serialize)]
struct Last {
    role: &'static str,
    text: String,
    at: String,
    at_ms: i64,
}

pub(super) async fn list(State(app): State<App>, who: Who) -> Result<Json<Chats>, ApiError> {
    let store = &app.gateway.store;
    let (chats, glances) = tokio::join!(store.chats(who.person.clone()), store.glances(who.person));
    let (chats, glances) = match (chats?, glances, store.degraded()) {
        // A damaged file may still say which chats there are, where it cannot say what was said in them.
        (chats, Err(_), Some(_)) => (chats, Vec::new()),
        (chats, glances, _) => (chats, glances?),
    };
    let mut glances: HashMap<_, _> =
        glances.into_iter().map(|glance| (glance.chat.clone(), glance)).collect();
    let listed = chats.iter().map(|chat| {
        let (opening, last) =
            glances.remove(&chat.id).map(|glance| (glance.opening, glance.last)).unwrap_or_default();
        let last = last.map(|last| Last {
            role: last.role.word(),
            text: last.text,
            at: rfc3339(last.at_ms),
            at_ms: last.at_ms,
        });
        Listed { chat: chat.into(), opening, last }
    });
    Ok(Json(Chats { chats: listed.collect() }))
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Create {
    title: Option<String>,
    kind: Option<Kind>,
    mode: Option<Mode>,
    client_id: Option<String>,
}

/// Opens a chat. No body at all is the plainest one.
pub(super) async fn create(
    State(app): State<App>,
    who: Who,
    OptionalBody(create): OptionalBody<Create>,
) -> Result<(StatusCode, Json<ChatView>), ApiError> {
    let title = create.title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
    if title.as_ref().is_some_and(|title| title.chars().count() > MAX_TITLE) {
        return Err(ApiError::invalid(format!("A title may have {MAX_TITLE} characters.")));
    }
    let chat = NewChat {
        person: who.person,
        kind: create.kind.unwrap_or(Kind::Chat),
        mode: create.mode.unwrap_or(Mode::Act),
        title,
        now_ms: app.gateway.clock.now_ms(),
    };
    let once = once(&app, create.client_id)?;
    let chat = app.gateway.store.create_chat_once(chat, once).await?;
    Ok((StatusCode::CREATED, Json(ChatView::from(&chat))))
}

pub(super) async fn show(State(app): State<App>, who: Who, Id(chat): Id) -> Result<Json<ChatView>, ApiError> {
    let chat = app.gateway.store.chat(who.person, ChatId::from_text(chat)).await?;
    Ok(Json(ChatView::from(&chat.ok_or_else(|| ApiError::not_found("chat"))?)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Change {
    pinned: bool,
    client_id: Option<String>,
}

/// Pins a chat, in the place of the one that was, or takes its pin away.
pub(super) async fn change(
    State(app): State<App>,
    who: Who,
    Id(chat): Id,
    Body(change): Body<Change>,
) -> Result<Json<ChatView>, ApiError> {
    let (chat, store) = (ChatId::from_text(chat), &app.gateway.store);
    let once = once(&app, change.client_id)?;
    let found = store.chat(who.person.clone(), chat.clone()).await?;
    let found = found.ok_or_else(|| ApiError::not_found("chat"))?;
    if change.pinned && found.kind != Kind::Chat {
        return Err(ApiError::invalid("Only a chat that a person attends can be pinned."));
    }
    let now_ms = app.gateway.clock.now_ms();
    let pinned = store.pin_chat_once(who.person, chat, change.pinned, now_ms, once).await?;
    Ok(Json(ChatView::from(&pinned.ok_or_else(|| ApiError::not_found("chat"))?)))
}

#[derive(Serialize)]
pub(super) struct Stopped {
    /// Whether anything was being said. What was said by then stands as a message with the mark `interrupted`.
    stopped: bool,
}

/// Stops what the companion is saying. A card that waits stays.
pub(super) async fn stop(State(app): State<App>, who: Who, Id(chat): Id) -> Result<Json<Stopped>, ApiError> {
    let stopped = app.gateway.stop(who.person, ChatId::from_text(chat)).await?;
    Ok(Json(Stopped { stopped: stopped.ok_or_else(|| ApiError::not_found("chat"))? }))
}

/// A write without a body says its client id in the query.
#[derive(Deserialize)]
pub(super) struct Repeat {
    client_id: Option<String>,
}

pub(super) async fn delete(
    State(app): State<App>,
    who: Who,
    Id(chat): Id,
    Query(repeat): Query<Repeat>,
) -> Result<StatusCode, ApiError> {
    let once = once(&app, repeat.client_id)?;
    if app.gateway.delete_chat_once(who.person, ChatId::from_text(chat), once).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::not_found("chat"))
    }
}
