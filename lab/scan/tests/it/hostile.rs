//! Whatever the text, the scanner answers.

use karat_scan::places;

/// A small generator (xorshift64), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

const WORDS: &[&str] = &[
    "#[cfg(target_feature = \"avx2\")]",
    "#[cfg(not(target_feature = \"avx2\"))]",
    "cfg!",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "target_feature",
    "=",
    "\"avx2\"",
    "is_x86_feature_detected!(\"fma\")",
    "if",
    "else",
    "return",
    ";",
    ",",
    "fn f()",
    "mod m",
    "impl T",
    "match x",
    "=>",
    "||",
    "&&",
    "|",
    "!",
    "cfg_if!",
    "macro_rules! m",
    "cpufeatures::new!(a, \"b\")",
    "#",
    "x",
    "1",
    "<",
    ">",
    "::",
    "'a",
    "unsafe",
    "let",
    "true",
    "#[target_feature(enable = \"avx2\")]",
    "all",
    "not",
    "\u{e4}",
    "async",
];

#[test]
fn token_soup_is_scanned_or_refused() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut scanned, mut refused) = (0, 0);
    for _ in 0..600 {
        let mut text = String::from("fn g() { ");
        let mut open = Vec::from(["}"]);
        for _ in 0..random.below(40) {
            let word = WORDS[random.below(WORDS.len())];
            // Brackets mostly match, so that more than the lexer is tried.
            match word {
                ")" | "}" | "]" if open.len() > 1 && random.below(8) > 0 => {
                    text += open.pop().unwrap_or("");
                }
                "(" => open.push(")"),
                "{" => open.push("}"),
                "[" => open.push("]"),
                _ => {}
            }
            if !matches!(word, ")" | "}" | "]") {
                text += word;
                text.push(' ');
            }
        }
        while let Some(close) = open.pop() {
            text += close;
        }
        match places(&text) {
            Ok(_) => scanned += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(
        scanned > 20 && refused > 20,
        "{scanned} scanned, {refused} refused"
    );
}

#[test]
fn truncated_sources_are_scanned_or_refused() {
    let whole = include_str!("../../src/visit/items.rs");
    let found = places(whole);
    assert!(found.is_ok(), "{found:?}");
    let mut random = Random(7);
    for _ in 0..60 {
        let mut at = random.below(whole.len());
        while !whole.is_char_boundary(at) {
            at -= 1;
        }
        let _ = places(&whole[..at]);
    }
}

/// Sources that recurse at every token, each with what surrounds it.
fn deep(count: usize) -> Vec<String> {
    let many = |text: &str| text.repeat(count);
    vec![
        format!("fn f() {{ let x = {}y; }}", many("!")),
        format!("fn f() {{ let x = {}y; }}", many("& mut ")),
        format!("fn f() {{ let x = {}y; }}", many("|a| ")),
        format!("fn f() {{ let x = {}y; }}", many("return ")),
        format!("fn f() {{ {} {{}} }}", many("if a {} else ")),
        format!("fn f() {{ x{}; }}", many(" = y")),
        format!("fn f() {{ x{}; }}", many(" + y")),
        format!("fn f() {{ x{}; }}", many(".y()")),
        format!("fn f() {{ {}x{}; }}", many("("), many(")")),
        format!("fn f() {{ {}{} }}", many("{"), many("}")),
        format!("fn f() {{ {}x {} }}", many("for Foo {} in "), many("{}")),
        format!("type T = {}u8;", many("&")),
        format!("type T = {}u8{};", many("A<"), many(">")),
        format!("type T = {}u8;", many("fn() -> ")),
        format!("type T = {}u8{};", many("["), many("]")),
        format!("#[cfg({}a{})] fn f() {{}}", many("not("), many(")")),
        format!("{}{}", many("mod m {"), many("}")),
        format!("use {}a{};", many("a::{"), many("}")),
    ]
}

#[test]
fn deep_sources_are_scanned_or_refused() {
    // Far too deep: refused, not overflowed. Less deep: whatever the guard lets through has
    // to fit the stack of an unoptimised build.
    for count in [450, 9_900, 19_900, 60_000] {
        for text in deep(count) {
            let result = places(&format!("{text}\n// target_feature\n"));
            if count == 60_000 {
                let start: String = text.chars().take(60).collect();
                assert!(result.is_err(), "{start}");
            }
        }
    }
    for text in deep(20) {
        assert!(places(&text).is_ok(), "{text}");
    }
}
