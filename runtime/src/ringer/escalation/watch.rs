//! The shell around the decision: who is looked at when, and what is done.
//!
//! Each person has a moment at which to look at them next, kept in the store: the first at which anything could have
//! changed while nothing happens. So a look asks one question of one index, whoever else there is, and a restart or a clock
//! that was set moves nothing. The conditions are decided once more where the act is done, in the transaction that writes
//! the invite (P109).

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::reason;
use super::state::Decision;
use crate::gateway::Gateway;
use crate::ids::PersonId;
use crate::store::{Error, Standing};
use handset_spec::settings::escalation::REASON_MESSAGES;

/// From one look to the next, in milliseconds.
const EVERY_MS: i64 = 60_000;
/// How many persons are looked at in one question.
const AT_ONCE: i64 = 64;
/// How many reasons are written at the same time.
const WRITING: usize = 4;

/// A future of an inviter's.
pub type Inviting<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// Who makes a phone ring.
pub trait Inviter: Send + Sync + 'static {
    /// Whether an invite of the person's is pending or a call goes on.
    fn engaged(&self, person: PersonId) -> Inviting<'_, bool>;
    /// Rings for this reason, if the person may still be called: that is decided in the transaction that writes the invite, and
    /// records the local date with it.
    fn escalate(&self, person: PersonId, reason: String) -> Inviting<'_, Invited>;
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invited {
    /// It rings.
    Rings,
    /// It does not: something had changed meanwhile.
    Not,
}

/// Looks at everybody whose time has come, again and again, until the server stops.
pub async fn run(gateway: Arc<Gateway>, inviter: Arc<dyn Inviter>, mut stopping: watch::Receiver<bool>) {
    loop {
        let next = gateway.clock.now_ms().saturating_add(EVERY_MS);
        let looked = async {
            if let Err(error) = look(&gateway, &inviter).await {
                tracing::error!(%error, "who may be called could not be looked up");
            }
            gateway.clock.sleep_until(next).await;
        };
        tokio::select! {
            // What is under way is dropped: nothing of it was recorded yet, and the next start looks again.
            _ = stopping.wait_for(|stopping| *stopping) => return,
            () = looked => {}
        }
    }
}

/// Looks once at everybody whose time has come.
///
/// # Errors
/// What the store says of the question who that is. What fails at one person is logged and tried again at the next look.
pub async fn look(gateway: &Arc<Gateway>, inviter: &Arc<dyn Inviter>) -> Result<(), Error> {
    let mut seen = Vec::new();
    let mut writing = JoinSet::new();
    loop {
        let due = gateway.store.to_look_at(gateway.clock.now_ms(), AT_ONCE).await?;
        // Whoever is still due is being looked at, or could not be put off: once a round is enough.
        let fresh: Vec<Standing> = due.into_iter().filter(|one| !seen.contains(&one.person)).collect();
        if fresh.is_empty() {
            break;
        }
        for standing in fresh {
            seen.push(standing.person.clone());
            if writing.len() >= WRITING {
                writing.join_next().await;
            }
            let (gateway, inviter) = (Arc::clone(gateway), Arc::clone(inviter));
            writing.spawn(async move {
                let person = standing.person.clone();
                if let Err(error) = at(&gateway, &*inviter, standing).await {
                    tracing::error!(%person, %error, "whether to call could not be decided");
                }
            });
        }
    }
    while writing.join_next().await.is_some() {}
    Ok(())
}

/// Looks at one person, and says when to look again.
async fn at(gateway: &Gateway, inviter: &dyn Inviter, standing: Standing) -> Result<(), Error> {
    let (person, seen_ms) = (standing.person.clone(), standing.look_ms.unwrap_or_default());
    let decided = decide(gateway, inviter, standing).await;
    let next = match &decided {
        Ok(Decision::Wait { until_ms, .. }) => *until_ms,
        // A call that was made is found at the next look, which puts the one after it to another day.
        Ok(Decision::Ring(_)) | Err(_) => Some(gateway.clock.now_ms().saturating_add(EVERY_MS)),
    };
    gateway.store.look_again(person, seen_ms, next).await?;
    decided.map(|_| ())
}

async fn decide(gateway: &Gateway, inviter: &dyn Inviter, standing: Standing) -> Result<Decision, Error> {
    let person = standing.person.clone();
    let engaged = inviter.engaged(person.clone()).await?;
    let decision = standing.state(engaged).decide(gateway.clock.now_ms());
    if matches!(decision, Decision::Wait { .. }) {
        return Ok(decision);
    }
    let said = match standing.heard_in {
        Some(chat) => {
            let most = i64::try_from(REASON_MESSAGES).unwrap_or(i64::MAX);
            gateway.store.last_words(person.clone(), chat, most).await?
        }
        None => Vec::new(),
    };
    let reason = reason::write(&*gateway.model, said, standing.personal.reads()).await;
    match inviter.escalate(person.clone(), reason).await? {
        Invited::Rings => tracing::info!(%person, "the companion calls after a long silence"),
        Invited::Not => tracing::info!(%person, "the companion was about to call, and something changed"),
    }
    Ok(decision)
}

#[cfg(test)]
mod tests;
