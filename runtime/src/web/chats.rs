//! `/api/chats`: open, list, show, delete.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::{Body, Id, OptionalBody, Query, once};
use crate::gateway::view::ChatView;
use crate::ids::ChatId;
use crate::store::{Kind, Mode, NewChat};

/// How many characters a title may have.
const MAX_TITLE: usize = 200;

#[derive(Serialize)]
pub(super) struct Chats {
    chats: Vec<ChatView>,
}

pub(super) async fn list(State(app): State<App>, who: Who) -> Result<Json<Chats>, ApiError> {
    let chats = app.gateway.store.chats(who.person).await?;
    Ok(Json(Chats { chats: chats.iter().map(ChatView::from).collect() }))
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
