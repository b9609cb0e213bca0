//! Libraries that the loader takes only where the CPU has a level.
//!
//! glibc looks for a library in `glibc-hwcaps/x86-64-v4`, `…-v3` and `…-v2` of each folder
//! first, as far as the CPU has that level. So what is there may use it.
//! Source: ld.so(8), "glibc-hwcaps"; glibc 2.33's NEWS.

use karat_audit::Baseline;

const FOLDER: &str = "glibc-hwcaps/";
const LEVELS: [&str; 3] = ["x86-64-v2", "x86-64-v3", "x86-64-v4"];

/// What a CPU has that loads the file at `path`, if that is more than the baseline.
pub(super) fn raised(path: &str, isa: &Baseline) -> Option<Baseline> {
    let (before, below) = path.rsplit_once(FOLDER)?;
    let level = below.split('/').next()?;
    let is_folder = before.is_empty() || before.ends_with('/');
    if isa.is_arm() || !is_folder || !LEVELS.contains(&level) {
        return None;
    }
    let raised = Baseline::parse(&format!("{}+{level}", isa.text())).ok()?;
    (raised.extensions() != isa.extensions()).then_some(raised)
}

/// What a reader is told of it.
pub(super) fn note(raised: &Baseline) -> String {
    format!(
        "--isa: searched against {}, since the loader takes a library in this folder of \
         glibc-hwcaps only where that is there",
        raised.text()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_level_raises_the_baseline() {
        let isa = Baseline::parse("x86-64-v2+aes").unwrap();
        let at = |path: &str| raised(path, &isa);
        let v3 = at("w/usr/lib/glibc-hwcaps/x86-64-v3/libx.so").unwrap();
        assert!(v3.has("avx2") && v3.has("aes") && !v3.has("avx512f"));
        assert_eq!(v3.text(), "x86-64-v2+aes+x86-64-v3");
        assert!(note(&v3).contains("x86-64-v2+aes+x86-64-v3"));
        assert_eq!(at("usr/lib/glibc-hwcaps/x86-64-v2/libx.so"), None);
        assert_eq!(at("usr/lib/glibc-hwcaps/x86-64-v5/libx.so"), None);
        assert_eq!(at("usr/lib/my-glibc-hwcaps/x86-64-v3/libx.so"), None);
        assert_eq!(at("usr/lib/x86-64-v3/libx.so"), None);
        let arm = Baseline::parse("armv8-a").unwrap();
        assert_eq!(raised("glibc-hwcaps/x86-64-v3/libx.so", &arm), None);
    }
}
