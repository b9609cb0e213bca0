//! Tables of jumps, in the forms that compilers emit: 32-bit distances from the table or, by
//! Microsoft's, from where the file begins, and addresses.

use super::program::{Program, Word};
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// Entries of one table at most.
const MOST: u64 = 4096;
/// Instructions before an indirect jump among which its table is named.
pub(crate) const BACK: usize = 24;

/// The table of an indirect jump.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// Where it lies.
    at: u64,
    /// Bytes of an entry.
    entry: u64,
    /// Where it leads.
    targets: Vec<u64>,
}

/// The targets of all jumps of a routine by their places. In a Windows file a table ends where
/// that of another jump begins: Microsoft's `memset` has one behind the other, and by the first
/// nothing comes to what the second is for. It would hold for all files; what it changes of
/// ELF files was not tried.
pub(crate) fn apart(tables: Vec<(u32, Table)>, is_windows: bool) -> Vec<(u32, Vec<u64>)> {
    let is_one = |table: &&(u32, Table)| !table.1.targets.is_empty();
    let starts = tables.iter().filter(is_one).map(|(_, table)| table.at);
    let mut starts: Vec<u64> = starts.collect();
    starts.sort_unstable();
    let ends = tables.into_iter().map(|(place, mut table)| {
        let next = starts.partition_point(|start| *start <= table.at);
        if let Some(next) = starts.get(next).filter(|_| is_windows) {
            let entries = (next - table.at) / table.entry.max(1);
            table
                .targets
                .truncate(usize::try_from(entries).unwrap_or(usize::MAX));
        }
        (place, table.targets)
    });
    ends.collect()
}

impl Table {
    /// The table of an indirect jump, the last of `instructions`; an empty one where it is not
    /// seen.
    pub fn of(program: &Program<'_>, instructions: &[Instruction]) -> Self {
        let Some((jump, before)) = instructions.split_last() else {
            return Self::default();
        };
        let first = before.len().saturating_sub(BACK);
        if jump.op0_kind() == OpKind::Memory
            && !jump.is_ip_rel_memory_operand()
            && jump.memory_index() != Register::None
            && jump.memory_base() == Register::None
        {
            return Self::addresses(program, jump.memory_displacement64(), jump.ip());
        }
        for (at, instruction) in before.iter().enumerate().skip(first).rev() {
            // Microsoft's compiler; where the file begins may be named once for a routine.
            if program.image_base != 0
                && instruction.mnemonic() == Mnemonic::Mov
                && instruction.memory_index_scale() == 4
                && instruction.memory_size().size() == 4
                && names_base(program, &before[..at], instruction.memory_base())
            {
                let table = instruction.memory_displacement64();
                let table = program.image_base.wrapping_add(table);
                return Self::from_base(program, table, jump.ip());
            }
            if instruction.mnemonic() == Mnemonic::Mov
                && instruction.op_count() == 2
                && instruction.op1_kind() == OpKind::Memory
                && instruction.memory_index_scale() == 8
                && instruction.memory_base() == Register::None
            {
                let table = instruction.memory_displacement64();
                return Self::addresses(program, table, jump.ip());
            }
            if instruction.mnemonic() == Mnemonic::Lea && instruction.is_ip_rel_memory_operand() {
                let base = instruction.ip_rel_memory_address();
                if !program.is_data(base) {
                    continue;
                }
                let near = Self::distances(program, base, jump.ip());
                return match near.targets.is_empty() {
                    true => Self::addresses(program, base, jump.ip()),
                    false => near,
                };
            }
        }
        Self::default()
    }

    fn read(at: u64, entry: u64, target: impl Fn(u64) -> Option<u64>) -> Self {
        let places = (0..MOST).map_while(|index| at.checked_add(index * entry));
        Self {
            at,
            entry,
            targets: places.map_while(target).collect(),
        }
    }

    /// 32-bit distances from the table to the routine of `jump`.
    fn distances(program: &Program<'_>, base: u64, jump: u64) -> Self {
        let routine = program.routine_at(jump);
        Self::read(base, 4, |at| {
            let distance = program.content32(at)?;
            let to = base.wrapping_add(i64::from(distance) as u64);
            (program.routine_at(to) == routine).then_some(to)
        })
    }

    /// 32-bit distances from the file's start to the routine of `jump`; they may lie between
    /// functions.
    fn from_base(program: &Program<'_>, table: u64, jump: u64) -> Self {
        let routine = program.routine_at(jump);
        Self::read(table, 4, |at| {
            let bytes = program.bytes(at, at.checked_add(4)?);
            let distance = match bytes.and_then(|bytes| bytes.try_into().ok()) {
                Some(bytes) => u32::from_le_bytes(bytes),
                None => program.content(at)? as u32,
            };
            let to = program.image_base.wrapping_add(u64::from(distance));
            (program.routine_at(to) == routine).then_some(to)
        })
    }

    /// Addresses in the routine of `jump`: tables of methods are no jump tables.
    fn addresses(program: &Program<'_>, base: u64, jump: u64) -> Self {
        let routine = program.routine_at(jump);
        Self::read(base, 8, |at| match program.words.get(at)? {
            Word::Address(to) if program.routine_at(to) == routine => Some(to),
            _ => None,
        })
    }
}

/// Whether a register was last set to where the file begins.
fn names_base(program: &Program<'_>, before: &[Instruction], register: Register) -> bool {
    let mut sets = before.iter().rev();
    let last = sets.find(|set| {
        set.op_count() > 0
            && set.op0_kind() == OpKind::Register
            && set.op0_register().full_register() == register.full_register()
    });
    last.is_some_and(|set| {
        set.mnemonic() == Mnemonic::Lea
            && set.is_ip_rel_memory_operand()
            && set.ip_rel_memory_address() == program.image_base
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_ends_where_the_next_begins() {
        let table = |at, entry, targets: &[u64]| Table {
            at,
            entry,
            targets: targets.to_vec(),
        };
        let all = vec![
            (1, table(0x100, 4, &[1, 2, 3, 4])),
            (2, table(0x108, 4, &[3, 4])),
            // Two jumps by one table.
            (3, table(0x108, 4, &[3, 4])),
            (4, Table::default()),
        ];
        let wanted = [
            (1, vec![1, 2]),
            (2, vec![3, 4]),
            (3, vec![3, 4]),
            (4, vec![]),
        ];
        assert_eq!(apart(all, true), wanted);
    }
}
