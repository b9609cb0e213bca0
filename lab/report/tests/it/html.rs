//! The page of the sample study.

use crate::markup;
use crate::render;
use crate::sample::{VARIANTS, WORKLOADS, sample};
use karat_model::evidence::Evidence;
use karat_model::units;
use karat_model::verdict::{Comparison, Judgement};
use karat_report::Format;

fn page() -> String {
    render(Format::Html, &sample(), false, 80)
}

#[test]
fn is_one_sound_file() {
    let page = page();
    markup::check(&page);
    for outside in [
        "http:",
        "https:",
        "src=",
        "url(",
        "@import",
        "<script",
        "@font-face",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!markup::has_no_number(&page));
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
}

#[test]
fn parts_come_in_the_order_of_reading() {
    let page = page();
    let places: Vec<usize> = [
        "id=\"verdict\"",
        "id=\"speed\"",
        "id=\"noise\"",
        "id=\"effects\"",
        "id=\"causes\"",
        "id=\"survival\"",
        "id=\"census\"",
        "id=\"parity\"",
        "id=\"order\"",
        "id=\"findings\"",
        "id=\"reproduce\"",
        "id=\"costs\"",
        "<footer>",
    ]
    .iter()
    .map(|id| page.find(id).unwrap_or_else(|| panic!("{id} is missing")))
    .collect();
    assert!(places.is_sorted(), "{places:?}");
    let heading = page.find("<h1>").expect("a heading");
    assert!(heading < places[0]);
    for (_, name) in page
        .match_indices("<a href=\"#")
        .map(|(at, _)| (at, &page[at..]))
    {
        let id = name["<a href=\"#".len()..]
            .split('"')
            .next()
            .expect("an id");
        assert!(page.contains(&format!("id=\"{id}\"")), "#{id}");
    }
}

#[test]
fn first_screen_says_what_to_do() {
    let page = page();
    let end = page.find("id=\"speed\"").expect("the matrix");
    let first = markup::unescape(&page[..end].replace("<span>", "").replace("</span>", ""));
    for text in [
        "<strong>GO</strong>",
        "Build native-per-crate.",
        "RUSTC_WRAPPER='karat-rustc --all -Ctarget-cpu=native --except",
        "A/A: passed on 4 of 4 workloads",
        "parity: 16 of 16 checks passed",
    ] {
        assert!(first.contains(text), "{text}");
    }
}

fn change(ratio: f64) -> String {
    units::change(ratio)
}

fn interval(c: &Comparison) -> String {
    let low = change(c.speed.low.expect("bounded"));
    let high = change(c.speed.high.expect("bounded"));
    format!("{} … {high}", low.trim_end_matches(" %"))
}

fn comparison<'a>(evidence: &'a Evidence, workload: usize, variant: &str) -> &'a Comparison {
    evidence.workloads[workload]
        .comparisons
        .iter()
        .find(|c| c.variant == variant)
        .expect("every variant was compared")
}

#[test]
fn matrix_is_the_evidence() {
    let evidence = sample();
    let page = page();
    let rows = markup::rows(&page, "matrix");
    assert_eq!(
        rows.len(),
        VARIANTS.len() + 1,
        "heading, baseline, the others"
    );
    for (v, (name, ..)) in VARIANTS.iter().enumerate().skip(1) {
        let row = &rows[v + 1];
        assert_eq!(row[0], *name);
        let verdict = evidence.variants[v].verdict.as_ref().expect("judged");
        assert!(row[1].contains(verdict.verdict.expect("given").word()));
        assert!(row[1].ends_with(&format!("mean {}", change(verdict.mean_speed))));
        for w in 0..WORKLOADS.len() {
            let c = comparison(&evidence, w, name);
            let sign = match c.judgement {
                Judgement::Faster => "▲",
                Judgement::Slower => "▼",
                Judgement::Same => "=",
                Judgement::Inconclusive => "?",
            };
            let expected = format!(
                "{}{}{sign} {}",
                change(c.speed.estimate),
                interval(c),
                c.judgement.word()
            );
            assert_eq!(row[w + 2], expected, "{name} on {}", WORKLOADS[w].0);
        }
    }
}

#[test]
fn all_formats_say_the_same() {
    let evidence = sample();
    let terminal = render(Format::Human, &evidence, false, 200);
    let markdown = render(Format::Markdown, &evidence, false, 80);
    for (name, ..) in VARIANTS.iter().skip(1) {
        let in_terminal = terminal
            .lines()
            .skip_while(|l| !l.starts_with("Speed"))
            .find(|l| l.trim_start().starts_with(&format!("{name} ")))
            .expect("a row");
        let in_markdown = markdown
            .lines()
            .find(|l| l.starts_with(&format!("| `{name}`")))
            .expect("a row");
        for w in 0..WORKLOADS.len() {
            let c = comparison(&evidence, w, name);
            let change = change(c.speed.estimate);
            let bare = change.replace(" %", "");
            let low_high = interval(c).replace(" %", "");
            let sign = match c.judgement {
                Judgement::Faster => "▲",
                Judgement::Slower => "▼",
                Judgement::Same => "=",
                Judgement::Inconclusive => "?",
            };
            let cell = format!("{sign} {bare:>5} [{low_high}]");
            assert!(in_terminal.contains(&cell), "{cell} in {in_terminal}");
            let cell = format!("{sign} **{change}**<br><sub>{low_high}</sub>");
            assert!(in_markdown.contains(&cell), "{cell} in {in_markdown}");
        }
    }
}

#[test]
fn figures_have_a_mark_for_every_comparison_and_a_point_for_every_sample() {
    let evidence = sample();
    let page = page();
    for workload in &evidence.workloads {
        let title = format!(
            "<title>Change of speed on {}, by variant</title>",
            workload.name
        );
        let start = page.find(&title).expect("the figure");
        let figure = &page[start..start + page[start..].find("</svg>").expect("its end")];
        for c in &workload.comparisons {
            let text = format!(
                "{}: {} ({}) {}",
                c.variant,
                change(c.speed.estimate),
                interval(c),
                c.judgement.word()
            );
            assert!(figure.contains(&format!("<title>{text}</title>")), "{text}");
        }
    }
    let drawn: usize = page.matches("h0").count();
    let hollow = evidence.samples.iter().filter(|s| s.disturbed).count();
    // Hollow points are drawn twice; points in the same place are one.
    let most = evidence.samples.len() + hollow;
    assert!((most * 9 / 10..=most).contains(&drawn), "{drawn} of {most}");
}
