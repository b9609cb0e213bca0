//! One self-contained HTML page: limits, plots over time, then all figures.

use super::words::{about, bounded, found, limit, percent, share, surroundings, value, word};
use super::{chart, words};
use crate::html::frame;
use crate::html::write::Writer;
use crate::number::{MISSING, p};
use crate::wording::{verdict, verdict_sign};
use karat_model::soak::{Held, Soak};
use karat_model::units;

/// The soak as a page.
#[must_use]
pub fn html(soak: &Soak) -> String {
    let title = format!("karat soak: {}", soak.plan.program);
    frame::page(&title, include_str!("style.css"), |w| {
        // Without a column for a table of contents.
        w.node("main", &[("class", "single")], |w| body(w, soak));
    })
}

fn body(w: &mut Writer, soak: &Soak) {
    w.node("header", &[], |w| {
        w.element("p", &[("class", "eyebrow")], "karat soak");
        let word = match soak.verdict {
            None => "No limits were declared".to_owned(),
            some => format!("{} {}", verdict_sign(some), verdict(some)),
        };
        w.element("h1", &[], &word);
        w.element("p", &[("class", "lead")], &about(soak));
        let m = &soak.machine;
        let where_and_when = format!(
            "{} ({}), {} processors, {}; {}; karat {}.",
            m.cpu, m.cpu_id, m.processors, m.kernel, soak.started, soak.karat
        );
        w.element("p", &[("class", "note")], &where_and_when);
    });
    if !soak.budgets.is_empty() {
        w.node("section", &[("id", "limits")], |w| limits(w, soak));
    }
    w.node("section", &[("id", "time")], |w| {
        w.element("h2", &[], "Over time");
        w.element(
            "p",
            &[("class", "note")],
            "A point for each epoch; pale ones are warm and not judged. Vertical lines are change \
             points. Each plot has its own scale.",
        );
        w.node("div", &[("class", "figures")], |w| chart::all(w, soak));
    });
    w.node("section", &[("id", "figures")], |w| figures(w, soak));
    w.node("section", &[("id", "machine")], |w| {
        w.element("h2", &[], "The machine");
        w.element("p", &[], &surroundings(soak));
        for note in &soak.notes {
            w.element("p", &[("class", "note")], note);
        }
    });
}

fn limits(w: &mut Writer, soak: &Soak) {
    w.element("h2", &[], "Limits");
    table(w, "Limits", &["limit", "at most", "found", ""], |w| {
        for b in &soak.budgets {
            w.node("tr", &[], |w| {
                w.th("row", b.kind.name());
                w.element("td", &[], &limit(b));
                w.element("td", &[], &found(b));
                let class = match b.held {
                    Held::Held => "tag good",
                    Held::Broken => "tag bad",
                    Held::Open => "tag open",
                };
                w.node("td", &[], |w| {
                    w.element("span", &[("class", class)], word(b.held));
                });
            });
        }
    });
    for b in &soak.budgets {
        if let Some(why) = &b.why {
            w.element(
                "p",
                &[("class", "note")],
                &format!("{}: {why}.", b.kind.name()),
            );
        }
    }
}

fn figures(w: &mut Writer, soak: &Soak) {
    w.element("h2", &[], "Figures of the judged epochs");
    w.element(
        "p",
        &[("class", "note")],
        "Intervals at 95 %. Drift is the median slope (Theil and Sen) an hour.",
    );
    let head = ["", "mean", "CV", "drift an hour", "lowest", "highest"];
    table(w, "Figures", &head, |w| {
        for f in &soak.figures {
            w.node("tr", &[], |w| {
                w.th("row", &f.name);
                w.element("td", &[], &bounded(f.mean, &f.unit));
                w.element("td", &[], &f.cv.map_or(MISSING.into(), share));
                w.element("td", &[], &f.drift.map_or(MISSING.into(), share));
                w.element("td", &[], &value(f.low, &f.unit));
                w.element("td", &[], &value(f.high, &f.unit));
            });
        }
    });
    if let Some(l) = soak.levels {
        let text = format!(
            "Throughput sits on two levels: {} for {} of the time, else {}.",
            value(l.low, "op/s"),
            percent(l.low_share),
            value(l.high, "op/s")
        );
        w.element("p", &[], &text);
    }
    let changed = || {
        soak.figures
            .iter()
            .flat_map(|f| f.changes.iter().map(move |c| (f, c)))
    };
    if changed().next().is_some() {
        w.element("h3", &[], "Changes");
        table(
            w,
            "Changes",
            &["at", "figure", "from", "to", "p of none"],
            |w| {
                for (f, c) in changed() {
                    w.node("tr", &[], |w| {
                        w.element("td", &[], &units::seconds(c.at));
                        w.element("td", &[], &f.name);
                        w.element("td", &[], &value(c.before, &f.unit));
                        w.element("td", &[], &value(c.after, &f.unit));
                        w.element("td", &[], &p(c.p));
                    });
                }
            },
        );
    }
    tails(w, soak);
}

fn tails(w: &mut Writer, soak: &Soak) {
    let (Some(typical), Some(worst)) = (&soak.tails, &soak.worst) else {
        return;
    };
    w.element("h3", &[], "Latency");
    table(
        w,
        "Latency",
        &["", "p50", "p95", "p99", "p99.9", "max"],
        |w| {
            for (name, t) in [("typical epoch", typical), ("worst epoch", worst)] {
                w.node("tr", &[], |w| {
                    w.th("row", name);
                    for v in [t.p50, t.p95, t.p99, t.p999, t.max] {
                        w.element(
                            "td",
                            &[],
                            &v.map_or(MISSING.into(), |v| words::value(v, "s")),
                        );
                    }
                });
            }
        },
    );
}

fn table(w: &mut Writer, caption: &str, head: &[&str], rows: impl FnOnce(&mut Writer)) {
    w.table(caption, "numbers", |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                for name in head {
                    w.th("col", name);
                }
            });
        });
        w.node("tbody", &[], rows);
    });
}
