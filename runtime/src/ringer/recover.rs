//! After a restart: bursts go on with the rings still due, what has expired meanwhile leaves its voicemail, calls have their
//! deadlines again, and records that waited for a summary are written without one.

use super::burst::Event;
use super::rings::ringing;
use super::{Ringer, invite};
use crate::store::Error;

impl Ringer {
    /// Takes up what the last run of the server left. Called once, before anyone is served and after a bell was hung.
    ///
    /// # Errors
    /// What the store says.
    pub async fn recover(&self) -> Result<usize, Error> {
        let shell = &self.shell;
        let invites = shell.store.pending_invites().await?;
        let calls = shell.store.open_calls().await?;
        let count = invites.len() + calls.len();
        if count == 0 {
            return Ok(0);
        }
        for invite in invites {
            let now_ms = shell.clock.now_ms();
            if now_ms >= invite.plan.expires_ms {
                shell.settle(invite.person, &invite.id, invite::Event::Tick, None).await?;
                continue;
            }
            let mut ringing = ringing(&invite);
            (ringing.burst, _) = ringing.burst.on(Event::Restarted, now_ms);
            shell.deadlines.prepare(invite.id.clone(), ringing);
            shell.deadlines.begin(&invite.id);
        }
        for call in calls {
            if call.is_live() {
                shell.deadlines.look(&call.person, &call.id, call.line.wakes_ms());
            } else {
                // What was said stood in the memory of the last run alone.
                shell.store.write_record(call.person, call.id, None, shell.clock.now_ms()).await?;
            }
        }
        self.watch();
        Ok(count)
    }
}
