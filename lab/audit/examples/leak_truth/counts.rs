//! How often claims are right, wrong or missing.

use crate::truth::Claim;
use karat_model::leaks::Certainty;
use std::fmt::Write;

#[derive(Default)]
pub struct Counts {
    cases: u32,
    dying: u32,
    found: u32,
    found_high: u32,
    false_dies: u32,
    false_dies_high: u32,
    false_lives: u32,
    false_lives_high: u32,
    unknown: u32,
    /// Those that live, but not where the system does not save AVX's registers; `None` where
    /// that is not asked.
    pub without_state: Option<u32>,
}

impl Counts {
    /// Returns whether the claim is right.
    pub fn add(&mut self, dies: bool, claim: Claim) -> bool {
        self.cases += 1;
        self.dying += u32::from(dies);
        let high = |sure| u32::from(sure == Certainty::High);
        match (dies, claim) {
            (_, Claim::Unknown) => self.unknown += 1,
            (true, Claim::Dies(sure)) => {
                self.found += 1;
                self.found_high += high(sure);
            }
            (false, Claim::Dies(sure)) => {
                self.false_dies += 1;
                self.false_dies_high += high(sure);
            }
            (true, Claim::Lives(sure)) => {
                self.false_lives += 1;
                self.false_lives_high += high(sure);
            }
            (false, Claim::Lives(_)) => {}
        }
        matches!(claim, Claim::Dies(_)) == dies && claim != Claim::Unknown
    }

    pub fn summary(&self) -> String {
        let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole.max(1));
        let mut out = String::from("figure,value\n");
        for (name, value) in [
            ("cases", self.cases),
            ("of which die", self.dying),
            ("found", self.found),
            ("found at confidence high", self.found_high),
            ("said to die and do not", self.false_dies),
            ("the same at confidence high", self.false_dies_high),
            ("said to live and do not", self.false_lives),
            (
                "the same at confidence high (guarded)",
                self.false_lives_high,
            ),
            ("unknown", self.unknown),
        ] {
            writeln!(out, "{name},{value}").unwrap_or_default();
        }
        let precision = share(self.found, self.found + self.false_dies);
        let recall = share(self.found, self.dying);
        let unknown = share(self.unknown, self.cases);
        for (name, value) in [
            ("precision", precision),
            ("recall", recall),
            ("share of unknown", unknown),
        ] {
            writeln!(out, "{name},{value:.3}").unwrap_or_default();
        }
        if let Some(count) = self.without_state {
            let name = "live unless the system does not save AVX's registers";
            writeln!(out, "{name},{count}").unwrap_or_default();
        }
        out
    }
}
