//! Sizes on the command line.

use crate::commands::failed;
use crate::exit;
use anyhow::Result;

/// Largest size.
const MAX: u64 = 256 << 20;

/// Numbers of a list such as `64`, `1K`, `4MiB`, in ascending order.
pub fn parse(list: &[String]) -> Result<Vec<u64>> {
    let mut sizes = Vec::new();
    for text in list {
        let size = one(text.trim()).filter(|s| (1..=MAX).contains(s));
        sizes.push(size.ok_or_else(|| {
            let message = format!(
                "--sizes: `{text}` is no size between 1 and 256M; write such as 64, 1K or 16M"
            );
            failed(exit::USAGE, message)
        })?);
    }
    sizes.sort_unstable();
    sizes.dedup();
    Ok(sizes)
}

fn one(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn told(list: &[&str]) -> Option<Vec<u64>> {
        parse(&list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()).ok()
    }

    #[test]
    fn sizes_have_units_and_bounds() {
        assert_eq!(
            told(&["1M", "64", " 1k", "64B"]),
            Some(vec![64, 1024, 1 << 20])
        );
        assert_eq!(told(&["256MiB"]), Some(vec![256 << 20]));
        for bad in [
            "",
            "0",
            "257M",
            "1G",
            "-1",
            "1.5K",
            "K",
            "99999999999999999999",
            "1é",
        ] {
            assert_eq!(told(&[bad]), None, "{bad}");
        }
    }
}
