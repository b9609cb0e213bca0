//! Whether the forms compute the same.

use study_support::Prng;

use crate::form::{Factors, Form, Products};
use crate::workloads;

/// Each workload's result, after looking whether the other forms agree with this one.
pub fn run() -> Result<String, String> {
    let form = Form::of_environment()?;
    for bits in [512, 1024] {
        let prng = &mut Prng::new(5);
        let mut factors: Vec<Factors> = (0..20).map(|_| Factors::new(prng, bits)).collect();
        let start = Factors::new(prng, bits);
        let expected = Form::Limbs.chains(&start, &mut factors, bits);
        if form.chains(&start, &mut factors, bits) != expected {
            return Err(format!("chains of {bits} bits differ from those in limbs"));
        }
        for factors in &mut factors {
            let [mut expected, mut found] = [Products::EMPTY, Products::EMPTY];
            Form::Limbs.multiply(factors, &mut expected);
            form.multiply(factors, &mut found);
            form.finish(&mut found);
            if found.limbs != expected.limbs {
                return Err(format!(
                    "products of {bits} bits differ from those in limbs"
                ));
            }
        }
    }
    let mut lines = String::new();
    for name in workloads::names() {
        let (_, result) = workloads::by_name(name).round(&mut Prng::new(3));
        lines += &format!("{name} {result:016x}\n");
    }
    Ok(lines)
}
