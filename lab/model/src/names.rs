//! Names of functions for people.

use std::borrow::Cow;

/// What is shorter is left as it is.
const LONG: usize = 80;
/// What stands between brackets and is shorter stays.
const INSIDE: usize = 16;

/// A text with names of C++ or Rust in which template arguments and parameters are left out
/// where they make it long: `f<…>(…)`. Names of C++ may have thousands of characters, most
/// of which say the same as the rest. Documents for machines have them in full.
///
/// Only brackets right behind a name are folded, so what stands in brackets in a sentence
/// stays.
#[must_use]
pub fn folded(text: &str) -> Cow<'_, str> {
    if text.len() <= LONG {
        return Cow::Borrowed(text);
    }
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let is_behind_name = at > 0 && is_name(chars[at - 1]);
        let end = match chars[at] {
            '<' | '(' if is_behind_name && !is_operator(&chars[..at]) => closing(&chars, at),
            _ => None,
        };
        match end {
            Some(end) if end - at - 1 > INSIDE => {
                out.extend([chars[at], '…', chars[end]]);
                at = end + 1;
            }
            _ => {
                out.push(chars[at]);
                at += 1;
            }
        }
    }
    Cow::Owned(out)
}

/// What a name or its bracket ends with.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '>' | ')' | '}' | ']')
}

/// Whether `operator` is what comes before: of `operator<` and `operator()` the bracket is a
/// part of the name.
fn is_operator(before: &[char]) -> bool {
    before.ends_with(&['o', 'p', 'e', 'r', 'a', 't', 'o', 'r'])
}

/// Where the bracket at `open` is closed, if it is.
fn closing(chars: &[char], open: usize) -> Option<usize> {
    let mut depth = Vec::new();
    for (at, &c) in chars.iter().enumerate().skip(open) {
        // An arrow closes nothing, and what `operator` compares opens nothing.
        let is_other = matches!(c, '<' | '>')
            && (at > 0 && matches!(chars[at - 1], '-' | '=') || is_operator(&chars[..at]));
        match c {
            _ if is_other => {}
            '<' | '(' | '{' | '[' => depth.push(c),
            '>' | ')' | '}' | ']' => {
                let is_pair = matches!(
                    (depth.pop(), c),
                    (Some('<'), '>') | (Some('('), ')') | (Some('{'), '}') | (Some('['), ']')
                );
                match (is_pair, depth.is_empty()) {
                    (false, _) => return None,
                    (true, true) => return Some(at),
                    (true, false) => {}
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_and_parameters_of_long_names_are_left_out() {
        let long = "a::dispatch<a::backend::cpu_dispatch_avx2, std::pair<long, long>>::operator()\
                    (a::host_policy const&, a::table<a::task::all> const&) (0x37a5fb) takes";
        assert_eq!(
            folded(long),
            "a::dispatch<…>::operator()(…) (0x37a5fb) takes"
        );
        let short = "std::vector<int>::push_back(int const&)";
        assert_eq!(folded(short), short);
        let rust = "<alloc::vec::Vec<T, A> as core::iter::traits::collect::Extend<T>>::extend::\
                    <core::iter::adapters::map::Map<I, F>>";
        // What a name of Rust begins with is no argument.
        assert!(
            folded(rust).starts_with("<alloc::vec::Vec<T, A> as "),
            "{}",
            folded(rust)
        );
    }

    #[test]
    fn sentences_keep_their_brackets() {
        let text = "the pointers that short takes (100 functions; f<int>: called through a pointer \
                    that g(int) (0x37a5fb) takes); whether a gate is before them is not known";
        assert_eq!(folded(text), text);
        let open = "a name that was cut: abcdefghij<klmnopqrstuvw, and nothing closes it any more, \
                    whatever comes";
        assert_eq!(folded(open), open);
    }
}
