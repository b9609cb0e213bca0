//! Parts of a long trace that stand for all of it.
//!
//! llvm-mca's time grows with the instructions that it is given, and long calls are loops.

/// A trace of at most so many instructions is taken whole.
const WHOLE: usize = 32 * 1024;

/// Parts of a longer trace, spread evenly: calls begin, go on and end differently.
const PARTS: usize = 4;

/// The whole trace, or equal parts of it that have [`WHOLE`] instructions together.
pub fn parts<T>(trace: &[T]) -> Vec<&[T]> {
    if trace.len() <= WHOLE {
        return vec![trace];
    }
    let length = WHOLE / PARTS;
    let last = trace.len() - length;
    let starts = (0..PARTS).map(|part| part * last / (PARTS - 1));
    starts.map(|at| &trace[at..at + length]).collect()
}

/// Cycles of a trace, from those of its parts together.
pub fn scaled(cycles: u64, instructions: usize) -> u64 {
    let (whole, given) = (instructions as u64, instructions.min(WHOLE) as u64);
    if given == 0 {
        return cycles;
    }
    // Rounded to the nearest.
    (cycles * whole + given / 2) / given
}

#[cfg(test)]
mod tests {
    use super::{PARTS, WHOLE, parts, scaled};

    #[test]
    fn a_short_trace_is_whole_and_a_long_one_has_its_beginning_and_end() {
        let trace: Vec<usize> = (0..WHOLE).collect();
        assert_eq!(parts(&trace), [&trace[..]]);
        let trace: Vec<usize> = (0..10 * WHOLE + 3).collect();
        let some = parts(&trace);
        assert_eq!(some.len(), PARTS);
        assert_eq!(some.iter().map(|p| p.len()).sum::<usize>(), WHOLE);
        assert_eq!(some[0][0], 0);
        assert_eq!(some[PARTS - 1].last(), trace.last());
        let apart = some.windows(2).all(|two| two[0].last() < two[1].first());
        assert!(apart, "no instruction is in two parts");
    }

    #[test]
    fn cycles_of_parts_count_for_all() {
        assert_eq!(scaled(100, 500), 100);
        assert_eq!(scaled(100, WHOLE * 3), 300);
        assert_eq!(scaled(1, WHOLE + WHOLE / 2), 2);
        assert_eq!(scaled(7, 0), 7);
    }
}
