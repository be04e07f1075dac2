//! Where a conversation began: behind a call, or behind a long pause. (spec-format: markers, `conversation_gap`.)

use sqlx::{Row as _, SqliteConnection};

use crate::ids::{ChatId, PersonId};
use crate::store::Error;

/// How many messages are looked at in one step.
const STEP: i64 = 128;

/// Since when the conversation goes on that a message of now would belong to; `now_ms` where it would be its first.
pub(super) async fn started_ms(
    connection: &mut SqliteConnection,
    person: &PersonId,
    chat: &ChatId,
    gap_ms: i64,
    now_ms: i64,
) -> Result<i64, Error> {
    let call_ms: Option<i64> =
        sqlx::query_scalar("SELECT MAX(ended_at) FROM calls WHERE person = $1 AND state = 'ended'")
            .bind(person.as_str())
            .fetch_one(&mut *connection)
            .await?;
    let (mut started_ms, mut before) = (now_ms, i64::MAX);
    loop {
        let found = sqlx::query(
            "SELECT seq, created_at FROM messages WHERE person = $1 AND chat = $2 AND seq < $3 \
             AND role IN ('person', 'companion') ORDER BY seq DESC LIMIT $4",
        )
        .bind(person.as_str())
        .bind(chat.as_str())
        .bind(before)
        .bind(STEP)
        .fetch_all(&mut *connection)
        .await?;
        for row in &found {
            let said_ms: i64 = row.try_get(1)?;
            if started_ms.saturating_sub(said_ms) >= gap_ms
                || call_ms.is_some_and(|call_ms| said_ms <= call_ms)
            {
                return Ok(started_ms);
            }
            (before, started_ms) = (row.try_get(0)?, said_ms.min(started_ms));
        }
        if i64::try_from(found.len()).unwrap_or(0) < STEP {
            return Ok(started_ms);
        }
    }
}
