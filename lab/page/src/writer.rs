//! A writer of HTML and SVG that cannot forget to escape or to close.

use crate::{paths, printable};

/// Attributes of an element.
pub type Attributes<'a> = &'a [(&'a str, &'a str)];

/// Collects markup.
#[derive(Default)]
pub struct Writer {
    out: String,
}

impl Writer {
    /// An element with children.
    pub fn node(&mut self, tag: &str, attributes: Attributes<'_>, body: impl FnOnce(&mut Self)) {
        self.start(tag, attributes);
        self.out.push('>');
        body(self);
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
        if is_block(tag) {
            self.out.push('\n');
        }
    }

    /// An element without content.
    pub fn empty(&mut self, tag: &str, attributes: Attributes<'_>) {
        self.start(tag, attributes);
        self.out.push_str("/>");
    }

    /// An element that holds text only.
    pub fn element(&mut self, tag: &str, attributes: Attributes<'_>, text: &str) {
        self.node(tag, attributes, |w| w.text(text));
    }

    /// Escaped text.
    pub fn text(&mut self, text: &str) {
        escape(&mut self.out, text);
    }

    /// A name such as `a::b_c`, which may break after `::` and `_`.
    pub fn path(&mut self, path: &str) {
        for piece in path.split_inclusive(['_', ':']) {
            self.text(piece);
            // After the second colon only, and not behind a `_` that a name begins with.
            if piece == ":" || piece.ends_with('_') && piece != "_" {
                self.out.push_str("<wbr>");
            }
        }
    }

    /// Text in a `code` element that may break between path segments. A long path of a
    /// file is without its middle until it is asked for: by the pointer, a tap or the
    /// keyboard.
    pub fn code(&mut self, text: &str) {
        let Some(short) = paths::without_middle(text) else {
            return self.node("code", &[], |w| w.path(text));
        };
        let attributes = [("class", "path"), ("title", text), ("tabindex", "0")];
        self.node("code", &attributes, |w| {
            w.element("span", &[], &short);
            w.element("span", &[], text);
        });
    }

    /// A folded part.
    pub fn details(&mut self, summary: &str, open: bool, body: impl FnOnce(&mut Self)) {
        let attributes: Attributes<'_> = if open { &[("open", "open")] } else { &[] };
        self.node("details", attributes, |w| {
            w.element("summary", &[], summary);
            body(w);
        });
    }

    /// A table that scrolls by itself when the page is narrow.
    pub fn table(&mut self, caption: &str, class: &str, body: impl FnOnce(&mut Self)) {
        let frame = [
            ("class", "scroll"),
            ("role", "region"),
            ("aria-label", caption),
            ("tabindex", "0"),
        ];
        self.node("div", &frame, |w| {
            w.node("table", &[("class", class)], |w| {
                w.element("caption", &[("class", "hidden")], caption);
                body(w);
            });
        });
    }

    /// Markup that is ours and constant.
    pub fn constant(&mut self, markup: &'static str) {
        self.out.push_str(markup);
    }

    /// The markup.
    pub fn finish(self) -> String {
        self.out
    }

    fn start(&mut self, tag: &str, attributes: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            escape(&mut self.out, value);
            self.out.push('"');
        }
    }
}

fn escape(out: &mut String, text: &str) {
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
}

fn is_block(tag: &str) -> bool {
    matches!(
        tag,
        "head"
            | "title"
            | "style"
            | "section"
            | "header"
            | "footer"
            | "nav"
            | "div"
            | "h1"
            | "h2"
            | "h3"
            | "p"
            | "ul"
            | "ol"
            | "li"
            | "dl"
            | "dd"
            | "table"
            | "tr"
            | "pre"
            | "details"
            | "svg"
            | "figure"
            | "g"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_escaped_and_closed() {
        let mut w = Writer::default();
        w.node("b", &[("title", "\"<&>'")], |w| w.text("<i>&\u{1b}"));
        w.code("a::b_c<T>");
        w.code("_a_b");
        assert_eq!(
            w.finish(),
            "<b title=\"&quot;&lt;&amp;&gt;&#39;\">&lt;i&gt;&amp;</b>\
             <code>a::<wbr>b_<wbr>c&lt;T&gt;</code><code>_a_<wbr>b</code>"
        );
    }
}
