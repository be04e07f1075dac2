//! Why the server did not start, with what to do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::ringer::push::KeyError;
use crate::{config, models, store};

/// Why the server cannot start or go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The data folder, or a file in it, cannot be used.
    Data {
        /// Which.
        path: PathBuf,
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Another server works in this data folder.
    Locked {
        /// The data folder.
        path: PathBuf,
        /// That server's process id, where it wrote one.
        holder: Option<u32>,
    },
    /// The data folder is on another machine.
    NetworkMount {
        /// The data folder.
        path: PathBuf,
        /// Where that file system is mounted.
        at: PathBuf,
        /// Its kind.
        kind: String,
    },
    /// The address cannot be listened on.
    Listen {
        /// The address as it was given.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// The token's file holds no token.
    Token {
        /// The file.
        path: PathBuf,
    },
    /// The file of the key that pushes are signed with holds none, or none could be made.
    PushKey {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: KeyError,
    },
    /// The configuration is wrong.
    Config(config::Faults),
    /// The model cannot be set up.
    Model(models::Error),
    /// The store failed.
    Store(store::Error),
    /// The process's own machinery failed.
    Runtime(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data { path, source, .. } if source.kind() == io::ErrorKind::AlreadyExists => {
                write!(
                    f,
                    "{} is a file; the data folder is a folder. Choose another with --data",
                    path.display()
                )
            }
            Self::Data { path, doing, source } => write!(
                f,
                "{} {doing}: {source}. Make it writable for this user, or choose another folder with --data",
                path.display()
            ),
            Self::Locked { path, holder } => {
                write!(f, "another server works in {}", path.display())?;
                if let Some(holder) = holder {
                    write!(f, " (process {holder})")?;
                }
                f.write_str(". Stop it, or choose another folder with --data")
            }
            Self::NetworkMount { path, at, kind } => write!(
                f,
                "{} is on a network mount ({kind} at {}), where SQLite's locks do not hold and a database can be ruined. \
                 Choose a folder on a local disk with --data, or say --allow-network-mount if you know better",
                path.display(),
                at.display()
            ),
            Self::Listen { address, source } if source.kind() == io::ErrorKind::AddrInUse => write!(
                f,
                "{address} is in use by another program. Stop that program, or choose another port with --listen; port 0 \
                 takes any free one"
            ),
            Self::Listen { address, source } => {
                write!(
                    f,
                    "cannot listen on {address}: {source}. Choose an address of this machine with --listen, such as 127.0.0.1:8787"
                )
            }
            Self::Token { path } => write!(
                f,
                "{} does not hold a token (64 hexadecimal digits). Delete the file; the next start makes a new one",
                path.display()
            ),
            Self::PushKey { path, error: error @ KeyError::NoKey } => write!(
                f,
                "{} cannot be used to sign pushes: {error}. It was left as it is. Put the file back from a backup; where \
                 there is none, move it away: the next start makes a new key, and every device has to subscribe to its \
                 calls anew",
                path.display()
            ),
            Self::PushKey { path, error } => write!(f, "{} cannot be made: {error}", path.display()),
            Self::Config(faults) => faults.fmt(f),
            Self::Model(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::Runtime(source) => write!(f, "the server failed: {source}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Data { source, .. } | Self::Listen { source, .. } | Self::Runtime(source) => Some(source),
            Self::Store(error) => Some(error),
            Self::Config(faults) => Some(faults),
            Self::Model(error) => Some(error),
            Self::PushKey { error, .. } => Some(error),
            Self::Locked { .. } | Self::NetworkMount { .. } | Self::Token { .. } => None,
        }
    }
}
