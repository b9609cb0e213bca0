//! How `codes.bin` is made: what iced-x86 says of the operands of each code.
//!
//! First the sets of extensions, one a line with a blank at its end, and an empty line; then of
//! each code, by its number, the kind and the number of its set.
//!
//! `cargo xtask bless` writes it again, after a new iced-x86 for one.

use super::{BY_SHAPE, CodeInfo, MASK, OF_REGISTERS, PACKED, Table, WIDTH, WRITE_MASK, table};
use iced_x86::{Code, CpuidFeature, EncodingKind, OpCodeOperandKind};
use std::collections::HashMap;

/// In [`CodeInfo::kind`]: the code needs more than the 64-bit baseline.
const EXTENSION: u8 = 1 << 4;

#[test]
fn the_table_is_what_iced_says() {
    let learnt = learnt();
    let packed = packed(&learnt);
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/x86/codes.bin");
        std::fs::write(path, &packed).unwrap();
        return;
    }
    let made = "codes.bin is not what iced-x86 says of its codes: cargo xtask bless";
    assert!(packed == PACKED, "{made}");
    assert_eq!(table().sets, learnt.sets);
    assert_eq!(table().codes, learnt.codes);
    assert!(learnt.codes.len() > 4000 && learnt.codes.iter().any(|code| code.kind & WIDTH == 3));
}

fn packed(table: &Table) -> Vec<u8> {
    let mut out = Vec::new();
    for set in &table.sets {
        out.extend(format!("{} \n", set.join(" ")).bytes());
    }
    out.push(b'\n');
    for code in &table.codes {
        let by_shape = if code.is_by_shape { BY_SHAPE } else { 0 };
        out.extend([code.kind | by_shape, code.set]);
    }
    out
}

fn learnt() -> Table {
    let mut sets: Vec<Vec<String>> = vec![Vec::new()];
    let mut known: HashMap<&'static [CpuidFeature], u8> = HashMap::new();
    let codes = Code::values()
        .map(|code| {
            let features = code.cpuid_features();
            let set = *known.entry(features).or_insert_with(|| {
                let names: Vec<String> = features.iter().filter_map(|f| extension(*f)).collect();
                let at = sets.iter().position(|set| *set == names);
                at.unwrap_or_else(|| {
                    sets.push(names);
                    sets.len() - 1
                }) as u8
            });
            code_info(code, set)
        })
        .collect();
    assert!(sets.len() <= 256, "extension sets no longer fit a byte");
    Table { codes, sets }
}

fn code_info(code: Code, set: u8) -> CodeInfo {
    use OpCodeOperandKind as K;
    let mut always = 0;
    let mut perhaps = 0;
    let mut kind = 0;
    for operand in code.op_code().op_kinds() {
        match operand {
            K::xmm_or_mem => perhaps = perhaps.max(1),
            K::ymm_or_mem => perhaps = perhaps.max(2),
            K::zmm_or_mem => perhaps = perhaps.max(3),
            // A gather's index register is named inside the memory operand.
            K::mem_vsib32x | K::mem_vsib64x => always = always.max(1),
            K::mem_vsib32y | K::mem_vsib64y => always = always.max(2),
            K::mem_vsib32z | K::mem_vsib64z => always = always.max(3),
            K::xmm_reg | K::xmm_rm | K::xmm_vvvv | K::xmmp3_vvvv | K::xmm_is4 | K::xmm_is5 => {
                always = always.max(1);
            }
            K::ymm_reg | K::ymm_rm | K::ymm_vvvv | K::ymm_is4 | K::ymm_is5 => {
                always = always.max(2);
            }
            K::zmm_reg | K::zmm_rm | K::zmm_vvvv | K::zmmp3_vvvv => always = always.max(3),
            K::k_reg | K::kp1_reg | K::k_rm | K::k_vvvv | K::k_or_mem => kind |= MASK,
            _ => {}
        }
    }
    kind |= always | always.max(perhaps) << OF_REGISTERS;
    if code.encoding() == EncodingKind::EVEX {
        kind |= WRITE_MASK;
    }
    if set != 0 {
        kind |= EXTENSION;
    }
    CodeInfo {
        kind,
        set,
        mnemonic: code.mnemonic(),
        flow: code.flow_control(),
        is_by_shape: is_by_shape(code),
    }
}

/// The name of a CPUID feature as rustc spells it (`sse4.1`, `avx512vbmi2`), or
/// none for what every x86-64 CPU has and for hints that older CPUs skip.
fn extension(feature: CpuidFeature) -> Option<String> {
    use CpuidFeature as F;
    let baseline = matches!(
        feature,
        F::INTEL8086
            | F::INTEL8086_ONLY
            | F::INTEL186
            | F::INTEL286
            | F::INTEL286_ONLY
            | F::INTEL386
            | F::INTEL386_ONLY
            | F::INTEL486
            | F::X64
            | F::FPU
            | F::FPU287
            | F::FPU387
            | F::CMOV
            | F::CPUID
            | F::CX8
            | F::FXSR
            | F::MMX
            | F::MSR
            | F::SSE
            | F::SSE2
            | F::SYSCALL
            | F::TSC
            | F::SEP
            | F::CLFSH
            | F::SMM
            | F::RDPMC
            | F::MULTIBYTENOP
            | F::PAUSE
            | F::CET_IBT
    );
    if baseline {
        return None;
    }
    let name = format!("{feature:?}").to_ascii_lowercase();
    Some(match name.as_str() {
        "sse4_1" => "sse4.1".into(),
        "sse4_2" => "sse4.2".into(),
        "sse4a" => "sse4a".into(),
        _ if name.starts_with("avx") => name.replace('_', ""),
        _ => name.replace('_', "-"),
    })
}

/// Whether operands of a code make no difference but by what the table tells apart.
fn is_by_shape(code: Code) -> bool {
    use OpCodeOperandKind as K;
    let info = code.op_code();
    let is_plain = |kind: &K| {
        !matches!(
            kind,
            K::farbr2_2
                | K::farbr4_2
                | K::mem_offs
                | K::mem_mpx
                | K::mem_mib
                | K::mem_vsib32x
                | K::mem_vsib64x
                | K::mem_vsib32y
                | K::mem_vsib64y
                | K::mem_vsib32z
                | K::mem_vsib64z
                | K::r32_or_mem_mpx
                | K::r64_or_mem_mpx
                | K::bnd_or_mem_mpx
                | K::k_or_mem
                | K::k_reg
                | K::kp1_reg
                | K::k_rm
                | K::k_vvvv
                | K::cr_reg
                | K::dr_reg
                | K::tr_reg
                | K::bnd_reg
                | K::imm4_m2z
                | K::br16_1
                | K::br32_1
                | K::br16_2
                | K::br32_4
                | K::xbegin_2
                | K::xbegin_4
                | K::brdisp_2
                | K::brdisp_4
                | K::sibmem
                | K::tmm_reg
                | K::tmm_rm
                | K::tmm_vvvv
        )
    };
    info.op_kinds().iter().all(is_plain)
        && !info.requires_unique_reg_nums()
        && !info.requires_unique_dest_reg_num()
}
