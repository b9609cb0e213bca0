//! Two builds to compare: their costs, arm by arm and layout by layout.

/// One arm of a round.
#[derive(Clone, Copy, Debug)]
pub struct Arm<'a> {
    /// Cost in each round; lower is better, any unit.
    pub costs: &'a [f64],
    /// Place of each sample in the random order of its round, if known. Only their order
    /// counts, and only among arms that have places.
    pub places: Option<&'a [u32]>,
    /// Whether the machine was quiet at both ends of each run, if a probe saw it: blind to
    /// the arm and to the cost. Used only when baseline and variant have it.
    pub quiet: Option<&'a [bool]>,
}

impl<'a> Arm<'a> {
    /// Costs of which nothing else is known.
    #[must_use]
    pub const fn new(costs: &'a [f64]) -> Self {
        Self {
            costs,
            places: None,
            quiet: None,
        }
    }
}

/// Two arms measured in the same rounds, in one layout each.
#[derive(Clone, Debug)]
pub struct Layout<'a> {
    /// The arm compared against.
    pub baseline: Arm<'a>,
    /// The arm under judgement, in the same unit.
    pub variant: Arm<'a>,
    /// The baseline's second arm, if it was measured. With several layouts it tells the spread
    /// between layouts from the scatter of one ([`LayoutSpread`](crate::LayoutSpread)).
    pub again: Option<Arm<'a>>,
    /// All other arms of the same rounds (other variants, other layouts): they say what the
    /// machine did meanwhile. Any unit and size. They may be shorter than the pair, and what is no
    /// cost (not a number) was not measured: an arm that was decided is not measured any
    /// more. One without places is left out. Used only when baseline and variant have places.
    pub others: Vec<Arm<'a>>,
}

impl<'a> Layout<'a> {
    /// Two arms whose order in the rounds is not known.
    #[must_use]
    pub fn new(baseline: &'a [f64], variant: &'a [f64]) -> Self {
        Self {
            baseline: Arm::new(baseline),
            variant: Arm::new(variant),
            again: None,
            others: Vec::new(),
        }
    }
}

/// One comparison.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    /// One layout or more, each with rounds of its own, baseline and variant paired by seed.
    pub layouts: Vec<Layout<'a>>,
    /// Smallest effect that matters, in log units: ln(1 + relative margin), see
    /// [`log_margin`](crate::log_margin).
    pub margin: f64,
}

impl<'a> Pair<'a> {
    /// One layout, of arms whose order in the rounds is not known.
    #[must_use]
    pub fn new(baseline: &'a [f64], variant: &'a [f64], margin: f64) -> Self {
        Self {
            layouts: vec![Layout::new(baseline, variant)],
            margin,
        }
    }
}
