//! What is kept of people: who they are, their devices and tokens, and one-time codes.

use super::{
    Answer, Bearer, Device, NewCode, NewDevice, NewPerson, NewToken, Once, Person, Redeem, Redeemed,
};
use crate::ids::{DeviceId, PersonId};

/// People, their devices, and the codes by which devices are added.
pub trait People: Send + Sync {
    /// Makes a person. Names need not differ.
    fn create_person(&self, name: String, now_ms: i64) -> Answer<'_, PersonId>;
    /// The person who was made first: the operator of this server.
    fn first_person(&self) -> Answer<'_, Option<PersonId>>;
    /// Gives a person a token; one that bore the same name is no longer known.
    fn add_token(&self, token: NewToken) -> Answer<'_, ()>;
    /// Everybody, in the order in which they came. For the operator alone.
    fn persons(&self) -> Answer<'_, Vec<Person>>;
    /// One person.
    fn person(&self, person: PersonId) -> Answer<'_, Option<Person>>;
    /// Adds a person; nothing where somebody is called so.
    fn add_person(&self, by: PersonId, person: NewPerson, once: Option<Once>) -> Answer<'_, Option<Person>>;
    /// The person's devices, in the order in which they were added.
    fn devices(&self, person: PersonId) -> Answer<'_, Vec<Device>>;
    /// One device of the person's.
    fn device(&self, person: PersonId, device: DeviceId) -> Answer<'_, Option<Device>>;
    /// Adds a device; nothing where the person has one that is called so. Repeated with another hash, it is
    /// [`Error::Gone`]: the first token is kept nowhere.
    fn add_device(&self, by: PersonId, device: NewDevice, once: Option<Once>) -> Answer<'_, Option<Device>>;
    /// Takes a device's token away; false where the person has no such device. The operator's own token stays.
    fn revoke_device(
        &self,
        by: PersonId,
        person: PersonId,
        device: DeviceId,
        once: Option<Once>,
    ) -> Answer<'_, bool>;
    /// Notes that a device was seen; within a minute of the last note, nothing is written.
    fn saw_device(&self, device: DeviceId, now_ms: i64) -> Answer<'_, ()>;
    /// Keeps a one-time code and gives the moment until which it holds.
    fn open_code(&self, code: NewCode) -> Answer<'_, i64>;
    /// Redeems a code for a device; nothing where it is not known, used, or past its time.
    fn redeem(&self, code: Redeem) -> Answer<'_, Option<Redeemed>>;
    /// Who bears the token with this SHA-256 hash (hexadecimal digits).
    fn bearer(&self, hash: String) -> Answer<'_, Option<Bearer>>;
}
