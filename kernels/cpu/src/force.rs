//! Whether what the environment requests can be followed.

use crate::AnyKernel;
use crate::requests::entries;
use core::fmt;
use std::format;
use std::string::String;
use std::vec::Vec;

/// What is wrong with `KARAT_FORCE` or `KARAT_TUNED`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForceError(String);

impl fmt::Display for ForceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for ForceError {}

/// Checks whether `KARAT_FORCE` and `KARAT_TUNED` can be followed. Programs call it when
/// they start, because a kernel's first call can only panic.
///
/// # Errors
/// When the file cannot be read, when an entry does not have the form
/// `kernel=implementation`, when it names a kernel that is not in `kernels`, or when the
/// implementation does not exist or cannot run on this CPU.
pub fn check_force(kernels: &[&dyn AnyKernel]) -> Result<(), ForceError> {
    if let Ok(list) = std::env::var("KARAT_FORCE") {
        check("KARAT_FORCE", &list, kernels)?;
    }
    if let Some(file) = std::env::var_os("KARAT_TUNED") {
        let file = std::path::PathBuf::from(file);
        let list = std::fs::read_to_string(&file).map_err(|error| {
            ForceError(format!(
                "KARAT_TUNED: cannot read {}: {error}",
                file.display()
            ))
        })?;
        check(&format!("KARAT_TUNED={}", file.display()), &list, kernels)?;
    }
    Ok(())
}

fn check(from: &str, list: &str, kernels: &[&dyn AnyKernel]) -> Result<(), ForceError> {
    for (kernel, name) in entries(list) {
        let Some(found) = kernels.iter().find(|k| k.name() == kernel) else {
            let known: Vec<&str> = kernels.iter().map(|k| k.name()).collect();
            return Err(ForceError(format!(
                "{from}: no kernel is called `{kernel}`; there are {}",
                known.join(", ")
            )));
        };
        let infos: Vec<crate::Info> = (0..found.len()).map(|i| found.info(i)).collect();
        let able: Vec<&str> = infos
            .iter()
            .filter(|i| i.missing == crate::IsaSet::EMPTY)
            .map(|i| i.name)
            .collect();
        let able = able.join(", ");
        match infos.iter().find(|i| i.name == name) {
            Some(info) if info.missing == crate::IsaSet::EMPTY => {}
            Some(info) => {
                return Err(ForceError(format!(
                    "{from}: this CPU cannot run `{name}` of {kernel}, it lacks {}; it can \
                     run {able}",
                    info.missing
                )));
            }
            None => {
                return Err(ForceError(format!(
                    "{from}: {kernel} has no implementation `{name}`; this CPU can run {able}"
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Implementation, IsaSet, Kernel};
    use std::string::ToString as _;

    fn one() -> u8 {
        1
    }
    fn two() -> u8 {
        2
    }

    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    const FOREIGN: IsaSet = IsaSet::of(&["sve2"]);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
    const FOREIGN: IsaSet = IsaSet::of(&["avx512f"]);

    static TABLE: [Implementation<fn() -> u8>; 3] = [
        Implementation::new("foreign", FOREIGN, two, "another architecture's"),
        Implementation::new("one", IsaSet::EMPTY, one as fn() -> u8, "plain"),
        Implementation::new("two", IsaSet::EMPTY, two, "plain"),
    ];

    #[test]
    fn what_cannot_run_is_neither_chosen_nor_given() {
        static KERNEL: Kernel<fn() -> u8> = Kernel::new("test", &TABLE);
        assert_eq!((KERNEL.get())(), 1);
        assert_eq!(KERNEL.chosen().name(), "one");
        let runnable: Vec<&str> = KERNEL.runnable().map(|(name, _)| name).collect();
        assert_eq!(runnable, ["one", "two"]);
        assert_eq!((KERNEL.body("two").unwrap())(), 2);
        let error = KERNEL.body("foreign").unwrap_err();
        assert_eq!(error.missing(), FOREIGN);
        assert!(error.to_string().contains("it lacks"), "{error}");
        assert!(KERNEL.body("nothing").is_err());
        assert!(KERNEL.force(Some("foreign")).is_err());
        assert_eq!((KERNEL.get())(), 1);
        KERNEL.force(Some("two")).unwrap();
        assert_eq!((KERNEL.get())(), 2);
        KERNEL.force(None).unwrap();
        assert_eq!((KERNEL.get())(), 1);
        assert!(KERNEL.info(1).chosen && !KERNEL.info(2).chosen);
    }

    #[test]
    fn the_variable_is_checked_by_name_and_by_cpu() {
        static KERNEL: Kernel<fn() -> u8> = Kernel::new("test", &TABLE);
        let kernels: [&dyn AnyKernel; 1] = [&KERNEL];
        let said = |list| {
            check("KARAT_FORCE", list, &kernels)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(check("KARAT_FORCE", " test = two , ", &kernels), Ok(()));
        assert!(said("tset=two").contains("there are test"));
        assert!(said("test=three").contains("this CPU can run one, two"));
        assert!(said("test=foreign").contains("it lacks"));
        assert!(said("test").contains("no implementation ``"));
        let file = "# a comment, with a comma\ntest=two\n";
        assert_eq!(check("KARAT_TUNED=f", file, &kernels), Ok(()));
        let wrong = check("KARAT_TUNED=f", "test=two\ntest=three", &kernels);
        assert!(
            wrong
                .unwrap_err()
                .to_string()
                .starts_with("KARAT_TUNED=f: test has no")
        );
    }
}
