//! Names of members: how they are shown, and which of them may become paths.

use std::path::{Component, Path, PathBuf};

/// The path below a folder that a member's name stands for; none for a name that leads
/// out of the folder (`..`, an absolute path), is empty, or holds what no path may.
#[must_use]
pub fn safe_path(name: &str) -> Option<PathBuf> {
    if name.contains('\0') {
        return None;
    }
    let mut out = PathBuf::new();
    for component in Path::new(name).components() {
        match component {
            Component::Normal(part) => out.push(part),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (!out.as_os_str().is_empty()).then_some(out)
}

/// The name of a member of the archive called `outer`, which is empty for the package
/// itself. What only wraps a package's contents is left out.
pub fn joined(outer: &str, member: &str) -> String {
    let member = member.trim_start_matches("./");
    match outer.is_empty() || is_wrapping(outer) {
        true => member.to_owned(),
        false => format!("{outer}/{member}"),
    }
}

/// Whether a member is the wrapping that its format prescribes: deb(5); RubyGems'
/// `data.tar.gz`; conda's `pkg-*.tar.zst`. Endings of compression are gone by then.
pub fn is_wrapping(name: &str) -> bool {
    matches!(name, "data.tar" | "control.tar" | "payload")
        || ((name.starts_with("pkg-") || name.starts_with("info-")) && name.ends_with(".tar"))
}

/// A name without the ending of its compression.
pub fn unpacked(name: &str) -> &str {
    [".gz", ".bz2", ".xz", ".zst"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .or_else(|| name.strip_suffix("gz").filter(|rest| rest.ends_with(".t")))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_leads_out_is_no_path() {
        for name in ["../x", "/etc/passwd", "a/../../b", "", ".", "a\0b"] {
            assert_eq!(safe_path(name), None, "{name:?}");
        }
        assert_eq!(safe_path("./usr//lib/a.so"), Some("usr/lib/a.so".into()));
    }

    #[test]
    fn wrappings_are_not_shown() {
        assert_eq!(joined("", "./a/b.so"), "a/b.so");
        assert_eq!(joined("data.tar", "./usr/lib/a.so"), "usr/lib/a.so");
        assert_eq!(joined("pkg-zlib-1.3.tar", "lib/a.so"), "lib/a.so");
        assert_eq!(joined("x.whl", "a.so"), "x.whl/a.so");
        assert_eq!(unpacked("data.tar.xz"), "data.tar");
        assert_eq!(unpacked("a.so"), "a.so");
    }
}
