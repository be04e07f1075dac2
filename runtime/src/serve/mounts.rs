//! Whether a folder is on another machine: SQLite's locks do not hold there, and two servers would ruin the file (P151).

use std::path::{Path, PathBuf};

/// File systems whose files another machine holds.
const NETWORK: &[&str] = &[
    "9p",
    "afs",
    "ceph",
    "cifs",
    "davfs",
    "glusterfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "smb3",
    "smbfs",
    "fuse.ceph",
    "fuse.davfs",
    "fuse.glusterfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
];

/// A mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mount {
    /// Where it stands.
    pub(crate) at: PathBuf,
    /// Its file system.
    pub(crate) kind: String,
}

/// The network mount that a folder is on, if it is on one. Where the system does not tell, it is on none.
pub(crate) fn network_mount(folder: &Path) -> Option<Mount> {
    let mounts = std::fs::read_to_string("/proc/self/mounts").ok()?;
    let mount = mount_of(&mounts, &folder.canonicalize().ok()?)?;
    NETWORK.contains(&mount.kind.as_str()).then_some(mount)
}

/// The mount that a path is on: of those above it the deepest, and of several at one place the last.
fn mount_of(mounts: &str, path: &Path) -> Option<Mount> {
    let mut found: Option<Mount> = None;
    for line in mounts.lines() {
        let mut fields = line.split(' ');
        let (Some(at), Some(kind)) = (fields.nth(1), fields.next()) else { continue };
        let at = PathBuf::from(unescaped(at));
        let deeper = |found: &Mount| at.components().count() >= found.at.components().count();
        if path.starts_with(&at) && found.as_ref().is_none_or(deeper) {
            found = Some(Mount { at, kind: kind.to_owned() });
        }
    }
    found
}

/// Blanks and backslashes stand as three octal digits.
fn unescaped(field: &str) -> String {
    let field = field.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n");
    field.replace("\\134", "\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "/dev/vda / ext4 rw 0 0\n\
        server:/home /home nfs4 rw 0 0\n\
        /dev/vdb /home/ann/disk ext4 rw 0 0\n\
        //nas/box /mnt/my\\040box cifs rw 0 0\n\
        tmpfs /over tmpfs rw 0 0\n\
        host /over 9p rw 0 0\n";

    /// P151: a data folder on another machine is noticed, however the mounts nest.
    #[test]
    fn p151_a_network_mount_is_found() {
        for (path, at, kind) in [
            ("/var/data", "/", "ext4"),
            ("/home/ann/data", "/home", "nfs4"),
            ("/home/ann/disk/data", "/home/ann/disk", "ext4"),
            ("/homely", "/", "ext4"),
            ("/mnt/my box/data", "/mnt/my box", "cifs"),
            ("/over/data", "/over", "9p"),
        ] {
            let mount = mount_of(MOUNTS, Path::new(path)).unwrap();
            assert_eq!((mount.at.to_str(), mount.kind.as_str()), (Some(at), kind), "{path}");
        }
        assert_eq!(mount_of("", Path::new("/x")), None);
    }
}
