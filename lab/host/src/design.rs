//! By what karat tells the design of a CPU.

use karat_cpu::{Identity, IsaSet, Microarchitecture};

/// Why the CPU is not taken for what its model says, in words; `None` where the model decides,
/// or nothing is known of the CPU.
#[must_use]
pub fn not_by_model(cpu: &Identity, isas: IsaSet) -> Option<String> {
    let (taken_for, model) = (
        Microarchitecture::of(cpu, isas)?,
        Microarchitecture::by_model(cpu),
    );
    (model != Some(taken_for)).then(|| {
        let says = model.map_or("no design that karat knows", Microarchitecture::title);
        format!(
            "taken for {} by its AVX512-FP16: model {}/{} says {says}, but a hypervisor may show \
             any model",
            taken_for.title(),
            cpu.family,
            cpu.model
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_model_that_does_not_decide_is_told() {
        let told = |model, isas: &[&str]| {
            let cpu = Identity {
                vendor: *b"GenuineIntel",
                family: 6,
                model,
                ..Identity::UNKNOWN
            };
            not_by_model(&cpu, IsaSet::of(isas))
        };
        let masked = told(167, &["avx512fp16"]).unwrap();
        assert!(
            masked.contains("Sapphire Rapids by its AVX512-FP16: model 6/167 says Ice Lake"),
            "{masked}"
        );
        let unknown = told(255, &["avx512fp16"]).unwrap();
        assert!(unknown.contains("6/255 says no design"), "{unknown}");
        assert_eq!(told(167, &[]), None);
        assert_eq!(told(0x8f, &["avx512fp16"]), None);
        assert_eq!(told(255, &[]), None);
    }
}
