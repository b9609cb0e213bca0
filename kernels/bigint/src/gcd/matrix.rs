//! Steps of the Euclidean algorithm as a matrix, and what it does to long numbers.

use crate::Uint;

/// Some steps. They take remainders `(x, y)` to `(|p x - q y|, |r x - s y|)`, and
/// magnitudes of cofactors `(u, v)` to `(p u + q v, r u + s v)`, for `p, q, r, s` in
/// [`Matrix::rows`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix {
    pub(super) rows: [[u64; 2]; 2],
    /// Whether the number of steps is odd. It decides which of the products is larger.
    pub(super) odd: bool,
}

impl Matrix {
    pub(super) const IDENTITY: Self = Self {
        rows: [[1, 0], [0, 1]],
        odd: false,
    };

    /// These steps after those of `first`.
    #[inline]
    pub(super) fn after(&self, first: &Self) -> Self {
        let [[p, q], [r, s]] = self.rows;
        let [above, below] = first.rows;
        let row = |p: u64, q: u64| [p * above[0] + q * below[0], p * above[1] + q * below[1]];
        Self {
            rows: [row(p, q), row(r, s)],
            odd: self.odd ^ first.odd,
        }
    }

    /// The remainders after these steps, of leading parts.
    #[inline]
    pub(super) fn of_window(&self, x: u128, y: u128) -> (u128, u128) {
        let [[p, q], [r, s]] = self.rows.map(|row| row.map(u128::from));
        // Products may be larger than the type; their difference is not.
        let first = p.wrapping_mul(x).wrapping_sub(q.wrapping_mul(y));
        let second = s.wrapping_mul(y).wrapping_sub(r.wrapping_mul(x));
        if self.odd {
            (first.wrapping_neg(), second.wrapping_neg())
        } else {
            (first, second)
        }
    }

    /// The matrix whose first result is the one that is not negated, with the name of its
    /// other: for an odd number of steps the rows change places, and so must the results.
    #[inline]
    const fn in_order(&self) -> [[u64; 2]; 2] {
        let [above, below] = self.rows;
        if self.odd {
            [below, above]
        } else {
            [above, below]
        }
    }

    /// The remainders after these steps. For an odd number of steps the results have
    /// changed places. Entries are below 2^62.
    #[inline(always)]
    pub(super) fn reduce<const N: usize>(&self, x: &mut Uint<N>, y: &mut Uint<N>) {
        let [[p, q], [r, s]] = self.in_order().map(|row| row.map(u128::from));
        let len = x.limbs().len().max(y.limbs().len());
        let pairs = x.padded(len).iter_mut().zip(y.padded(len));
        // The products are below 2^126, so their difference and a carry fit.
        let (mut first, mut second) = (0i128, 0i128);
        for (x, y) in pairs {
            let (wide_x, wide_y) = (u128::from(*x), u128::from(*y));
            first += (p * wide_x) as i128 - (q * wide_y) as i128;
            second += (s * wide_y) as i128 - (r * wide_x) as i128;
            *x = first as u64;
            *y = second as u64;
            first >>= 64;
            second >>= 64;
        }
        debug_assert_eq!((first, second), (0, 0), "a remainder is below zero");
        x.set_len(len);
        y.set_len(len);
    }

    /// The magnitudes of cofactors after these steps. For an odd number of steps they have
    /// changed places. Entries are below 2^62.
    #[inline(always)]
    pub(super) fn grow<const N: usize>(&self, u: &mut Uint<N>, v: &mut Uint<N>) {
        let [[p, q], [r, s]] = self.in_order().map(|row| row.map(u128::from));
        let len = u.limbs().len().max(v.limbs().len());
        let room = (len + 1).min(N);
        let pairs = u.padded(room)[..len]
            .iter_mut()
            .zip(&mut v.padded(room)[..len]);
        let (mut first, mut second) = (0u128, 0u128);
        for (u, v) in pairs {
            let (wide_u, wide_v) = (u128::from(*u), u128::from(*v));
            first += p * wide_u + q * wide_v;
            second += r * wide_u + s * wide_v;
            *u = first as u64;
            *v = second as u64;
            first >>= 64;
            second >>= 64;
        }
        if room > len {
            u.buffer()[len] = first as u64;
            v.buffer()[len] = second as u64;
        } else {
            assert_eq!(
                (first, second),
                (0, 0),
                "a cofactor does not fit into {N} limbs"
            );
        }
        u.set_len(room);
        v.set_len(room);
    }
}
