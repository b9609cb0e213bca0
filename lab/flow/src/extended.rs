//! Instructions that may need an extension, without decoding all others in full.

use iced_x86::{Decoder, DecoderOptions};
use karat_binary::brief::Briefs;

/// Addresses and numbers of codes, of bytes that lie at an address. Others may be among them.
pub(crate) fn extended(bytes: &[u8], start: u64) -> impl Iterator<Item = (u64, u16)> + use<'_> {
    let mut briefs = Briefs::new(bytes, start);
    let mut next = start;
    std::iter::from_fn(move || {
        loop {
            let at = next;
            let rest = bytes.get((at - start) as usize..)?;
            // What is told quickly needs none.
            if let Some(quick) = briefs.quick(at) {
                next += quick.length as u64;
            } else if let Some(brief) = briefs.learn(at) {
                next += u64::from(brief.length);
                return Some((at, brief.code));
            } else {
                // What does not decode is passed over as the decoder does it.
                let mut decoder = Decoder::with_ip(64, rest, at, DecoderOptions::NONE);
                next += decoder.iter().next()?.len().max(1) as u64;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::Baseline;
    use crate::classes::Classes;
    use iced_x86::Instruction;

    #[test]
    fn what_is_above_the_baseline_is_what_the_decoder_finds() {
        let classes = Classes::new(&Baseline::parse("x86-64-v2").unwrap());
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        // Often prefixes, VEX and EVEX, and what is longer than it is allowed to be.
        let often = [0x48, 0x66, 0x0f, 0xf3, 0xc5, 0xc4, 0x62, 0xf1, 0x41, 0x38];
        let mut bytes = vec![0; 1 << 17];
        let (mut count, mut wrong) = (0, 0);
        for _ in 0..40 {
            for place in &mut bytes {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                *place = match state >> 61 {
                    0..=2 => often[(state >> 8) as usize % often.len()],
                    _ => state as u8,
                };
            }
            let decoder = Decoder::with_ip(64, &bytes, 0x1000, DecoderOptions::NONE);
            let all: Vec<Instruction> = decoder.into_iter().collect();
            wrong += all.iter().filter(|it| it.is_invalid()).count();
            let is_above = |code: u16| classes.of_number(code).above != 0;
            let wanted = all.iter().map(|it| (it.ip(), it.code() as u16));
            let wanted: Vec<_> = wanted.filter(|(_, code)| is_above(*code)).collect();
            let found = extended(&bytes, 0x1000).filter(|(_, code)| is_above(*code));
            assert_eq!(found.collect::<Vec<_>>(), wanted);
            count += wanted.len();
        }
        assert!(count > 8_000 && wrong > 20_000, "{count}, {wrong}");
    }
}
