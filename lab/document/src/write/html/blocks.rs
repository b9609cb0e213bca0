//! The pieces of a part as HTML.

use super::table;
use crate::{Block, Chart, Code, Entry, Fact, Figure, Span, Table, Text, Weight};
use karat_page::Writer;

/// Writes them in their order.
pub fn write(w: &mut Writer, blocks: &[Block], sortable: bool) {
    let several = Block::have_captions(blocks);
    for block in blocks {
        one(w, block, several, sortable);
    }
}

fn one(w: &mut Writer, block: &Block, several: bool, sortable: bool) {
    match block {
        Block::Prose(weight, text) => w.node("p", &[("class", class(*weight))], |w| spans(w, text)),
        Block::List(weight, items) => list(w, class(*weight), items),
        Block::Lines(items) => list(w, class(Weight::Plain), items),
        Block::Row(items) => list(w, "row", items),
        Block::Findings(entries) => w.node("ul", &[("class", "findings")], |w| {
            for entry in entries {
                w.node("li", &[], |w| finding(w, entry));
            }
        }),
        Block::Table(table) => captioned(w, table, several, sortable),
        Block::Facts(facts) => self::facts(w, facts),
        Block::Commands(commands) => words(w, &commands.join("\n")),
        Block::Code(code) => self::code(w, code),
        Block::Figures(figures) => self::figures(w, figures),
        Block::Heading(text) => w.node("h3", &[], |w| spans(w, text)),
        Block::Details {
            id,
            summary,
            open,
            blocks,
        } => {
            let inside = |w: &mut Writer| {
                w.details(summary, *open, |w| write(w, blocks, sortable));
            };
            match id.is_empty() {
                true => inside(w),
                false => w.node("div", &[("id", id)], inside),
            }
        }
    }
}

fn captioned(w: &mut Writer, table: &Table, several: bool, sortable: bool) {
    if several {
        w.element("h3", &[], &table.caption);
    }
    table::write(w, table, sortable);
}

/// A text; names in it may break between their segments.
pub fn spans(w: &mut Writer, text: &Text) {
    for span in &text.0 {
        match span {
            Span::Plain(text) => w.text(text),
            Span::Code(text) => w.code(text),
            Span::Strong(text) => w.element("b", &[], text),
            Span::Toned(state, text) => w.element("span", &[("class", state.class())], text),
            Span::Link(id, text) => w.element("a", &[("href", &format!("#{id}"))], text),
            Span::Key(nth, text) => {
                w.element("span", &[("class", &format!("key k{nth}"))], text);
            }
        }
    }
}

const fn class(weight: Weight) -> &'static str {
    match weight {
        Weight::Strong => "advice",
        Weight::Plain => "plain",
        Weight::Note => "note",
        Weight::Caveat => "caveat",
        Weight::Fine => "fine",
    }
}

fn list(w: &mut Writer, class: &str, items: &[Text]) {
    if items.is_empty() {
        return;
    }
    w.node("ul", &[("class", class)], |w| {
        for item in items {
            w.node("li", &[], |w| spans(w, item));
        }
    });
}

fn finding(w: &mut Writer, entry: &Entry) {
    let (word, state) = entry.severity;
    let class = format!("tag {}", state.class());
    w.element("span", &[("class", &class)], word);
    w.text(" ");
    w.element("b", &[], &entry.code);
    w.text(" ");
    if !entry.place.is_empty() {
        w.code(&entry.place);
        w.text(" ");
    }
    if entry.each.is_empty() {
        if !entry.about.is_empty() {
            w.text(&format!("{}: ", entry.about));
        }
        return w.text(&entry.message);
    }
    w.details(&entry.about, false, |w| {
        w.node("ul", &[], |w| {
            for (about, message) in &entry.each {
                w.node("li", &[], |w| {
                    w.element("b", &[], about);
                    w.text(&format!(": {message}"));
                });
            }
        });
    });
}

fn facts(w: &mut Writer, facts: &[Fact]) {
    if facts.is_empty() {
        return;
    }
    w.node("dl", &[], |w| {
        for fact in facts {
            w.node("dt", &[], |w| spans(w, &fact.name));
            w.node("dd", &[], |w| match &fact.said[..] {
                [one] => spans(w, one),
                many => many
                    .iter()
                    .for_each(|said| w.node("p", &[], |w| spans(w, said))),
            });
        }
    });
}

/// Commands, each word in a span, so that lines break between words only.
fn words(w: &mut Writer, commands: &str) {
    w.node("pre", &[("class", "commands")], |w| {
        for piece in commands.split_inclusive([' ', '\n']) {
            let word = piece.trim_end_matches([' ', '\n']);
            w.element("span", &[], word);
            w.text(&piece[word.len()..]);
        }
    });
}

fn code(w: &mut Writer, code: &Code) {
    w.element("pre", &[], &code.text);
    if code.more > 0 {
        let text = format!("{} more lines in the JSON", code.more);
        w.element("p", &[("class", "fine")], &text);
    }
}

fn figures(w: &mut Writer, figures: &[Figure]) {
    let class = match figures {
        [_] => "figure",
        _ => "figures",
    };
    w.node("div", &[("class", class)], |w| {
        for figure in figures {
            w.node("figure", &[], |w| {
                if !figure.title.is_empty() {
                    w.element("h3", &[], &figure.title);
                }
                match &figure.chart {
                    Chart::Map(map) => map.draw(w),
                    Chart::Forest(forest) => forest.draw(w),
                    Chart::RunOrder(order) => order.draw(w),
                    Chart::Curves(curves) => curves.draw(w),
                    Chart::OverTime(figure) => figure.draw(w),
                }
            });
        }
    });
}
