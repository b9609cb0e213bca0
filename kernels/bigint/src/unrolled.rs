//! Loops written out.

/// Runs a block for each number below a constant of at most 40, with the number as a constant.
///
/// Arrays of registers stay in registers only where all their places are constants. Loops over
/// them are written out by the compiler at its highest level and not below, and whoever links
/// this crate chooses that: a product was two to three times as slow at `opt-level = "s"`
/// (docs/notes/bigint.md).
macro_rules! unrolled {
    ($i:ident < $n:ident $body:block) => {
        $crate::unrolled::unrolled!(@ $i $n $body
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
            20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39)
    };
    (@ $i:ident $n:ident $body:block $($k:literal)*) => {
        $(
            if $k < $n {
                const $i: usize = $k;
                $body
            }
        )*
    };
}

pub(crate) use unrolled;
