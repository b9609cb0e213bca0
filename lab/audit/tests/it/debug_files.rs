//! Debug information beside the file.

use crate::build::facts_of;
use crate::tools::{Dir, run};
use karat_audit::{BinaryError, Options, audit};
use karat_binary::debug::debug_file::wanted;
use karat_model::audit::{BinaryAudit, SurvivalState};

/// `inner` becomes part of `outer`; nothing else is called so.
const SOURCE: &str = "
static inline __attribute__((always_inline)) int inner(int x) {
  for (int i = 0; i < 1000; i++) x = x * 31 ^ i;
  return x;
}
__attribute__((noinline)) int outer(int x) { return inner(x) + 1; }
int main(int c, char **v) { return outer(c); }
";

fn compile(dir: &Dir, flags: &[&str]) -> Option<()> {
    dir.write("k.c", SOURCE.as_bytes());
    run(dir, "gcc", &[&["-O2", "k.c", "-o", "k"], flags].concat())
}

fn found(audit: &BinaryAudit) -> (SurvivalState, Option<String>) {
    let survival = &audit.survival[0];
    (survival.state, survival.caveat.clone())
}

#[test]
fn a_separate_debug_file_is_as_good_as_the_whole() {
    let dir = Dir::new();
    for id in ["-Wl,--build-id", "-Wl,--build-id=none"] {
        let Some(()) = compile(&dir, &["-g1", id]) else {
            return;
        };
        for args in [
            &["--only-keep-debug", "k", "k.debug"][..],
            &["--strip-all", "k", "stripped"],
            &["--add-gnu-debuglink=k.debug", "stripped"],
        ] {
            if run(&dir, "objcopy", args).is_none() {
                return;
            }
        }
        let (whole, debug) = (dir.read("k"), dir.read("k.debug"));
        let stripped = dir.read("stripped");
        let asks = wanted(&stripped).unwrap();
        assert!(!asks.has_own && wanted(&whole).unwrap().has_own);
        assert_eq!(asks.build_id.is_some(), id == "-Wl,--build-id");
        assert_eq!(asks.debuglink.unwrap().0, "k.debug");

        let options = Options {
            debug: Some(&debug),
            ..Default::default()
        };
        let before = facts_of(&whole, &["inner"], &Options::default()).unwrap();
        let after = facts_of(&stripped, &["inner"], &options).unwrap();
        assert_eq!(found(&before), (SurvivalState::Inlined, None));
        assert_eq!(before.survival, after.survival);
        assert_eq!(before.crates, after.crates);
        assert_eq!(before.functions, after.functions);

        // Another build's: refused, by whatever there is to tell.
        let mut other = debug.clone();
        match id {
            "-Wl,--build-id" => {
                let at = wanted(&debug).unwrap().build_id.unwrap();
                let at = debug.windows(at.len()).position(|w| w == at).unwrap();
                other[at] ^= 1;
            }
            _ => *other.last_mut().unwrap() ^= 1,
        }
        let options = Options {
            debug: Some(&other),
            ..Default::default()
        };
        let error = audit(&stripped, &options).unwrap_err();
        assert!(matches!(error, BinaryError::Mismatch { .. }), "{error}");
    }
}

#[test]
fn split_units_are_read_from_a_package_or_from_their_objects() {
    for dwarf in ["-gdwarf-5", "-gdwarf-4"] {
        let dir = Dir::new();
        let flags = ["-g", dwarf, "-gsplit-dwarf"];
        let Some(()) = compile(&dir, &flags) else {
            return;
        };
        let program = dir.read("k");
        let without = facts_of(&program, &["inner"], &Options::default()).unwrap();
        let (state, caveat) = found(&without);
        assert_eq!(state, SurvivalState::Gone);
        assert!(caveat.unwrap().contains(".dwp or .dwo files of 1 of"));
        let asks = wanted(&program).unwrap();
        assert_eq!(asks.dwo.len(), 1, "{asks:?}");
        let path = &asks.dwo[0].path;
        let name = path.rsplit('/').next().unwrap();
        assert!(path.starts_with('/') && name.ends_with(".dwo"), "{path}");

        let mut files = vec![name];
        // GNU dwp reads DWARF 4; llvm-dwp 14 does not end on these.
        if dwarf == "-gdwarf-4" && run(&dir, "dwp", &["-e", "k", "-o", "k.dwp"]).is_some() {
            files.push("k.dwp");
        }
        for file in files {
            let split = dir.read(file);
            let options = Options {
                split: &[&split],
                ..Default::default()
            };
            let with = facts_of(&program, &["inner"], &options);
            let with = with.unwrap_or_else(|error| panic!("{file} {dwarf}: {error}"));
            assert_eq!(
                found(&with),
                (SurvivalState::Inlined, None),
                "{file} {dwarf}"
            );
            assert_eq!(with.survival[0].inlined_into[0].function, "outer");
        }
    }
}

#[test]
fn a_dsym_belongs_to_its_program() {
    let dir = Dir::new();
    dir.write("k.c", SOURCE.as_bytes());
    let target = "--target=arm64-apple-macos";
    let link = ["-arch", "arm64", "-platform_version", "macos", "11", "11"];
    for (tool, args) in [
        ("clang", vec![target, "-O2", "-g", "-c", "k.c", "-o", "k.o"]),
        (
            "ld64.lld-14",
            [&link[..], &["-e", "_main", "-o", "k", "k.o"]].concat(),
        ),
        ("dsymutil-14", vec!["--flat", "k", "-o", "k.dwarf"]),
    ] {
        if run(&dir, tool, &args).is_none() {
            return;
        }
    }
    let (program, debug) = (dir.read("k"), dir.read("k.dwarf"));
    let options = Options {
        debug: Some(&debug),
        ..Default::default()
    };
    let audit = facts_of(&program, &["inner"], &options).unwrap();
    assert_eq!(found(&audit), (SurvivalState::Inlined, None), "{audit:?}");
}
