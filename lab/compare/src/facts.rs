//! What the logs say of their environment, side by side.

use super::collect::Side;
use karat_model::compare::FactRow;

/// A row for each thing that either side tells of.
pub(super) fn rows(before: &Side, after: &Side) -> Vec<FactRow> {
    let mut keys: Vec<&str> = before.facts.iter().map(|f| f.key.as_str()).collect();
    let of_after = after.facts.iter().map(|f| f.key.as_str());
    keys.extend(of_after.filter(|key| before.facts.get(key).is_none()));
    let values = |side: &Side, key: &str| {
        let seen = side.facts.get(key);
        seen.map(|f| f.values.clone()).unwrap_or_default()
    };
    keys.iter()
        .map(|key| {
            let (before, after) = (values(before, key), values(after, key));
            let sorted = |values: &[String]| {
                let mut values = values.to_vec();
                values.sort_unstable();
                values
            };
            FactRow {
                key: (*key).to_owned(),
                same: sorted(&before) == sorted(&after),
                before,
                after,
            }
        })
        .collect()
}
