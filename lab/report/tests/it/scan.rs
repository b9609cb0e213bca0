//! Reports of a source scan.

use crate::render;
use karat_model::audit::SurvivalState;
use karat_model::finding::Location;
use karat_model::scan::{Class, Flags, Fold, LeftOut, Note, Scan, Site};
use karat_report::{Format, Report};

fn site(class: Class, package: &str, features: &[&str], fold: Fold, line: u32) -> Site {
    Site {
        class,
        package: package.into(),
        version: "1.0.0".into(),
        path: "src/lib.rs".into(),
        location: Location {
            file: format!("/sources/{package}-1.0.0/src/lib.rs"),
            line: Some(line),
            column: Some(9),
            address: None,
        },
        item: format!("{package}::f"),
        features: features.iter().map(|f| (*f).to_owned()).collect(),
        condition: None,
        in_macro: (class == Class::Hidden).then(|| "m".to_owned()),
        fold,
        guards: vec![format!("{package}::avx2"), format!("{package}::sse")],
        in_binary: Vec::new(),
    }
}

fn terminal(scan: &Scan, color: bool, width: usize) -> String {
    render(Format::Human, scan, color, width)
}

fn markdown(scan: &Scan) -> String {
    render(Format::Markdown, scan, false, 100)
}

fn sample() -> Scan {
    Scan {
        schema: 1,
        karat: "0.0.0".into(),
        root: "/w".into(),
        flags: Flags {
            target: "x86_64-unknown-linux-gnu".into(),
            rustflags: Vec::new(),
            origin: "none".into(),
            features: vec!["sse".into(), "sse2".into()],
        },
        packages: 3,
        files: 12,
        parsed: 4,
        bytes: 1_500_000,
        milliseconds: 120,
        binary: None,
        sites: vec![
            site(Class::EarlyReturn, "one", &["avx2"], Fold::No, 3),
            site(Class::CompileTime, "two", &["avx2"], Fold::No, 4),
            site(Class::CompileTime, "two", &["avx2"], Fold::No, 5),
            site(Class::CompileTime, "two", &["sse2"], Fold::True, 6),
            site(Class::Hidden, "th|ree", &[], Fold::Unknown, 7),
        ],
        left_out: LeftOut {
            tests: 2,
            ..LeftOut::default()
        },
        notes: vec![Note {
            location: Location {
                file: "/w/odd.rs".into(),
                line: Some(1),
                ..Location::default()
            },
            message: "not scanned: no Rust".into(),
        }],
    }
}

#[test]
fn one_package_is_no_packages() {
    let scan = Scan {
        packages: 1,
        files: 1,
        ..sample()
    };
    let text = terminal(&scan, false, 100);
    assert!(text.contains("1 package, 1 file (4 parsed)"), "{text}");
}

#[test]
fn the_terminal_groups_places_of_a_kind() {
    let text = terminal(&sample(), false, 100);
    for part in [
        "KS001 Compile-time early return before detection: 1",
        "one 1.0.0  avx2      asked at run time  src/lib.rs:3:9",
        "KS005 Chosen at compile time only: 2",
        "not compiled: flags needed  src/lib.rs:4:9 and 1 more",
        "1 more in 1 package(s) are compiled for features that this build assumes.",
        "in m!     not known",
        "Target x86_64-unknown-linux-gnu, no flags: the compiler assumes sse sse2.",
        "3 packages, 12 files (4 parsed), 1.5 MB in 0.12 s.",
        "Not listed: 2 in tests.",
        "/w/odd.rs:1: not scanned: no Rust",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    assert!(!text.contains('\x1b'));
    assert!(terminal(&sample(), true, 100).contains('\x1b'));
}

#[test]
fn a_binary_adds_a_column() {
    let mut scan = sample();
    scan.binary = Some("app".into());
    for site in &mut scan.sites {
        site.in_binary = vec![SurvivalState::Inlined, SurvivalState::Gone];
    }
    let text = terminal(&scan, false, 100);
    assert!(text.contains("in the binary"), "{text}");
    assert!(text.contains("1 INLINED, 1 GONE"), "{text}");
    assert!(markdown(&scan).contains("| 1 INLINED, 1 GONE |"));
}

#[test]
fn markdown_escapes_names() {
    let text = markdown(&sample());
    assert!(
        text.contains("| th\\|ree 1.0.0 | in m! | not known | `src/lib.rs:7:9` |"),
        "{text}"
    );
    assert!(
        text.contains("- `/w/odd.rs:1`: not scanned: no Rust"),
        "{text}"
    );
}

#[test]
fn nothing_found_is_said() {
    let mut scan = sample();
    scan.sites.clear();
    assert!(terminal(&scan, false, 80).contains("No place chooses by CPU features."));
}

#[test]
fn findings_weigh_what_needs_flags() {
    let found = sample().findings();
    let told: Vec<(&str, bool)> = found
        .iter()
        .map(|f| {
            let warns = f.severity == karat_model::finding::Severity::Warning;
            (f.code.as_str(), warns)
        })
        .collect();
    assert_eq!(told, [("KS001", false), ("KS005", true), ("KS006", false)]);
    assert_eq!(found[0].location.as_ref().unwrap().line, Some(3));
}

#[test]
fn json_comes_back() {
    let scan = sample();
    let text = scan.json();
    assert_eq!(serde_json::from_str::<Scan>(&text).unwrap(), scan);
    assert!(text.contains("\"class\": \"early-return\"") && text.contains("\"schema\": 1"));
}

#[test]
fn a_page_is_sound() {
    let page = render(Format::Html, &sample(), false, 100);
    crate::markup::check(&page);
    for part in ["id=\"KS001\"", "th|ree 1.0.0", "id=\"read\""] {
        assert!(page.contains(part), "no `{part}`");
    }
}
