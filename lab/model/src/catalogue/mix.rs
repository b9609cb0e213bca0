//! How a fingerprint writes instructions: mnemonic and register width.

use std::fmt;

/// The widest vector register an instruction names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// No vector register.
    None,
    /// 128 bits, written `.x`.
    Xmm,
    /// 256 bits, written `.y`.
    Ymm,
    /// 512 bits, written `.z`.
    Zmm,
}

impl Width {
    /// By the number the census uses: 0 none, 1 xmm, 2 ymm, 3 zmm.
    #[must_use]
    pub fn from_class(class: u8) -> Self {
        [Self::None, Self::Xmm, Self::Ymm, Self::Zmm][usize::from(class.min(3))]
    }

    fn suffix(self) -> &'static str {
        ["", ".x", ".y", ".z"][self as usize]
    }
}

/// What a mix counts: `vpaddd.z` is `vpaddd` with a zmm register.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MixKey {
    /// The mnemonic in lower case.
    pub mnemonic: String,
    /// The register width.
    pub width: Width,
}

impl fmt::Display for MixKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.mnemonic, self.width.suffix())
    }
}

impl MixKey {
    /// Reads what [`MixKey`]'s `Display` writes; none for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (mnemonic, width) = match text.rsplit_once('.') {
            Some((mnemonic, "x")) => (mnemonic, Width::Xmm),
            Some((mnemonic, "y")) => (mnemonic, Width::Ymm),
            Some((mnemonic, "z")) => (mnemonic, Width::Zmm),
            Some(_) => return None,
            None => (text, Width::None),
        };
        let good = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        (!mnemonic.is_empty() && mnemonic.bytes().all(good)).then(|| Self {
            mnemonic: mnemonic.to_string(),
            width,
        })
    }
}
