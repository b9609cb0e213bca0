//! Wiping of states and keys.

/// Overwrites a value with zeros that no optimizer removes.
///
/// # Safety
/// The value must be of numbers, arrays and enumerations of them, without references and
/// without fields that are dropped. Nobody may use it afterwards.
pub unsafe fn flat<T>(value: &mut T) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { zeroize::zeroize_flat_type(core::ptr::from_mut(value)) };
}

/// Wipes values of a type when they are dropped.
///
/// The type must be as [`flat`] demands.
#[macro_export]
macro_rules! wiped_on_drop {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> Drop for $type {
            fn drop(&mut self) {
                // SAFETY: the type has numbers and arrays only, and is being dropped.
                unsafe { $crate::wipe::flat(self) };
            }
        }

        impl<$($generics)*> zeroize::ZeroizeOnDrop for $type {}
    };
}

#[cfg(test)]
mod tests {
    use core::mem::ManuallyDrop;

    struct Secret([u8; 100], u64);
    wiped_on_drop!([] Secret);

    #[test]
    fn what_is_dropped_is_zero() {
        let mut secret = ManuallyDrop::new(Secret([7; 100], 7));
        // SAFETY: dropped once, and the memory stays. Zeros are a value of the type.
        unsafe { ManuallyDrop::drop(&mut secret) };
        assert_eq!((secret.0, secret.1), ([0; 100], 0));
    }
}
