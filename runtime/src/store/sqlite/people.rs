//! People, devices and codes, in SQLite.

use super::{Sqlite, codes, devices, once, persons};
use crate::ids::{DeviceId, PersonId};
use crate::store::{
    Answer, Bearer, Device, NewCode, NewDevice, NewPerson, NewToken, Once, People, Person, Redeem, Redeemed,
};

impl People for Sqlite {
    fn create_person(&self, name: String, now_ms: i64) -> Answer<'_, PersonId> {
        self.write(persons::CreatePerson { name, now_ms })
    }

    fn first_person(&self) -> Answer<'_, Option<PersonId>> {
        Box::pin(persons::first(&self.readers))
    }

    fn add_token(&self, token: NewToken) -> Answer<'_, ()> {
        self.write(persons::AddToken(token))
    }

    fn persons(&self) -> Answer<'_, Vec<Person>> {
        Box::pin(persons::all(&self.readers))
    }

    fn person(&self, person: PersonId) -> Answer<'_, Option<Person>> {
        Box::pin(persons::one(&self.readers, person))
    }

    fn add_person(&self, by: PersonId, new: NewPerson, once: Option<Once>) -> Answer<'_, Option<Person>> {
        self.write(once::Once { job: persons::AddPerson { by, new }, once })
    }

    fn devices(&self, person: PersonId) -> Answer<'_, Vec<Device>> {
        Box::pin(devices::all(&self.readers, person))
    }

    fn device(&self, person: PersonId, device: DeviceId) -> Answer<'_, Option<Device>> {
        Box::pin(devices::one(&self.readers, person, device))
    }

    fn add_device(&self, by: PersonId, new: NewDevice, once: Option<Once>) -> Answer<'_, Option<Device>> {
        self.write(once::Once { job: devices::AddDevice { by, new }, once })
    }

    fn revoke_device(
        &self,
        by: PersonId,
        person: PersonId,
        device: DeviceId,
        once: Option<Once>,
    ) -> Answer<'_, bool> {
        self.write(once::Once { job: devices::Revoke { by, person, device }, once })
    }

    fn saw_device(&self, device: DeviceId, now_ms: i64) -> Answer<'_, ()> {
        self.write(devices::Saw { device, now_ms })
    }

    fn open_code(&self, code: NewCode) -> Answer<'_, i64> {
        self.write(codes::OpenCode(code))
    }

    fn redeem(&self, code: Redeem) -> Answer<'_, Option<Redeemed>> {
        self.write(codes::RedeemCode(code))
    }

    fn bearer(&self, hash: String) -> Answer<'_, Option<Bearer>> {
        Box::pin(persons::bearer(&self.readers, hash))
    }
}
