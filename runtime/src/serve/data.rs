//! The data folder: the database, the operator's token, and a lock for one server at a time.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use super::{Error, mounts};
use crate::clock::Clock;
use crate::ids::secret;
use crate::ringer::push::{KeyError, ServerKey};
use crate::store::{NewToken, Store};
use crate::web;

/// The files of a data folder.
pub(crate) const DATABASE: &str = "handset.db";
pub(crate) const TOKEN: &str = "token";
pub(crate) const LOCK: &str = "lock";
pub(crate) const PUSH_KEY: &str = "push-key.pem";

/// What the operator is called until they say otherwise.
const OPERATOR: &str = "operator";

/// The file that says where the server listens which works in the folder, as `HOST:PORT`.
pub(crate) const ADDRESS: &str = "address";

/// A data folder that this process alone works in.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Held as long as the server runs; the system lets go of it however the process ends. None where the folder takes
    /// no new file: then nobody can write there anyway.
    _lock: Option<File>,
}

impl Folder {
    /// Opens the folder, makes it where there is none (readable for its owner alone), and locks it (P151).
    pub(crate) fn open(path: &Path, allow_network_mount: bool) -> Result<Self, Error> {
        let failed = |path: &Path, doing: &'static str| {
            let path = path.to_owned();
            move |source: io::Error| Error::Data { path, doing, source }
        };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(failed(path, "cannot be made as the data folder"))?;
        if let Some(mount) = mounts::network_mount(path).filter(|_| !allow_network_mount) {
            return Err(Error::NetworkMount { path: path.to_owned(), at: mount.at, kind: mount.kind });
        }
        let lock_path = path.join(LOCK);
        let lock = match open_lock(&lock_path) {
            Ok(lock) => lock,
            // A database that is there can be read all the same; there is nothing to serve in an empty folder. A lock that
            // is there and not to be opened is another matter: a second server might hold it.
            Err(error)
                if error.kind() != io::ErrorKind::NotFound
                    && path.join(DATABASE).exists()
                    && !lock_path.exists() =>
            {
                tracing::warn!(%error, "the data folder cannot be locked");
                return Ok(Self { path: path.to_owned(), _lock: None });
            }
            Err(error) => return Err(failed(&lock_path, "cannot be written")(error)),
        };
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Locked { path: path.to_owned(), holder: holder(&lock_path) });
            }
            Err(TryLockError::Error(source)) => return Err(failed(&lock_path, "cannot be locked")(source)),
        }
        // Left by a server that ended: nobody is to take another program for it that listens there now.
        let _ = fs::remove_file(path.join(ADDRESS));
        // For people and for the doctor; the lock itself is what counts.
        let _ = lock.set_len(0).and_then(|()| writeln!(&lock, "{}", std::process::id()));
        Ok(Self { path: path.to_owned(), _lock: Some(lock) })
    }

    /// The folder itself.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The database file.
    pub(crate) fn database(&self) -> PathBuf {
        self.path.join(DATABASE)
    }

    /// The operator's copy of their token.
    pub(crate) fn token(&self) -> PathBuf {
        self.path.join(TOKEN)
    }

    /// Notes where the server listens, for the commands that work in this folder beside it.
    pub(super) fn note_address(&self, address: SocketAddr) -> Result<(), Error> {
        let path = self.path.join(ADDRESS);
        let failed = |source| Error::Data { path: path.clone(), doing: "cannot be written", source };
        write_private(&path, &address.to_string()).map_err(failed)
    }

    /// The key that pushes are signed with.
    pub(crate) fn push_key(&self) -> PathBuf {
        self.path.join(PUSH_KEY)
    }

    /// The key that pushes are signed with: read from its file, or made at the first start. A file that is there is never
    /// written over, since every device's subscription was made for that one key. None where the folder takes no file.
    pub(super) fn server_key(&self, degraded: bool) -> Result<Option<ServerKey>, Error> {
        let path = self.push_key();
        let failed = |doing| move |source| Error::Data { path: self.push_key(), doing, source };
        match fs::read_to_string(&path) {
            Ok(pem) => ServerKey::read(&pem).map(Some).map_err(|error| Error::PushKey { path, error }),
            // Bytes that are no text are no key either.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err(Error::PushKey { path, error: KeyError::NoKey })
            }
            Err(_) if degraded => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (key, pem) =
                    ServerKey::make().map_err(|error| Error::PushKey { path: path.clone(), error })?;
                write_private(&path, &pem).map_err(failed("cannot be written"))?;
                Ok(Some(key))
            }
            Err(error) => Err(failed("cannot be read")(error)),
        }
    }

    /// The operator's token: read from its file, or made at the first start. The store keeps its hash alone, and is
    /// given it again where it lost it, so that file and store cannot disagree.
    ///
    /// A degraded store is given nothing: the token is the one that is there, if one is.
    pub(crate) async fn operator(
        &self,
        store: &dyn Store,
        clock: &dyn Clock,
        degraded: bool,
    ) -> Result<Option<String>, Error> {
        let path = self.token();
        let failed = |doing| move |source| Error::Data { path: self.token(), doing, source };
        let token = match fs::read_to_string(&path) {
            Ok(text) => {
                let token = text.trim().to_owned();
                if token.len() != 64 || !token.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return Err(Error::Token { path });
                }
                token
            }
            Err(_) if degraded => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let token = secret().map_err(|error| Error::Store(error.into()))?;
                write_private(&path, &token).map_err(failed("cannot be written"))?;
                token
            }
            Err(error) => return Err(failed("cannot be read")(error)),
        };
        if degraded {
            return Ok(Some(token));
        }
        let now_ms = clock.now_ms();
        let hash = web::hash(&token);
        if store.bearer(hash.clone()).await.map_err(Error::Store)?.is_none() {
            let person = match store.first_person().await.map_err(Error::Store)? {
                Some(person) => person,
                None => store.create_person(OPERATOR.to_owned(), now_ms).await.map_err(Error::Store)?,
            };
            let token = NewToken { person, hash, name: OPERATOR.to_owned(), device: None, now_ms };
            store.add_token(token).await.map_err(Error::Store)?;
        }
        Ok(Some(token))
    }
}

/// Opens the lock's file; one that is there need not be writable to be locked.
fn open_lock(path: &Path) -> io::Result<File> {
    let opened = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path);
    opened.or_else(|error| File::open(path).map_err(|_| error))
}

/// The process that wrote itself into a lock's file.
pub(crate) fn holder(lock: &Path) -> Option<u32> {
    fs::read_to_string(lock).ok()?.trim().parse().ok()
}

/// Writes a file that only its owner may read, whole or not at all.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let temporary = path.with_extension("new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
    writeln!(file, "{text}")?;
    file.sync_all()?;
    fs::rename(&temporary, path)
}
