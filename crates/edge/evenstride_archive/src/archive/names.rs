//! Names of captures in the manifest.

use std::{fmt::Write as _, path::Path};

/// Returns the name of a capture, which is its path from the root and without links. It does not depend on the
/// working directory or on the spelling of a path, and different paths have different names.
pub(super) fn name_of(path: &Path) -> String {
    let whole = path.canonicalize().or_else(|_| std::path::absolute(path));
    let whole = whole.as_deref().unwrap_or(path);
    whole.to_str().map_or_else(|| escaped(whole), str::to_owned)
}

/// Returns a path that is not Unicode. No path from the root begins with this prefix.
fn escaped(path: &Path) -> String {
    let mut text = "bytes:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_graphic() && *byte != b'%' {
            text.push(char::from(*byte));
        } else {
            // Writing to a string never fails.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(all(test, unix))]
mod tests {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::PathBuf};

    use super::*;

    #[test]
    fn names_that_are_not_unicode_never_collide() {
        let path = |name: &[u8]| PathBuf::from("/captures").join(OsStr::from_bytes(name));
        let names = [&b"a\xFE.pcap"[..], b"a\xFF.pcap", b"a%FF.pcap"].map(|name| name_of(&path(name)));
        assert_eq!(names, ["bytes:/captures/a%FE.pcap", "bytes:/captures/a%FF.pcap", "/captures/a%FF.pcap"]);
    }
}
