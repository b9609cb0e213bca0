//! A reader of markup, just good enough to catch what is broken.

use std::collections::HashSet;

/// Elements that have no end tag in HTML.
const VOID: [&str; 4] = ["br", "link", "meta", "wbr"];

/// Checks that tags balance, attributes are quoted, ids are unique, and every
/// reference leads to an id of the same page.
///
/// # Panics
/// When something of that does not hold.
pub fn check(page: &str) {
    let mut open: Vec<String> = Vec::new();
    let mut ids = HashSet::new();
    let mut references = Vec::new();
    let mut rest = page
        .strip_prefix("<!DOCTYPE html>")
        .expect("a document type");
    while let Some(at) = rest.find('<') {
        let end = rest[at..].find('>').expect("a tag ends") + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "end tags match");
            continue;
        }
        let (tag, closed) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let name = tag.split_whitespace().next().expect("a tag has a name");
        assert!(
            name.chars().all(|c| c.is_ascii_alphanumeric()),
            "odd tag <{tag}>"
        );
        assert_ne!(name, "script");
        for (attribute, value) in attributes(&tag[name.len()..]) {
            assert!(!attribute.starts_with("on"), "handler in <{tag}>");
            assert!(!["src", "srcset", "action", "data"].contains(&attribute));
            match attribute {
                "id" => assert!(ids.insert(value.to_owned()), "id {value} is not unique"),
                "href" => references.push(value.strip_prefix('#').expect("local").to_owned()),
                _ => {}
            }
        }
        if !closed && !VOID.contains(&name) {
            open.push(name.to_owned());
        }
        if name == "style" {
            let end = rest.find("</style>").expect("the style ends");
            rest = &rest[end..];
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    for reference in references {
        assert!(ids.contains(&reference), "#{reference} leads nowhere");
    }
}

fn attributes(mut text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    loop {
        text = text.trim_start();
        if text.is_empty() {
            return found;
        }
        let (name, rest) = text.split_once("=\"").expect("attributes are quoted");
        let (value, rest) = rest.split_once('"').expect("quotes are closed");
        assert!(!value.contains('<'), "a bare < in {value}");
        found.push((name, value));
        text = rest;
    }
}

/// The rows of the first table of a class, each as the texts of its cells.
pub fn rows(page: &str, class: &str) -> Vec<Vec<String>> {
    let start = page
        .find(&format!("<table class=\"{class}\">"))
        .expect("the table is there");
    let table = &page[start..];
    let table = &table[..table.find("</table>").expect("the table ends")];
    table
        .split("<tr")
        .skip(1)
        .map(|row| {
            row.split(['\n', '<'])
                .fold((Vec::new(), String::new()), |(cells, text), piece| {
                    collect(cells, text, piece)
                })
                .0
        })
        .collect()
}

fn collect(mut cells: Vec<String>, mut text: String, piece: &str) -> (Vec<String>, String) {
    if piece.starts_with("td") || piece.starts_with("th") {
        text.clear();
    }
    if piece.starts_with("/td") || piece.starts_with("/th") {
        cells.push(unescape(&text));
        text.clear();
    } else if let Some((_, inner)) = piece.split_once('>') {
        text.push_str(inner);
    }
    (cells, text)
}

/// Text without its escapes.
pub fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

/// Whether a text has something that is no number where one should be.
pub fn has_no_number(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| word == "NaN" || word == "inf")
}
