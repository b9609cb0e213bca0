//! What all pages are: the document, its head with the style, its body.

use super::write::Writer;

/// A page with this title. The style is that of all pages, then `style`; the body
/// is what `body` writes.
#[must_use]
pub fn page(title: &str, style: &'static str, body: impl FnOnce(&mut Writer)) -> String {
    let mut w = Writer::default();
    w.constant("<!DOCTYPE html>\n");
    w.node("html", &[("lang", "en")], |w| {
        w.node("head", &[], |w| {
            w.empty("meta", &[("charset", "utf-8")]);
            w.empty(
                "meta",
                &[
                    ("name", "viewport"),
                    ("content", "width=device-width, initial-scale=1"),
                ],
            );
            w.empty(
                "meta",
                &[("name", "color-scheme"), ("content", "light dark")],
            );
            w.element("title", &[], title);
            w.node("style", &[], |w| {
                w.constant(include_str!("style.css"));
                w.constant(style);
            });
        });
        w.node("body", &[], body);
    });
    w.constant("\n");
    w.finish()
}
