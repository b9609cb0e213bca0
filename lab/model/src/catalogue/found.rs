//! What the audit says about known kernels.

use crate::survival::SurvivalState;
use serde::{Deserialize, Serialize};

/// What a known kernel was recognised by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", tag = "by", deny_unknown_fields)]
pub enum KnownEvidence {
    /// A symbol, or a function in an inline chain, has its name.
    Name {
        /// Likeness to the nearest catalogued build, as
        /// [`KnownEvidence::Mix`]'s; none when no build is catalogued or the code
        /// is inlined.
        similarity: Option<f64>,
    },
    /// The instructions are those of a catalogued build.
    Mix {
        /// Weighted Jaccard of the two mixes *as counts*, keyed by mnemonic and
        /// register width: 1 is the same number of each. (A study's survival
        /// compares shares instead: a function there has a name already.)
        similarity: f64,
        /// How many of the constants that the catalogued build loads or names
        /// as immediates are there too.
        constants_found: u32,
        /// How many the catalogued build has.
        constants: u32,
    },
    /// It loads the constants of its algorithm; which library it comes from
    /// does not follow.
    Constants {
        /// What the constants are called.
        names: Vec<String>,
    },
}

/// How sure the identification is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// The algorithm is likely; the library is open. Or the name says it and the
    /// code is unlike every catalogued build.
    Possible,
    /// The code is near to a catalogued build, such as one by another version of
    /// the compiler.
    Likely,
    /// A name, or the same instructions and constants.
    Certain,
}

/// A kernel of the catalogue in a binary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KnownKernel {
    /// The library, as its catalogue file calls it.
    pub library: String,
    /// The kernel within the library.
    pub kernel: String,
    /// The instruction set it is written for, by rustc's target-feature name.
    pub isa: String,
    /// Which catalogued build it is nearest to, if one was compared.
    #[serde(default)]
    pub build: Option<String>,
    /// The function that it is or, of inlined code, the one that holds most of
    /// it; none for code without a symbol.
    pub function: Option<String>,
    /// Where the code starts; of inlined code, where its host starts.
    pub address: u64,
    /// Bytes from the first instruction to the last; 0 for inlined code.
    pub bytes: u64,
    /// How many functions are taken together here: those of one kernel that were
    /// known by name, or those that hold its inlined code. `function` is the one
    /// with most of it.
    #[serde(default)]
    pub functions: u64,
    /// Its instructions, padding left out.
    pub instructions: u64,
    /// Instructions that name an xmm register and nothing wider.
    pub xmm: u64,
    /// Instructions that name a ymm register and nothing wider.
    pub ymm: u64,
    /// Instructions that name a zmm register.
    pub zmm: u64,
    /// What it was recognised by.
    pub evidence: KnownEvidence,
    /// How sure that is.
    pub confidence: Confidence,
    /// `Present`; `Inlined`; or `Changed` when the name is there and the code is
    /// unlike every catalogued build. A kernel that is gone is not listed.
    pub state: SurvivalState,
}

impl KnownKernel {
    /// `library: kernel`, the name that `--expect` files use.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{}: {}", self.library, self.kernel)
    }
}

/// Known kernels of one library and instruction set, taken together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownGroup {
    /// The library.
    pub library: String,
    /// The instruction set.
    pub isa: String,
    /// How many pieces of code.
    pub kernels: u64,
    /// Their instructions.
    pub instructions: u64,
    /// Those that name an xmm register and nothing wider.
    pub xmm: u64,
    /// Those that name a ymm register and nothing wider.
    pub ymm: u64,
    /// Those that name a zmm register.
    pub zmm: u64,
}

/// Sums by library and instruction set, those with most instructions first.
#[must_use]
pub fn groups(known: &[KnownKernel]) -> Vec<KnownGroup> {
    let mut out: Vec<KnownGroup> = Vec::new();
    for kernel in known {
        let at = out
            .iter()
            .position(|group| group.library == kernel.library && group.isa == kernel.isa);
        let at = at.unwrap_or_else(|| {
            out.push(KnownGroup {
                library: kernel.library.clone(),
                isa: kernel.isa.clone(),
                kernels: 0,
                instructions: 0,
                xmm: 0,
                ymm: 0,
                zmm: 0,
            });
            out.len() - 1
        });
        let group = &mut out[at];
        group.kernels += 1;
        group.instructions += kernel.instructions;
        group.xmm += kernel.xmm;
        group.ymm += kernel.ymm;
        group.zmm += kernel.zmm;
    }
    out.sort_by(|a, b| {
        (b.instructions, &a.library, &a.isa).cmp(&(a.instructions, &b.library, &b.isa))
    });
    out
}
