//! XML as test tools write it, in pieces and within limits.
//!
//! A tokenizer and no more: elements, attributes, text, CDATA. It refuses a document
//! type with declarations of its own: no test tool writes one, and they are the way
//! to make a small file expand to a large one. Of references only those that XML
//! itself defines and numbers are replaced.

/// The longest tag that is read.
const LONGEST_TAG: usize = 1 << 20;

/// How much of a text between tags is kept.
const KEPT_TEXT: usize = 4 << 10;

/// A piece of XML.
pub enum Token<'a> {
    /// A tag that opens an element.
    Start {
        /// The element's name.
        name: &'a str,
        /// Names and values.
        attributes: &'a [(String, String)],
        /// It ends here too.
        empty: bool,
    },
    /// A tag that ends an element.
    End(&'a str),
    /// Text, of which the beginning is kept.
    Text(&'a str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Text,
    /// In `<…`; the quote that is open.
    Tag(Option<u8>),
    Comment,
    Cdata,
}

/// Where a document is.
pub struct Tokenizer {
    at: At,
    piece: Vec<u8>,
    /// The last two bytes, to find the end of comments.
    last: [u8; 2],
    /// The line, counted from 1.
    pub line: usize,
    /// Bytes taken.
    length: usize,
}

impl Default for Tokenizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Tokenizer {
    /// At the beginning of a document.
    #[must_use]
    pub fn new() -> Self {
        Self {
            at: At::Text,
            piece: Vec::new(),
            last: [0; 2],
            line: 1,
            length: 0,
        }
    }

    /// What is wrong with a document that ends here, `open` being its open element.
    pub fn cut_off(&self, open: Option<&String>) -> Option<String> {
        let inside = match open {
            Some(open) => format!("inside of `<{open}>`"),
            None if self.at == At::Text => return None,
            None => "inside of a tag".to_owned(),
        };
        Some(format!(
            "the file is cut off {inside}, at byte {}: let the tool write it again",
            self.length
        ))
    }

    /// Takes the next bytes and gives every token that they complete.
    ///
    /// # Errors
    /// When they are no XML, or beyond a limit.
    pub fn feed(
        &mut self,
        bytes: &[u8],
        give: &mut dyn FnMut(Token<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        self.length += bytes.len();
        for &byte in bytes {
            self.line += usize::from(byte == b'\n');
            match self.at {
                At::Text if byte == b'<' => {
                    self.text(give)?;
                    self.at = At::Tag(None);
                }
                At::Text => {
                    if self.piece.len() < KEPT_TEXT {
                        self.piece.push(byte);
                    }
                }
                At::Tag(quote) => self.tag_byte(byte, quote, give)?,
                At::Comment => {
                    if byte == b'>' && self.last == *b"--" {
                        self.at = At::Text;
                    }
                }
                At::Cdata => {
                    if byte == b'>' && self.last == *b"]]" {
                        let end = self.piece.len();
                        // They are among what was kept if the text was short.
                        if self.piece.ends_with(b"]]") {
                            self.piece.truncate(end - 2);
                        }
                        let text = String::from_utf8_lossy(&self.piece).into_owned();
                        self.piece.clear();
                        self.at = At::Text;
                        give(Token::Text(&text))?;
                    } else if self.piece.len() < KEPT_TEXT {
                        self.piece.push(byte);
                    }
                }
            }
            self.last = [self.last[1], byte];
        }
        Ok(())
    }

    fn text(
        &mut self,
        give: &mut dyn FnMut(Token<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        if self.piece.iter().any(|byte| !byte.is_ascii_whitespace()) {
            let text = unescaped(&String::from_utf8_lossy(&self.piece));
            give(Token::Text(&text))?;
        }
        self.piece.clear();
        Ok(())
    }

    fn tag_byte(
        &mut self,
        byte: u8,
        quote: Option<u8>,
        give: &mut dyn FnMut(Token<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        let is_declaration = self.piece.first() == Some(&b'!');
        if byte == b'>' && quote.is_none() {
            let piece = std::mem::take(&mut self.piece);
            self.at = At::Text;
            tag(&String::from_utf8_lossy(&piece), give)?;
            self.piece = piece;
            self.piece.clear();
            return Ok(());
        }
        if is_declaration && byte == b'[' && !b"![CDATA[".starts_with(&self.piece) {
            return Err(
                "a document type with declarations is refused: no test report needs one, \
                        and entities can make a file grow without bound; remove it"
                    .to_owned(),
            );
        }
        if self.piece.len() >= LONGEST_TAG {
            return Err("a tag is longer than 1 MiB; is the file whole?".to_owned());
        }
        self.piece.push(byte);
        match self.piece.as_slice() {
            b"!--" => {
                self.piece.clear();
                self.last = [0; 2];
                self.at = At::Comment;
            }
            b"![CDATA[" => {
                self.piece.clear();
                self.last = [0; 2];
                self.at = At::Cdata;
            }
            // Text such as a processing instruction may hold single quotes.
            [b'?', ..] => {}
            _ => {
                self.at = At::Tag(match (quote, byte) {
                    (None, b'"' | b'\'') => Some(byte),
                    (Some(open), _) if open == byte => None,
                    (quote, _) => quote,
                });
            }
        }
        Ok(())
    }
}

/// Gives the token of what stands between `<` and `>`.
fn tag(text: &str, give: &mut dyn FnMut(Token<'_>) -> Result<(), String>) -> Result<(), String> {
    if text.starts_with(['?', '!']) {
        return Ok(());
    }
    if let Some(name) = text.strip_prefix('/') {
        return give(Token::End(name.trim()));
    }
    let (text, empty) = match text.strip_suffix('/') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    let sound = |c: char| c.is_alphanumeric() || "_-.:".contains(c);
    if name.is_empty() || name.len() > 256 || !name.chars().all(sound) {
        return Err(format!(
            "`<{}` is no tag of XML",
            text.chars().take(40).collect::<String>()
        ));
    }
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        let Some((key, value)) = rest.split_once('=') else {
            break;
        };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| ['"', '\''].contains(c));
        let inside = quote.and_then(|quote| value[1..].split_once(quote));
        let Some((inside, behind)) = inside else {
            return Err(format!("an attribute of `<{name}>` has no value in quotes"));
        };
        attributes.push((key.trim().to_owned(), unescaped(inside)));
        rest = behind;
    }
    give(Token::Start {
        name,
        attributes: &attributes,
        empty,
    })
}

/// Replaces the references that XML defines and numbers; others stay.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // No reference is longer.
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        let replaced = end.and_then(|end| Some((reference(&rest[1..end])?, end)));
        let length = match replaced {
            Some((c, end)) => {
                out.push(c);
                end + 1
            }
            None => {
                out.push('&');
                1
            }
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

fn reference(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}
