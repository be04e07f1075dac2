//! `/api/people`: who is on this server. Everybody sees themselves; the operator sees everybody.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::{Body, needed, once};
use crate::clock::rfc3339;
use crate::ids::PersonId;
use crate::store::{NewPerson, Person};

/// A person as JSON.
#[derive(Debug, Serialize)]
pub(super) struct PersonView {
    id: String,
    name: String,
    created_at: String,
    created_at_ms: i64,
}

impl From<&Person> for PersonView {
    fn from(person: &Person) -> Self {
        Self {
            id: person.id.to_string(),
            name: person.name.clone(),
            created_at: rfc3339(person.created_ms),
            created_at_ms: person.created_ms,
        }
    }
}

#[derive(Serialize)]
pub(super) struct People {
    people: Vec<PersonView>,
    /// The one who asks.
    you: String,
}

pub(super) async fn list(State(app): State<App>, who: Who) -> Result<Json<People>, ApiError> {
    let store = &app.gateway.store;
    let people = if who.operator {
        store.persons().await?
    } else {
        store.person(who.person.clone()).await?.into_iter().collect()
    };
    Ok(Json(People { people: people.iter().map(PersonView::from).collect(), you: who.person.to_string() }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    name: String,
    client_id: Option<String>,
}

pub(super) async fn add(
    State(app): State<App>,
    who: Who,
    Body(add): Body<Add>,
) -> Result<(StatusCode, Json<PersonView>), ApiError> {
    if !who.operator {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "operator_only", "Only the operator adds people.")
            .hint(
                "Ask with the token that stands in the data folder, or run handset person add NAME there.",
            ));
    }
    let once = once(&app, add.client_id)?;
    let person = NewPerson { name: needed("name", add.name)?, now_ms: app.gateway.clock.now_ms() };
    let person = app.gateway.store.add_person(who.person, person, once).await?;
    let person = person.ok_or_else(|| ApiError::name_taken("Somebody here"))?;
    Ok((StatusCode::CREATED, Json(PersonView::from(&person))))
}

/// The person that a request is about: the one who asks, unless it names another and the operator asks. For everybody
/// else there are no others.
pub(super) async fn about(app: &App, who: &Who, person: Option<String>) -> Result<PersonId, ApiError> {
    let Some(person) = person.map(PersonId::from_text) else { return Ok(who.person.clone()) };
    if person == who.person {
        return Ok(person);
    }
    let found = if who.operator { app.gateway.store.person(person).await? } else { None };
    found.map(|person| person.id).ok_or_else(|| ApiError::not_found("person"))
}
