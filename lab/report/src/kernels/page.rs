//! One self-contained HTML page: a plot for each panel, then all numbers.

use super::panels::{Panel, Series, panels};
use super::{chart, cycles_unit, rate, rate_unit, work};
use crate::html::frame;
use crate::html::write::{Writer, tone};
use crate::number;
use crate::svg::marker;
use crate::wording::judgement_tone;
use karat_model::kernels::{Case, CaseArm, KernelBench};
use karat_model::units::{seconds, significant};

/// The benchmark as a page.
#[must_use]
pub fn html(bench: &KernelBench) -> String {
    let title = "karat's kernels: throughput by size";
    frame::page(title, include_str!("style.css"), |w| {
        marker::symbols(w);
        // Without a column for a table of contents.
        w.node("main", &[("class", "single")], |w| body(w, bench));
    })
}

fn body(w: &mut Writer, bench: &KernelBench) {
    let panels = panels(bench);
    w.node("header", &[], |w| {
        w.element("p", &[("class", "eyebrow")], "karat kernels bench");
        w.element("h1", &[], "Throughput of karat's kernels by size");
        let m = &bench.machine;
        let clock = m.hypervisor.as_ref().map(|h| format!(", {h}"));
        w.element(
            "p",
            &[("class", "lead")],
            &format!(
                "{} ({}), {} processors{}; {}; {}; {}.",
                m.cpu,
                m.cpu_id,
                m.processors,
                clock.unwrap_or_default(),
                m.rustc.as_deref().unwrap_or("no rustc"),
                bench.started,
                seconds(bench.seconds),
            ),
        );
        if bench.quick {
            w.element(
                "p",
                &[("class", "caveat")],
                "A quick run: too few rounds to conclude from.",
            );
        }
    });
    w.node("section", &[("id", "plots")], |w| {
        w.element("h2", &[], "Size against throughput");
        w.element(
            "p",
            &[("class", "note")],
            "Solid lines are karat's implementations, the thick one is what calls go to; dashed \
             lines are other crates. Up is faster. Each plot has its own scale. Sizes are those \
             of one item.",
        );
        w.node("div", &[("class", "figures")], |w| {
            for panel in &panels {
                w.node("figure", &[], |w| figure(w, panel));
            }
        });
    });
    w.node("section", &[("id", "numbers")], |w| {
        w.element("h2", &[], "Numbers");
        w.element(
            "p",
            &[("class", "note")],
            &format!(
                "All arms of a size ran interleaved in one process on the same fresh inputs. \
                 Speed: over that of the arm called baseline, with its interval; the margin is \
                 {}. ns: mean of the faster half, of a call through a pointer.",
                number::chosen(bench.margin)
            ),
        );
        for panel in &panels {
            w.details(&panel.title, false, |w| {
                for case in &panel.cases {
                    numbers(w, case);
                }
            });
        }
    });
    w.node("footer", &[], |w| {
        w.text("Made by ");
        w.node("code", &[], |w| w.text(&bench.command));
        w.text(&format!(", karat {}, seed {}.", bench.karat, bench.seed));
    });
}

fn figure(w: &mut Writer, panel: &Panel<'_>) {
    w.element("h3", &[], &panel.title);
    chart::draw(w, panel);
    w.node("ul", &[("class", "legend")], |w| {
        for (index, series) in panel.series.iter().enumerate() {
            w.node("li", &[], |w| entry(w, index, series));
        }
    });
    w.element(
        "p",
        &[("class", "fine")],
        &format!("kernel {}", panel.kernel),
    );
}

/// A mark, and whose line it is.
fn entry(w: &mut Writer, index: usize, series: &Series) {
    let frame = [
        ("class", "chart key-mark"),
        ("width", "12"),
        ("height", "12"),
        ("aria-hidden", "true"),
    ];
    w.node("svg", &frame, |w| {
        w.node("g", &[("class", &marker::colour(index))], |w| {
            marker::put(w, &marker::shape(index), "", "6", 6.0);
        });
    });
    match series.chosen {
        true => w.element("strong", &[], &series.name),
        false => w.text(&series.name),
    }
    if !series.note.is_empty() {
        w.text(&format!(" ({})", series.note));
    }
}

fn numbers(w: &mut Writer, case: &Case) {
    let about = work(case);
    w.element("h3", &[], &about);
    if !case.again_passed {
        w.element(
            "p",
            &[("class", "caveat")],
            "The baseline came out different from itself: words are withheld.",
        );
    }
    w.table(&format!("{}, {about}", case.title), "numbers", |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                let (rate, cycles) = (rate_unit(case), cycles_unit(case));
                for name in ["arm", "ns", rate, cycles, "speed", "interval", ""] {
                    w.th("col", name);
                }
            });
        });
        w.node("tbody", &[], |w| {
            for arm in &case.arms {
                w.node("tr", &[], |w| row(w, case, arm));
            }
        });
    });
}

fn row(w: &mut Writer, case: &Case, arm: &CaseArm) {
    w.th("row", &arm.name);
    w.element("td", &[], &significant(arm.ns));
    w.element("td", &[], &significant(rate(case, arm)));
    let cycles = arm.cycles.map_or(number::MISSING.into(), significant);
    w.element("td", &[], &cycles);
    let Some(speed) = &arm.speed else {
        let what = if arm.name == case.baseline {
            "baseline"
        } else {
            number::MISSING
        };
        w.element("td", &[], what);
        w.element("td", &[], "");
        w.element("td", &[], "");
        return;
    };
    w.element("td", &[], &format!("×{:.3}", speed.estimate));
    w.element("td", &[], &crate::wording::interval(speed));
    let (word, class) = match arm.judgement {
        Some(judgement) => (judgement.word(), tone(judgement_tone(judgement))),
        None => ("withheld", "open"),
    };
    w.node("td", &[], |w| {
        w.element("span", &[("class", &format!("tag {class}"))], word);
    });
}
