//! Reports of `karat audit`: snapshots of the short forms, and what a page must be.

use crate::markup;
use crate::render;
use crate::sample_audit::audit;
use karat_model::audit::{CrateCensus, SurvivalState};
use karat_model::audit_document::{AuditDocument, AuditedFile, UnauditedFile};
use karat_model::bloat::{Amount, Bloat, Growth, Thresholds};
use karat_model::catalogue::{Confidence, KnownEvidence, KnownKernel};
use karat_model::finding::{Finding, Severity};
use karat_model::package::Package;
use karat_report::Format;

fn file(path: &str, variant: usize) -> AuditedFile {
    AuditedFile {
        path: path.into(),
        same: Vec::new(),
        slice: None,
        bytes: 1_234_567,
        skipped: Vec::new(),
        debug: Vec::new(),
        debug_missing: None,
        notes: Vec::new(),
        facts: None,
        audit: audit(variant),
    }
}

fn finding(path: &str, code: &str, severity: Severity, place: Option<&str>) -> Finding {
    Finding {
        code: code.into(),
        severity,
        variant: Some(path.into()),
        place: place.map(str::to_owned),
        location: None,
        message: format!("what {code} found, with <markup> & | pipes"),
    }
}

/// One file alone.
fn alone() -> AuditDocument {
    AuditDocument {
        schema: 1,
        karat: "0.1.0".into(),
        files: vec![file("target/release/app", 2)],
        ..AuditDocument::default()
    }
}

/// A folder whose only binary is in a wheel.
#[test]
fn a_folder_says_that_its_binaries_are_in_packages() {
    let package = |path: &str, kind: &str, binaries| Package {
        path: path.into(),
        kind: kind.into(),
        members: 1,
        binaries,
        ..Package::default()
    };
    let document = AuditDocument {
        files: vec![file("w/a.whl/a.so", 2)],
        packages: vec![package("w", "folder", 0), package("w/a.whl", "wheel", 1)],
        ..alone()
    };
    let text = render(Format::Human, &document, false, 100);
    assert!(
        text.contains("folder, 1 member; its binaries are in packages, "),
        "{text}"
    );
    assert!(text.contains("wheel, 1 member; 1 binary, "), "{text}");
}

/// Two files with growth, known kernels and findings, and one that was no binary.
fn against() -> AuditDocument {
    let mut document = alone();
    document.files.push(file("target/release/tool", 0));
    document.baseline = Some(file("old/app", 0));
    for file in &mut document.files {
        let before = &document.baseline.as_ref().unwrap().audit;
        file.audit.bloat = Some(bloat(&file.audit, before));
    }
    document.files[0].audit.known = vec![KnownKernel {
        library: "BLAKE3 assembly (blake3 crate, LLVM)".into(),
        kernel: "hash many, AVX-512".into(),
        isa: "avx512f".into(),
        build: None,
        function: None,
        address: 0x4_2000,
        bytes: 9_000,
        functions: 1,
        instructions: 2_332,
        xmm: 100,
        ymm: 1_007,
        zmm: 1_013,
        evidence: KnownEvidence::Mix {
            similarity: 0.995,
            constants_found: 3,
            constants: 3,
        },
        confidence: Confidence::Certain,
        state: SurvivalState::Present,
    }];
    let app = document.files[0].path.clone();
    document.findings = vec![
        finding(&app, "KA006", Severity::Warning, None),
        finding(&app, "KA001", Severity::Error, Some("a::b<T>::f")),
    ];
    document.failed = vec![UnauditedFile {
        path: "target/release/run.sh".into(),
        why: "this is a script".into(),
    }];
    document
}

fn bloat(
    audit: &karat_model::audit::BinaryAudit,
    before: &karat_model::audit::BinaryAudit,
) -> Bloat {
    let grow = |name: &str, before: Option<&CrateCensus>, after: &CrateCensus| Growth {
        name: name.into(),
        before: before.map_or_else(Amount::default, |c| (&c.census).into()),
        after: (&after.census).into(),
    };
    let crates = audit.crates.iter().map(|c| {
        let same = before.crates.iter().find(|b| b.name == c.name);
        grow(&c.name, same, c)
    });
    let crates: Vec<Growth> = crates.filter(|g| g.before != g.after).collect();
    Bloat {
        thresholds: Thresholds::default(),
        total: Growth {
            name: "all code".into(),
            before: (&before.total).into(),
            after: (&audit.total).into(),
        },
        functions: crates.iter().take(3).cloned().collect(),
        functions_differ: crates.len() as u64,
        functions_new: 1,
        functions_gone: 0,
        crates,
    }
}

fn human(document: &AuditDocument, width: usize) -> String {
    render(Format::Human, document, false, width)
}

#[test]
fn one_file_on_a_terminal() {
    insta::assert_snapshot!(human(&alone(), 100));
}

#[test]
fn files_against_a_baseline_on_a_terminal() {
    insta::assert_snapshot!(human(&against(), 100));
}

#[test]
fn a_narrow_terminal_shortens_names_and_keeps_numbers() {
    let text = human(&alone(), 60);
    assert!(text.contains("2\u{202f}310"), "{text}");
    assert!(text.contains('…'), "{text}");
}

#[test]
fn markdown() {
    let text = render(Format::Markdown, &against(), false, 100);
    assert!(text.len() < 1 << 20, "a step summary takes 1 MiB");
    insta::assert_snapshot!(text);
}

/// The page without its script, which is constant.
fn page(document: &AuditDocument) -> String {
    let page = render(Format::Html, document, false, 100);
    let start = page.find("<script>").expect("a script that sorts");
    let end = page.find("</script>").expect("its end") + "</script>".len();
    let script = &page[start..end];
    assert_eq!(page.matches("<script").count(), 1);
    for loaded in ["http", "import", "fetch", "innerHTML", "eval"] {
        assert!(!script.contains(loaded), "{loaded}");
    }
    format!("{}{}", &page[..start], &page[end..])
}

#[test]
fn a_page_is_one_sound_file() {
    for document in [alone(), against(), AuditDocument::default()] {
        let page = page(&document);
        markup::check(&page);
        assert!(!markup::has_no_number(&page));
        for outside in ["http:", "https:", "src=", "url(", "@import"] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}

#[test]
fn a_page_shows_every_file_and_what_failed() {
    let page = page(&against());
    for text in [
        "id=\"growth-0\"",
        "id=\"findings-0\"",
        "id=\"census-1\"",
        "id=\"known-0\"",
        "what KA001 found, with &lt;markup&gt; &amp; | pipes",
        "this is a script",
        "<title>blake3: ",
    ] {
        assert!(page.contains(text), "{text}");
    }
    let error = page.find("KA001").expect("the error");
    assert!(
        error < page.find("KA006").expect("the warning"),
        "worst first"
    );
    assert!(
        !page.contains("id=\"known-1\""),
        "an absent part is not shown"
    );
}

#[test]
fn a_row_can_be_linked_and_sorted() {
    let page = page(&alone());
    let function = &alone().files[0].audit.functions[0];
    assert!(page.contains(&format!("<tr id=\"f0-{:x}\">", function.address)));
    let zmm = function.census.zmm;
    assert!(page.contains(&format!("data-key=\"{zmm}\"")), "{zmm}");
}

#[test]
fn json_is_the_document() {
    let text = render(Format::Json, &against(), false, 100);
    let read: AuditDocument = serde_json::from_str(&text).expect("what was written");
    assert_eq!(read, against());
}

#[test]
fn names_that_drive_a_terminal_do_not() {
    let mut document = alone();
    document.files[0].path = "a\u{1b}[31m\u{202e}b".into();
    document.files[0].audit.functions[0].name = "f\u{1b}[2J\nnext".into();
    for format in [Format::Human, Format::Markdown, Format::Html] {
        let text = render(format, &document, false, 100);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
    }
}

/// Where several files are called the same, each is told by as many of its folders as it takes.
#[test]
fn files_that_are_called_the_same_are_told_apart() {
    let paths = [
        "dist/some.whl/some/data/engine.so",
        "dist/some.whl/some/risk/engine.so",
        "dist/some.whl/some/risk/data/engine.so",
        "dist/some.whl/some/other.so",
    ];
    let document = AuditDocument {
        files: paths.iter().map(|path| file(path, 2)).collect(),
        ..alone()
    };
    let text = render(Format::Markdown, &document, false, 200);
    for name in [
        "some/data/engine.so",
        "`risk/engine.so`",
        "risk/data/engine.so",
        "`other.so`",
    ] {
        assert!(text.contains(name), "{name}:\n{text}");
    }
}
