//! Files of the catalogue and of expectations: what is read, and what is refused.

use karat_model::catalogue::{Expected, Library, MixKey};

const FILE: &str = r#"
library = "a library"
licence = "MIT"
source = "https://example.com"
prefixes = ["lib_"]

[[kernel]]
name = "sum, AVX2"
isa = "avx2"
symbols = ["a::avx2::*", "sum_avx2"]
needs = ["mulx", "vpaddd.y"]
[kernel.constants]
"round constants" = "000102030405060708090a0b0c0d0e0f"
[[kernel.build]]
of = "1.0, a compiler"
mix = "vpaddd.y=12 mov=3"
loads = ["000102030405060708090a0b0c0d0e0f"]
immediates = ["0xdeadbeefcafef00d"]
"#;

fn problems(text: &str) -> Vec<String> {
    match Library::parse(text) {
        Ok(library) => panic!("accepted: {library:?}"),
        Err(problems) => problems.into_iter().map(|p| p.message).collect(),
    }
}

#[test]
fn a_file_is_read_and_written_back() {
    let library = Library::parse(FILE).expect("a sound file");
    let kernel = &library.kernels[0];
    assert_eq!(kernel.builds[0].instructions(), 15);
    assert_eq!(kernel.builds[0].immediates, [0xdead_beef_cafe_f00d]);
    assert_eq!(kernel.constants[0].1, (0..16).collect::<Vec<u8>>());
    assert_eq!(Library::parse(&library.to_toml()), Ok(library));
}

#[test]
fn strings_survive_quotes_and_control_characters() {
    let mut library = Library::parse(FILE).expect("a sound file");
    library.note = "a \"note\" \\ with\nlines\tand \u{7f} é".into();
    assert_eq!(Library::parse(&library.to_toml()), Ok(library));
}

#[test]
fn every_mistake_is_told() {
    for (from, to, expected) in [
        ("licence = \"MIT\"\n", "", "missing key `licence`"),
        ("\"MIT\"", "\"\"", "`licence` is empty"),
        (
            "prefixes",
            "prefix",
            "unknown key `prefix` in a catalogue file",
        ),
        ("mov=3", "mov=x", "`mov=x` is no part of a mix"),
        ("mov=3", "mov=0", "`mov=0` is no part of a mix"),
        ("mov=3", "Mov=3", "`Mov=3` is no part of a mix"),
        (
            "vpaddd.y=12",
            "vpaddd.q=12",
            "`vpaddd.q=12` is no part of a mix",
        ),
        ("\"sum_avx2\"", "\"*\"", "`*` is no name of a function"),
        (
            "\"sum_avx2\"",
            "\"s*m_avx2\"",
            "`s*m_avx2` is no name of a function",
        ),
        ("\"mulx\"", "\"mul x\"", "`mul x` is no mnemonic"),
        ("0xdeadbeefcafef00d", "12", "`12` is no 64-bit number"),
        (
            "loads = [\"0001",
            "loads = [\"01",
            "`0102030405060708090a0b0c0d0e0f` is not 16 bytes",
        ),
        (
            "constants\" = \"0001",
            "constants\" = \"01",
            "the constant `round constants` is not 16 bytes or more",
        ),
        ("\"avx2\"", "2", "expected a string, found integer"),
        (
            "[[kernel.build]]",
            "[kernel.build]",
            "expected a list of tables, `[[build]]`, found table",
        ),
        ("library =", "library", "this is not TOML"),
    ] {
        let text = FILE.replacen(from, to, 1);
        assert_ne!(text, FILE, "{from}");
        let told = problems(&text);
        assert!(told.iter().any(|m| m == expected), "{to}: {told:?}");
    }
    let header = FILE.split("[[kernel]]").next().expect("text");
    assert_eq!(
        problems(header),
        ["a catalogue file describes at least one kernel"]
    );
    let twice = format!("{FILE}\n[[kernel]]\nname = \"sum, AVX2\"\nisa = \"avx2\"\n");
    assert_eq!(
        problems(&twice),
        [
            "nothing tells the kernel `sum, AVX2`",
            "two kernels are called `sum, AVX2`"
        ]
    );
}

/// Cut and flipped files are read or refused, and what is read can be written.
#[test]
fn damaged_files_do_no_harm() {
    let mut sound = 0;
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    for round in 0..4000 {
        let mut bytes = FILE.as_bytes().to_vec();
        if round < FILE.len() {
            bytes.truncate(round);
        } else {
            for _ in 0..1 + round % 4 {
                // xorshift64: any mixing will do.
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                let at = (seed >> 8) as usize % bytes.len();
                bytes[at] = (seed % 128) as u8;
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(library) = Library::parse(&text) {
            sound += 1;
            assert_eq!(Library::parse(&library.to_toml()), Ok(library));
        }
        let _ = Expected::parse(&text);
    }
    assert!(sound > 100, "{sound}");
}

#[test]
fn keys_of_mixes() {
    for text in ["vpaddd.z", "mov", "sha256rnds2.x", "vaesenc.y"] {
        let key = MixKey::parse(text).expect("a key");
        assert_eq!(key.to_string(), text);
    }
    for text in ["", ".x", "mov.", "mov.q", "MOV", "mo v", "a.x.y"] {
        assert_eq!(MixKey::parse(text), None, "{text}");
    }
}

#[test]
fn expectations() {
    let text = "functions = [\"a::b\"]\nkernels = [\"BLAKE3: hash many\", \"zlib-ng\"]\n";
    let expected = Expected::parse(text).expect("a sound file");
    assert_eq!(expected.functions, ["a::b"]);
    assert_eq!(expected.missing(&[]), ["BLAKE3: hash many", "zlib-ng"]);
    for (text, message) in [
        ("", "the file expects nothing"),
        ("functions = []", "the file expects nothing"),
        (
            "function = [\"a\"]",
            "unknown key `function` in a file of expectations",
        ),
        (
            "functions = \"a\"",
            "expected a list of strings, found string",
        ),
        ("functions = [1]", "expected a string, found integer"),
        ("kernels = [\" \"]", "` ` cannot be an expected kernel"),
        (
            "kernels = [\"a\", \"a\"]",
            "`a` cannot be an expected kernel",
        ),
        ("functions = [", "this is not TOML"),
    ] {
        let problems = Expected::parse(text).expect_err(text);
        assert!(
            problems.iter().any(|p| p.message == message),
            "{text}: {problems:?}"
        );
    }
}
