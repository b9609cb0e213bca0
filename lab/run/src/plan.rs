//! What a run will do, decided before anything is done.

use karat_model::measure::{Arm, Role};
use karat_model::study::{Study, Variant};

/// Rounds of a smoke run: enough to try every part, too few for a verdict.
pub const SMOKE_ROUNDS: u32 = 3;

/// Layouts of a smoke run of a study that asks for several.
pub const SMOKE_LAYOUTS: u32 = 2;

/// What a run will do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Per variant of the study: why it is left out, if it is.
    pub left_out: Vec<Option<String>>,
    /// Rounds at most.
    pub max_rounds: u32,
    /// Whether this is a smoke run.
    pub smoke: bool,
}

/// Why there is nothing to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The baseline itself cannot run here.
    #[error("the baseline `{name}` cannot run on this machine: {why}")]
    Baseline {
        /// The baseline's name.
        name: String,
        /// What is missing.
        why: String,
    },
    /// No variant is left to compare with the baseline.
    #[error("no variant is left to compare with the baseline:\n{0}")]
    NothingLeft(String),
}

impl Plan {
    /// Decides what runs on a machine that offers `isas`.
    ///
    /// # Errors
    /// When the baseline or all other variants cannot run.
    pub fn new(study: &Study, isas: karat_cpu::IsaSet, smoke: bool) -> Result<Self, PlanError> {
        let left_out: Vec<Option<String>> =
            study.variants.iter().map(|v| missing(v, isas)).collect();
        let name = |i: usize| study.variants[i].name.value.clone();
        if let Some(why) = &left_out[study.baseline] {
            return Err(PlanError::Baseline {
                name: name(study.baseline),
                why: why.clone(),
            });
        }
        if left_out.iter().filter(|l| l.is_none()).count() < 2 {
            let list = left_out
                .iter()
                .enumerate()
                .filter_map(|(i, why)| Some(format!("  {}: {}\n", name(i), why.as_ref()?)));
            return Err(PlanError::NothingLeft(list.collect()));
        }
        Ok(Self {
            left_out,
            max_rounds: if smoke {
                SMOKE_ROUNDS
            } else {
                study.measure.max_rounds
            },
            smoke,
        })
    }

    /// Indices of the variants that run, in the study's order.
    pub fn active(&self) -> impl Iterator<Item = usize> {
        self.left_out
            .iter()
            .enumerate()
            .filter(|(_, why)| why.is_none())
            .map(|(i, _)| i)
    }
}

/// What a round measures in each layout: the baseline, the baseline again (A/A),
/// and each other variant for which `runs` says yes.
#[must_use]
pub fn roles(study: &Study, runs: impl Fn(usize) -> bool) -> Vec<(usize, Role)> {
    let mut roles = vec![
        (study.baseline, Role::Baseline),
        (study.baseline, Role::Again),
    ];
    roles.extend(
        (0..study.variants.len())
            .filter(|i| *i != study.baseline && runs(*i))
            .map(|i| (i, Role::Variant)),
    );
    roles
}

/// The arms: all of `roles` in layout 0, all of them in layout 1, and so on.
#[must_use]
pub fn arms(study: &Study, roles: &[(usize, Role)], layouts: u32) -> Vec<Arm> {
    let of = |layout: u32| {
        roles.iter().map(move |(i, role)| Arm {
            variant: study.variants[*i].name.value.clone(),
            role: *role,
            layout: u64::from(layout),
        })
    };
    (0..layouts.max(1)).flat_map(of).collect()
}

fn missing(variant: &Variant, isas: karat_cpu::IsaSet) -> Option<String> {
    let lacks: Vec<&str> = variant
        .requires
        .iter()
        .filter(|name| karat_cpu::Isa::named(name).is_none_or(|isa| !isas.contains(isa)))
        .map(String::as_str)
        .collect();
    (!lacks.is_empty()).then(|| format!("this CPU has no {}", lacks.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = r#"
schema = 1
name = "s"
baseline = "a"
[[variant]]
name = "a"
binary = "a"
[[variant]]
name = "b"
binary = "b"
requires = ["avx512f"]
"#;

    #[test]
    fn a_variant_without_its_isa_is_left_out() {
        let study = Study::parse(STUDY).unwrap();
        let none = karat_cpu::IsaSet::EMPTY;
        let error = Plan::new(&study, none, false).unwrap_err();
        assert!(error.to_string().contains("b: this CPU has no avx512f"));
        let isa = karat_cpu::Isa::named("avx512f").unwrap();
        let plan = Plan::new(&study, none.with(isa), false).unwrap();
        assert_eq!(plan.active().collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn every_round_has_an_again_arm() {
        let study = Study::parse(STUDY).unwrap();
        let arms = arms(&study, &roles(&study, |_| true), 2);
        let found: Vec<(Role, u64)> = arms.iter().map(|a| (a.role, a.layout)).collect();
        let each = [Role::Baseline, Role::Again, Role::Variant];
        let expected: Vec<(Role, u64)> = [0, 1]
            .into_iter()
            .flat_map(|layout| each.map(|role| (role, layout)))
            .collect();
        assert_eq!(found, expected);
    }
}
