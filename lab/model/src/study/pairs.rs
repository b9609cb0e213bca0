//! `compare`: variants to compare with each other, besides with the baseline.

use super::fields::{Fields, Located, wrong_type};
use crate::diagnostic::{Problem, nearest};

/// Reads `compare = [["a", "b"], …]` into indices of variants: (compared with, variant).
pub(super) fn read(
    root: &mut Fields<'_, '_>,
    names: &[Located<String>],
    baseline: Option<usize>,
    problems: &mut Vec<Problem>,
) -> Vec<(usize, usize)> {
    let Some(node) = root.get("compare") else {
        return Vec::new();
    };
    let Some(list) = node.get_ref().as_array() else {
        problems.push(wrong_type(node, "pairs of variants: [[\"a\", \"b\"], …]"));
        return Vec::new();
    };
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for item in list {
        let words = item.get_ref().as_array().map_or(&[][..], |a| &a[..]);
        let named: Option<Vec<&str>> = words.iter().map(|w| w.get_ref().as_str()).collect();
        let Some([one, other]) = named.as_deref() else {
            problems.push(wrong_type(item, "a pair of variants: [\"a\", \"b\"]"));
            continue;
        };
        let mut find = |name: &str, at: usize| {
            let found = names.iter().position(|n| n.value == name);
            if found.is_none() && !names.is_empty() {
                let known: Vec<&str> = names.iter().map(|n| n.value.as_str()).collect();
                problems.push(Problem {
                    message: "`compare` names no variant of this study".into(),
                    span: words[at].span(),
                    label: format!("no variant is called `{name}`"),
                    help: Some(match nearest(name, &known) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("variants: {}", known.join(", ")),
                    }),
                });
            }
            found
        };
        let (Some(a), Some(b)) = (find(one, 0), find(other, 1)) else {
            continue;
        };
        let refused = if a == b {
            Some("a variant is compared with itself")
        } else if Some(a) == baseline || Some(b) == baseline {
            Some("every variant is compared with the baseline anyway")
        } else if pairs.iter().any(|p| *p == (a, b) || *p == (b, a)) {
            Some("this pair is named twice")
        } else {
            None
        };
        match refused {
            Some(message) => problems.push(Problem {
                message: message.into(),
                span: item.span(),
                label: "leave this pair out".into(),
                help: None,
            }),
            None => pairs.push((a, b)),
        }
    }
    pairs
}
