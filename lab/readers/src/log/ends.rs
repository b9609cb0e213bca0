//! Where a document ends, so that lines may follow it.

/// Goes over a document's bytes until it is whole.
pub enum End {
    Json(Json),
    Xml(Xml),
}

impl End {
    /// For a document of that first byte.
    pub fn of(first: u8) -> Self {
        match first {
            b'<' => Self::Xml(Xml::default()),
            _ => Self::Json(Json::default()),
        }
    }

    /// Takes the next bytes; how many of them belong to the document, if it ends in them.
    pub fn feed(&mut self, piece: &[u8]) -> Option<usize> {
        let ends = |byte: &u8| match self {
            Self::Json(json) => json.ends_at(*byte),
            Self::Xml(xml) => xml.ends_at(*byte),
        };
        piece.iter().position(ends).map(|at| at + 1)
    }
}

/// Counts brackets outside of strings.
#[derive(Default)]
pub struct Json {
    depth: u64,
    in_string: bool,
    escaped: bool,
}

impl Json {
    fn ends_at(&mut self, byte: u8) -> bool {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

/// The most that is kept of an element's name.
const NAME: usize = 100;

/// What is no element begins and ends so.
const OTHERS: [(&[u8], &[u8; 3]); 2] = [(b"!--", b"-->"), (b"![CDATA[", b"]]>")];

/// Counts the elements that are called as the root is.
#[derive(Default)]
pub struct Xml {
    root: Vec<u8>,
    depth: u64,
    /// The name of the tag that is read; none outside of tags and behind the name.
    name: Option<Vec<u8>>,
    /// In a tag of the root's name, behind it.
    in_root: bool,
    /// What a comment or a text that is quoted as a whole ends in.
    until: Option<&'static [u8; 3]>,
    last: [u8; 3],
}

impl Xml {
    fn ends_at(&mut self, byte: u8) -> bool {
        self.last = [self.last[1], self.last[2], byte];
        if let Some(until) = self.until {
            if self.last == *until {
                self.until = None;
            }
            return false;
        }
        if let Some(name) = &mut self.name {
            let begins = name.is_empty() && byte == b'/';
            let more = !byte.is_ascii_whitespace() && !b"/>".contains(&byte);
            if begins || more && name.len() < NAME {
                name.push(byte);
                let other = OTHERS
                    .into_iter()
                    .find(|(begin, _)| name.as_slice() == *begin);
                if let Some((_, end)) = other {
                    (self.name, self.until) = (None, Some(end));
                }
                return false;
            }
            let name = self.name.take().unwrap_or_default();
            self.named(&name);
        } else if byte == b'<' && !self.in_root {
            self.name = Some(Vec::new());
            return false;
        }
        if byte != b'>' || !std::mem::take(&mut self.in_root) {
            return false;
        }
        // `<root/>`
        if self.last[1] == b'/' {
            self.depth = self.depth.saturating_sub(1);
        }
        self.depth == 0
    }

    fn named(&mut self, name: &[u8]) {
        if name.starts_with(b"?") || name.starts_with(b"!") {
            return;
        }
        if self.root.is_empty() {
            self.root = name.to_vec();
        }
        if name == self.root {
            (self.in_root, self.depth) = (true, self.depth + 1);
        } else if name.strip_prefix(b"/") == Some(&self.root) {
            (self.in_root, self.depth) = (true, self.depth.saturating_sub(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::End;

    /// The document at the beginning of a text, read in pieces of `size` bytes.
    fn document(text: &str, size: usize) -> Option<&str> {
        let mut end = End::of(text.as_bytes()[0]);
        let mut pieces = text.as_bytes().chunks(size).enumerate();
        let at = pieces.find_map(|(i, piece)| Some(i * size + end.feed(piece)?))?;
        Some(&text[..at])
    }

    #[test]
    fn a_document_ends_where_its_first_bracket_or_element_does() {
        let whole = [
            r#"{"a": [1, {}], "b": "}\"}\\"}"#,
            "[]",
            "<r/>",
            "<r a='1'><s/><r>x</r></r>",
            "<?xml version='1.0'?>\n<!-- <r> -- -->\n<rs><![CDATA[</rs>]]]]><r></r><rs /></rs >",
        ];
        for text in whole {
            let followed = format!("{text}\nok {{}}<r/>\n");
            for size in [1, 2, 7, 100] {
                assert_eq!(document(&followed, size), Some(text), "{size}");
                assert_eq!(document(&text[..text.len() - 1], size), None, "{size}");
            }
        }
    }
}
