//! Known kernels: by name, without a symbol, by constants; learning; what changed.

use crate::build::{Built, KERNEL, cc, rust};
use crate::tools::{Dir, run};
use karat_audit::catalogue::{LearnError, builtin, fingerprints, learn};
use karat_audit::{Options, audit, checks};
use karat_model::audit::{BinaryAudit, SurvivalState};
use karat_model::catalogue::{Confidence, KnownEvidence, KnownKernel, Library};

/// An audit with a catalogue beside the built-in one.
fn audited(program: &Built, catalogue: &[Library]) -> BinaryAudit {
    let options = Options {
        catalogue,
        ..Options::default()
    };
    audit(&program.bytes, &options).expect("a sound binary")
}

fn known(program: &Built, catalogue: &[Library]) -> Vec<KnownKernel> {
    audited(program, catalogue).known
}

fn learned(program: &Built, name: &str) -> Library {
    let text = learn(&program.bytes, name).expect("a kernel to learn");
    Library::parse(&text).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"))
}

/// The fixture's kernels, learned from a build with symbols.
fn fixture() -> Library {
    learned(&cc("known.S", &[]), "karat_fixture_*")
}

#[test]
fn every_built_in_file_says_where_it_comes_from() {
    for library in builtin() {
        assert!(library.source.starts_with("https://"), "{}", library.name);
        assert!(!library.licence.contains("filled in"), "{}", library.name);
        for kernel in &library.kernels {
            let title = format!("{}: {}", library.name, kernel.name);
            let known = karat_cpu::Isa::named(&kernel.isa).is_some();
            assert!(
                known || ["x86-64", "sse2", "xop"].contains(&&*kernel.isa),
                "{title}: {}",
                kernel.isa
            );
            for build in &kernel.builds {
                assert!(!build.mix.is_empty(), "{title}");
            }
        }
        let text = library.to_toml();
        assert_eq!(Library::parse(&text).as_ref(), Ok(library));
    }
    let builds = |l: &Library| l.kernels.iter().map(|k| k.builds.len()).sum::<usize>();
    assert!(builtin().iter().map(builds).sum::<usize>() > 400);
}

#[test]
fn a_symbol_is_evidence_enough() {
    let library = [fixture()];
    let found = known(&cc("known.S", &[]), &library);
    let titles: Vec<String> = found.iter().map(KnownKernel::title).collect();
    assert_eq!(
        titles,
        [
            "karat_fixture_: karat_fixture_beta",
            "karat_fixture_: karat_fixture_other",
            "karat_fixture_: karat_fixture_alpha"
        ]
    );
    let alpha = &found[2];
    assert_eq!(alpha.isa, "avx2");
    assert_eq!(alpha.function.as_deref(), Some("karat_fixture_alpha"));
    assert_eq!(alpha.state, SurvivalState::Present);
    assert_eq!(
        alpha.evidence,
        KnownEvidence::Name {
            similarity: Some(1.0)
        }
    );
    // Counted by hand: 2 loads, 64 in the loop, 2 stores and 1 xor.
    assert_eq!((alpha.ymm, alpha.instructions), (69, 78));
}

#[test]
fn stripped_kernels_without_unwind_entries_are_found_in_one_region() {
    let library = [fixture()];
    let found = known(&cc("known.S", &["-s"]), &library);
    let named: Vec<(&str, Option<&str>)> = found
        .iter()
        .map(|k| (k.kernel.as_str(), k.function.as_deref()))
        .collect();
    assert_eq!(
        named,
        [
            ("karat_fixture_beta", None),
            // The other one has too few kinds of instructions to be told by them.
            ("karat_fixture_alpha", None)
        ]
    );
    for kernel in &found {
        assert_eq!(kernel.address % 64, 0);
        assert_eq!(kernel.confidence, Confidence::Certain);
        let KnownEvidence::Mix {
            similarity,
            constants_found,
            constants,
        } = kernel.evidence
        else {
            panic!("{kernel:?}");
        };
        assert!(similarity > 0.99, "{kernel:?}");
        assert_eq!(constants_found, constants);
    }
    assert_eq!(found[1].ymm, 69);
}

#[test]
fn a_changed_kernel_is_not_taken_for_the_known_one() {
    let library = [fixture()];
    let changed = known(&cc("known.S", &["-s", "-DCHANGED"]), &library);
    assert!(changed.iter().all(|k| k.kernel != "karat_fixture_alpha"));
    // With its name it is there, and changed.
    let changed = known(&cc("known.S", &["-DCHANGED"]), &library);
    let alpha = changed.iter().find(|k| k.kernel == "karat_fixture_alpha");
    let alpha = alpha.expect("its name is there");
    assert_eq!(alpha.state, SurvivalState::Changed);
    assert_eq!(alpha.confidence, Confidence::Possible);
}

#[test]
fn a_known_kernel_that_is_gone_is_a_finding() {
    let library = [fixture()];
    let before = audited(&cc("known.S", &["-s"]), &library);
    let after = audited(&cc("known.S", &["-s", "-DGONE"]), &library);
    let findings = checks::run("variant", &after, &before);
    let gone: Vec<_> = findings.iter().filter(|f| f.code == "KA005").collect();
    assert_eq!(gone.len(), 1, "{findings:?}");
    let place = "karat_fixture_: karat_fixture_alpha";
    assert_eq!(gone[0].place.as_deref(), Some(place));
    assert!(
        gone[0]
            .message
            .contains("of this library it has: karat_fixture_beta"),
        "{}",
        gone[0].message
    );
    let same = checks::run("variant", &before, &before);
    assert!(same.iter().all(|f| f.code != "KA005"));
}

#[test]
fn constants_tell_the_algorithm() {
    let sha256 = |flags: &[&str]| {
        let found = known(&cc("sha256.c", flags), &[]);
        assert_eq!(found.len(), 1, "{found:?}");
        let names = vec!["SHA-256 K".to_string()];
        assert_eq!(found[0].evidence, KnownEvidence::Constants { names });
        assert_eq!(found[0].confidence, Confidence::Possible);
        found[0].kernel.clone()
    };
    assert_eq!(sha256(&["-O2", "-s"]), "SHA-256");
    // As immediates, in an unrolled loop.
    assert_eq!(sha256(&["-O3", "-s", "-funroll-all-loops"]), "SHA-256");
}

#[test]
fn a_rust_path_is_found_as_a_symbol_and_inlined() {
    let text = format!(
        "library = \"l\"\nlicence = \"MIT\"\nsource = \"here\"\n\
         [[kernel]]\nname = \"rows\"\nisa = \"avx2\"\nsymbols = [\"{KERNEL}\"]\n"
    );
    let library = [Library::parse(&text).expect("a sound file")];
    // The standard library has kernels of memchr.
    let known = |program: &Built| {
        let mut found = known(program, &library);
        found.retain(|known| known.library == "l");
        found
    };
    let own = known(&rust(&[]));
    assert_eq!(own.len(), 1, "{own:?}");
    assert_eq!(own[0].state, SurvivalState::Present);
    assert_eq!(own[0].function.as_deref(), Some(KERNEL));
    let inlined = known(&rust(&["-Ctarget-cpu=x86-64-v3"]));
    assert_eq!(inlined.len(), 1, "{inlined:?}");
    assert_eq!(inlined[0].state, SurvivalState::Inlined);
    assert_eq!(inlined[0].function.as_deref(), Some("kernels::main"));
    assert!(inlined[0].ymm > 20);
    assert_eq!(known(&rust(&["--cfg", "gone"])), []);
}

#[test]
fn learning_says_what_is_wrong() {
    let program = cc("known.S", &[]);
    let missing = learn(&program.bytes, "fixture_beta").unwrap_err();
    let text = missing.to_string();
    assert!(
        text.contains("did you mean `karat_fixture_beta`?"),
        "{text}"
    );
    let small = learn(&program.bytes, "main").unwrap_err();
    assert_eq!(
        small,
        LearnError::TooSmall {
            name: "main".into(),
            instructions: 2
        }
    );
    assert!(learn(b"no program", "main").is_err());
}

#[test]
fn fingerprints_of_a_build_replace_those_of_the_same_name() {
    let mut library = fixture();
    let program = cc("known.S", &["-DCHANGED"]);
    let added = fingerprints(&program.bytes, &mut library, "other").expect("a sound binary");
    // The other two are the same code, and are there already.
    assert_eq!(added, 1);
    let again = fingerprints(&program.bytes, &mut library, "other").expect("a sound binary");
    assert_eq!(again, 1);
    let alpha = &library.kernels[0];
    assert_eq!(
        (alpha.name.as_str(), alpha.builds.len()),
        ("karat_fixture_alpha", 2)
    );
}

/// The round constants of SHA-256, in a table.
const CONSTANTS: &str = "
static const unsigned k[8] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
                              0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5};
unsigned rounds(const unsigned *w, int n) {
  unsigned s = 1;
  for (int i = 0; i < n; i++) {
    #pragma clang loop unroll(disable) vectorize(disable)
    for (int j = 0; j < 8; j++) {
      s = (s << 7 | s >> 25) ^ (w[j] + k[j]) ^ (s << 3 | s >> 29);
      s += (s >> 5 ^ w[j + 1]) * 9 + (s << 11 | s >> 21);
      s += (s >> 6 ^ w[j + 2]) * 10 + (s << 13 | s >> 19);
      s += (s >> 7 ^ w[j + 3]) * 11 + (s << 15 | s >> 17);
      s += (s >> 8 ^ w[j + 4]) * 12 + (s << 17 | s >> 15);
      s += (s >> 9 ^ w[j + 5]) * 13 + (s << 19 | s >> 13);
    }
  }
  return s;
}
int _fltused;
int main(int c, char **v) { return rounds((unsigned *)v, c); }
";

#[test]
fn constants_are_read_in_every_format() {
    let dir = Dir::new();
    dir.write("k.c", CONSTANTS.as_bytes());
    let exe = ["/entry:main", "/subsystem:console", "/nodefaultlib", "k.o"];
    let mac = "-arch x86_64 -platform_version macos 11 11 -e _main k.o -o k";
    let mac: Vec<&str> = mac.split(' ').collect();
    for (target, linker, args) in [
        (
            "x86_64-linux-gnu",
            "ld.lld",
            vec!["-e", "main", "k.o", "-o", "k"],
        ),
        (
            "x86_64-pc-windows-msvc",
            "lld-link",
            [&exe[..], &["/out:k"]].concat(),
        ),
        ("x86_64-apple-macos", "ld64.lld-14", mac),
    ] {
        let target = format!("--target={target}");
        let flags = ["-O1", "-c", "k.c", "-o", "k.o"];
        let flags = [&[target.as_str()], &flags[..]].concat();
        if run(&dir, "clang", &flags).is_none() || run(&dir, linker, &args).is_none() {
            continue;
        }
        let known = audit(&dir.read("k"), &Options::default()).unwrap().known;
        let by_constants = |k: &&KnownKernel| matches!(k.evidence, KnownEvidence::Constants { .. });
        assert!(
            known.iter().any(|k| by_constants(&k)),
            "{linker}: {known:?}"
        );
    }
}

#[test]
fn no_kernel_of_x86_is_found_in_code_for_another_machine() {
    let dir = Dir::new();
    let names = ["aesni_ecb_encrypt", "blake3_hash_many_avx2", "crc32_pclmul"];
    let one = "{ for (int i = 0; i < 99; i++) x = x * 31 ^ i; return x; }";
    let source = names.map(|name| format!("__attribute__((noinline)) int {name}(int x) {one}\n"));
    dir.write("k.c", source.concat().as_bytes());
    let args = "--target=aarch64-linux-gnu -O2 -g -c k.c -o k.o";
    if run(&dir, "clang", &args.split(' ').collect::<Vec<_>>()).is_some() {
        let audit = audit(&dir.read("k.o"), &Options::default()).unwrap();
        assert_eq!((audit.functions_total, audit.known.len()), (3, 0));
    }
}
