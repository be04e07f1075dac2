//! `/api/chats/{id}/messages`: read what was said, say something.

use axum::Json;
use axum::extract::State;
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use handset_spec::phone::CAPABILITY;
use serde::{Deserialize, Serialize};

use super::auth::Who;
use super::error::ApiError;
use super::extract::{Body, Id, Query, capabilities, word};
use super::{App, events};
use crate::gateway::view::{CardView, MessageView};
use crate::ids::ChatId;
use crate::store::{NewMessage, TurnState};

/// How many messages one answer holds, where the client does not say, and at most.
const PAGE: i64 = 200;
const MAX_PAGE: i64 = 1000;

#[derive(Deserialize)]
pub(super) struct Page {
    #[serde(default)]
    after: i64,
    /// Instead: the last ones with a smaller number.
    before: Option<i64>,
    limit: Option<i64>,
    /// Whether the cards of these turns are told as well.
    #[serde(default)]
    cards: bool,
}

#[derive(Serialize)]
pub(super) struct Messages {
    messages: Vec<MessageView>,
    /// Whether more follow: ask again with `after` = the last one's `seq`. Where `before` was asked for, whether more stand
    /// before: ask again with `before` = the first one's `seq`.
    more: bool,
    /// What became of each call that was put on a phone.
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<Vec<CardView>>,
}

pub(super) async fn list(
    State(app): State<App>,
    who: Who,
    Id(chat): Id,
    Query(page): Query<Page>,
) -> Result<Json<Messages>, ApiError> {
    let chat = ChatId::from_text(chat);
    let limit = page.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
    let store = &app.gateway.store;
    // One more than asked for tells whether more follow.
    let mut found = match page.before {
        Some(before) => store.messages_before(who.person.clone(), chat.clone(), before, limit + 1).await?,
        None => store.messages(who.person.clone(), chat.clone(), page.after, limit + 1).await?,
    };
    if found.is_empty() && store.chat(who.person.clone(), chat.clone()).await?.is_none() {
        return Err(ApiError::not_found("chat"));
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = found.len() > limit;
    if page.before.is_some() {
        found.drain(..found.len().saturating_sub(limit));
    } else {
        found.truncate(limit);
    }
    let cards = match (page.cards, found.first().zip(found.last())) {
        (false, _) => None,
        (true, None) => Some(Vec::new()),
        (true, Some((first, last))) => {
            let cards = store.cards_between(who.person, chat, first.seq, last.seq).await?;
            Some(cards.iter().map(CardView::from).collect())
        }
    };
    Ok(Json(Messages { messages: found.iter().map(MessageView::from).collect(), more, cards }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Send {
    text: String,
    #[serde(default)]
    capabilities: Vec<String>,
    device: Option<String>,
    client_id: Option<String>,
}

/// Takes a message. Who accepts an event stream gets the turn's events until its end; who does not, the stored message.
pub(super) async fn send(
    State(app): State<App>,
    who: Who,
    Id(chat): Id,
    headers: HeaderMap,
    Body(sent): Body<Send>,
) -> Result<Response, ApiError> {
    if sent.text.trim().is_empty() {
        return Err(ApiError::invalid("The text is blank."));
    }
    let capabilities = capabilities(sent.capabilities)?;
    // A token that was made for one device speaks for it alone.
    let device = who.device.or(word("device", sent.device)?);
    let message = NewMessage {
        voice: None,
        person: who.person.clone(),
        chat: ChatId::from_text(chat),
        from_phone: capabilities.iter().any(|capability| capability == CAPABILITY),
        text: sent.text,
        capabilities,
        device,
        client_id: word("client_id", sent.client_id)?,
        now_ms: app.gateway.clock.now_ms(),
    };
    // Before the message is taken, so that one that is refused for want of a place has done nothing.
    let seat = wants_stream(&headers).then(|| app.streams.enter(&who.person, &who.token)).transpose()?;
    let taken = app.gateway.take(message).await?.ok_or_else(|| ApiError::not_found("chat"))?;
    let Some(seat) = seat else {
        return Ok((StatusCode::ACCEPTED, Json(MessageView::from(&taken.begun.message))).into_response());
    };
    let turn = taken.begun.turn;
    if taken.begun.fresh || turn.state == TurnState::Running {
        return Ok(events::of_turn(&app, seat, turn.id, taken.follower));
    }
    let messages = app.gateway.store.turn_messages(who.person, turn.id.clone()).await?;
    Ok(events::of_past_turn(&turn, &messages))
}

/// Whether the client asks for an event stream by name; `*/*` does not.
fn wants_stream(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    accepted
        .flat_map(|value| value.split(','))
        .filter_map(|range| range.split(';').next())
        .any(|range| range.trim().eq_ignore_ascii_case("text/event-stream"))
}
