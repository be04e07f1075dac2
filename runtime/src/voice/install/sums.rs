//! `SHA256SUMS`: what files must hash to, a hash and a name a line, as sha256sum writes and reads it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// The file's name, beside the files that it is about.
pub const FILE: &str = "SHA256SUMS";

/// Hashes by the files' names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums(BTreeMap<String, String>);

impl Sums {
    /// Reads such a file.
    ///
    /// # Errors
    /// The line that is none.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut sums = BTreeMap::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            // Behind the hash stand two blanks, or a blank and a star for a file that was read as bytes.
            let read = line
                .split_once(' ')
                .filter(|(sum, _)| sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let (sum, name) =
                read.ok_or_else(|| format!("line {} of {FILE} is no hash and name", number + 1))?;
            let name = name.trim_start_matches([' ', '*']).trim_start_matches("./").trim_end();
            sums.insert(name.to_owned(), sum.to_ascii_lowercase());
        }
        Ok(Self(sums))
    }

    /// What a file must hash to, where that is said.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// A hash as it is written.
#[must_use]
pub fn written(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // A string takes everything.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Hashes what is left to read, on from what was hashed before; and how many bytes that were.
///
/// # Errors
/// When it cannot be read.
pub fn add(mut file: impl io::Read, hash: &mut Sha256) -> io::Result<u64> {
    let mut buffer = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(length);
        }
        hash.update(&buffer[..read]);
        length += read as u64;
    }
}

/// What a file hashes to.
///
/// # Errors
/// When it cannot be read.
pub fn of_file(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    add(File::open(path)?.take(u64::MAX), &mut hash)?;
    Ok(written(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sha256sum_writes_is_read() {
        let sum = "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855";
        let sums = Sums::read(&format!("{sum}  a.onnx\n\n{sum} *./b c.txt\r\n")).unwrap();
        assert_eq!(sums.get("a.onnx"), Some(sum.to_ascii_lowercase().as_str()));
        assert!(sums.get("b c.txt").is_some() && sums.get("c").is_none());
        assert_eq!(written(Sha256::new()), sum.to_ascii_lowercase());
        assert!(Sums::read("<html>\n").unwrap_err().contains("line 1"));
    }
}
