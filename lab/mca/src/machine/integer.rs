//! Instructions on general registers.

use super::Machine;
use super::alu::{extended, mask};
use anyhow::{Result, bail};
use iced_x86::{Instruction, Mnemonic as M, Register};

impl Machine<'_> {
    /// Executes an instruction on general registers; says whether it was one.
    #[expect(clippy::too_many_lines, reason = "one arm an instruction")]
    pub(super) fn integer(&mut self, i: &Instruction) -> Result<bool> {
        let size = self.size(i, 0);
        let bits = size as u32 * 8;
        match i.mnemonic() {
            M::Nop
            | M::Endbr64
            | M::Pause
            | M::Prefetcht0
            | M::Prefetchw
            | M::Prefetcht1
            | M::Prefetcht2
            | M::Prefetchnta
            | M::Lfence
            | M::Mfence
            | M::Sfence
            | M::Cld
            | M::Emms => {}
            M::Vzeroupper => {
                for vector in &mut self.vectors[..16] {
                    vector[16..].fill(0);
                }
            }
            M::Mov | M::Movzx | M::Movnti => self.set(i, self.value(i, 1)),
            M::Movsx | M::Movsxd => {
                let value = extended(self.value(i, 1), self.size(i, 1));
                self.set(i, value & mask(size));
            }
            M::Lea => self.set(i, self.address(i)),
            M::Push => self.push(self.value(i, 0)),
            M::Pop => {
                let value = self.pop();
                self.set(i, value);
            }
            M::Add | M::Xadd => {
                let (a, b) = (self.value(i, 0), self.value(i, 1));
                let result = self.add(a, b, false, size);
                if i.mnemonic() == M::Xadd {
                    self.set_register(i.op1_register(), a);
                }
                self.set(i, result);
            }
            M::Adc | M::Adcx | M::Adox => self.add_with_carry(i, size),
            M::Sub | M::Cmp => {
                let result = self.subtract(self.value(i, 0), self.second(i, size), false, size);
                if i.mnemonic() == M::Sub {
                    self.set(i, result);
                }
            }
            M::Sbb => {
                let borrow = self.flags.carry;
                let result = self.subtract(self.value(i, 0), self.second(i, size), borrow, size);
                self.set(i, result);
            }
            M::Inc | M::Dec => {
                let carry = self.flags.carry;
                let value = self.value(i, 0);
                let result = if i.mnemonic() == M::Inc {
                    self.add(value, 1, false, size)
                } else {
                    self.subtract(value, 1, false, size)
                };
                self.flags.carry = carry;
                self.set(i, result);
            }
            M::Neg => {
                let result = self.subtract(0, self.value(i, 0), false, size);
                self.set(i, result);
            }
            M::Not => self.set(i, !self.value(i, 0) & mask(size)),
            M::And | M::Test => {
                let result = self.logic(self.value(i, 0) & self.second(i, size), size);
                if i.mnemonic() == M::And {
                    self.set(i, result);
                }
            }
            M::Or => {
                let result = self.logic(self.value(i, 0) | self.second(i, size), size);
                self.set(i, result);
            }
            M::Xor => {
                let result = self.logic(self.value(i, 0) ^ self.second(i, size), size);
                self.set(i, result);
            }
            M::Andn => {
                let result = self.logic(!self.value(i, 1) & self.value(i, 2), size);
                self.set(i, result);
            }
            M::Shl | M::Shr | M::Sar | M::Rol | M::Ror | M::Rcl | M::Rcr => self.shift(i, size),
            M::Shlx | M::Shrx | M::Sarx => {
                let (value, by) = (self.value(i, 1), self.value(i, 2) as u32 & (bits - 1));
                self.set(
                    i,
                    match i.mnemonic() {
                        M::Shlx => value << by & mask(size),
                        M::Shrx => value >> by,
                        _ => (extended(value, size) as i64 >> by) as u64 & mask(size),
                    },
                );
            }
            M::Rorx => {
                let (value, by) = (self.value(i, 1), self.value(i, 2) as u32 & (bits - 1));
                self.set(i, rotated_right(value, by, size));
            }
            M::Shld | M::Shrd => {
                let (a, b) = (self.value(i, 0), self.value(i, 1));
                let by = self.value(i, 2) as u32 & (bits - 1);
                if by > 0 {
                    let result = if i.mnemonic() == M::Shld {
                        a << by | b >> (bits - by)
                    } else {
                        a >> by | b << (bits - by)
                    };
                    let result = self.logic(result, size);
                    self.set(i, result);
                }
            }
            M::Imul => self.imul(i, size),
            M::Mul => {
                let wide =
                    u128::from(self.register(accumulator(size))) * u128::from(self.value(i, 0));
                self.set_wide(size, wide)?;
            }
            M::Mulx => {
                let source = if size == 8 {
                    Register::RDX
                } else {
                    Register::EDX
                };
                let wide = u128::from(self.register(source)) * u128::from(self.value(i, 2));
                self.set_register(i.op1_register(), wide as u64 & mask(size));
                self.set_register(i.op0_register(), (wide >> bits) as u64 & mask(size));
            }
            M::Div => self.divide(i, size)?,
            M::Bswap => {
                let value = self.value(i, 0).swap_bytes() >> (64 - bits);
                self.set(i, value);
            }
            M::Movbe => {
                let value = self.value(i, 1).swap_bytes() >> (64 - bits);
                self.set(i, value);
            }
            M::Bsf | M::Tzcnt | M::Bsr | M::Lzcnt | M::Popcnt => self.count_bits(i, size),
            M::Bt | M::Bts | M::Btr | M::Btc => self.bit(i, size),
            M::Bextr | M::Bzhi | M::Blsr | M::Blsi | M::Blsmsk => self.bit_field(i, size)?,
            M::Xchg => {
                let (a, b) = (self.value(i, 0), self.value(i, 1));
                self.set_register(i.op1_register(), a);
                self.set(i, b);
            }
            M::Cmpxchg => {
                let (now, expected) = (self.value(i, 0), self.register(accumulator(size)));
                self.subtract(expected, now, false, size);
                if now == expected {
                    self.set(i, self.value(i, 1));
                } else {
                    self.set_register(accumulator(size), now);
                }
            }
            M::Cdqe => self.widen(Register::RAX, Register::EAX),
            M::Cwde => self.widen(Register::EAX, Register::AX),
            M::Cbw => self.widen(Register::AX, Register::AL),
            M::Cqo => self.sign_of(Register::RDX, Register::RAX),
            M::Cdq => self.sign_of(Register::EDX, Register::EAX),
            M::Movsb | M::Movsq | M::Movsd if i.is_string_instruction() => self.move_string(i),
            M::Stosb | M::Stosq | M::Stosd => self.store_string(i),
            M::Cpuid => self.cpuid(),
            M::Xgetbv => {
                self.set_register(Register::EAX, self.features.xcr0());
                self.set_register(Register::EDX, 0);
            }
            _ if i.is_jcc_short_or_near() => bail!("a jump is no plain instruction"),
            _ => return self.conditional(i),
        }
        Ok(true)
    }

    /// Moves and sets that a condition decides.
    fn conditional(&mut self, i: &Instruction) -> Result<bool> {
        let code = i.condition_code();
        if code == iced_x86::ConditionCode::None || !i.op0_register().is_gpr() && i.op_count() != 1
        {
            return Ok(false);
        }
        let holds = self.holds(code)?;
        if i.op_count() == 1 {
            self.set(i, holds.into());
        } else if holds {
            self.set(i, self.value(i, 1));
        } else {
            // A move of 32 bits clears the upper half in any case.
            self.set(i, self.value(i, 0));
        }
        Ok(true)
    }

    /// The second operand, whose immediate form has the sign of the first's size.
    fn second(&self, i: &Instruction, size: usize) -> u64 {
        self.value(i, 1) & mask(size)
    }

    fn add_with_carry(&mut self, i: &Instruction, size: usize) {
        let before = self.flags;
        let carry = if i.mnemonic() == M::Adox {
            before.overflow
        } else {
            before.carry
        };
        let result = self.add(self.value(i, 0), self.value(i, 1), carry, size);
        let out = self.flags.carry;
        match i.mnemonic() {
            M::Adcx => {
                self.flags = before;
                self.flags.carry = out;
            }
            M::Adox => {
                self.flags = before;
                self.flags.overflow = out;
            }
            _ => {}
        }
        self.set(i, result);
    }

    fn shift(&mut self, i: &Instruction, size: usize) {
        let bits = size as u32 * 8;
        let count = if i.op_count() > 1 {
            self.value(i, 1) as u32
        } else {
            1
        };
        let by = count & if size == 8 { 63 } else { 31 };
        if by == 0 {
            return;
        }
        let value = self.value(i, 0) & mask(size);
        match i.mnemonic() {
            M::Rol | M::Ror => {
                let right = if i.mnemonic() == M::Ror {
                    by
                } else {
                    bits - by % bits
                };
                let result = rotated_right(value, right % bits, size);
                self.flags.carry = if i.mnemonic() == M::Rol {
                    result & 1 == 1
                } else {
                    result >> (bits - 1) & 1 == 1
                };
                self.set(i, result);
            }
            M::Rcl | M::Rcr => {
                let mut result = value;
                for _ in 0..by {
                    let carry = u64::from(self.flags.carry);
                    let out;
                    (result, out) = if i.mnemonic() == M::Rcl {
                        (result << 1 | carry, result >> (bits - 1) & 1)
                    } else {
                        (result >> 1 | carry << (bits - 1), result & 1)
                    };
                    result &= mask(size);
                    self.flags.carry = out == 1;
                }
                self.set(i, result);
            }
            mnemonic => {
                let (result, out) = match mnemonic {
                    M::Shl => {
                        let wide = u128::from(value) << by;
                        (wide as u64, wide >> bits & 1 == 1)
                    }
                    M::Shr => (value >> by.min(63), value >> (by - 1) & 1 == 1),
                    _ => {
                        let signed = extended(value, size) as i64;
                        ((signed >> by.min(63)) as u64, signed >> (by - 1) & 1 == 1)
                    }
                };
                let result = self.logic(result, size);
                self.flags.carry = out;
                self.set(i, result);
            }
        }
    }

    fn imul(&mut self, i: &Instruction, size: usize) {
        let signed = |value| i128::from(extended(value, size) as i64);
        let (a, b) = match i.op_count() {
            1 => (self.register(accumulator(size)), self.value(i, 0)),
            2 => (self.value(i, 0), self.value(i, 1)),
            _ => (self.value(i, 1), self.value(i, 2)),
        };
        let wide = signed(a) * signed(b);
        let lost = wide != signed(wide as u64 & mask(size));
        (self.flags.carry, self.flags.overflow) = (lost, lost);
        if i.op_count() == 1 {
            self.set_register(accumulator(size), wide as u64 & mask(size));
            let high = (wide >> (size * 8)) as u64 & mask(size);
            self.set_register(
                if size == 8 {
                    Register::RDX
                } else {
                    Register::EDX
                },
                high,
            );
        } else {
            self.set(i, wide as u64 & mask(size));
        }
    }

    fn set_wide(&mut self, size: usize, wide: u128) -> Result<()> {
        if size < 4 {
            bail!("a product of {size} bytes");
        }
        let high = (wide >> (size * 8)) as u64 & mask(size);
        self.set_register(accumulator(size), wide as u64 & mask(size));
        self.set_register(
            if size == 8 {
                Register::RDX
            } else {
                Register::EDX
            },
            high,
        );
        (self.flags.carry, self.flags.overflow) = (high != 0, high != 0);
        Ok(())
    }

    fn divide(&mut self, i: &Instruction, size: usize) -> Result<()> {
        let high = match size {
            8 => Register::RDX,
            4 => Register::EDX,
            2 => Register::DX,
            _ => Register::AH,
        };
        let by = u128::from(self.value(i, 0));
        let wide = u128::from(self.register(high)) << (size * 8)
            | u128::from(self.register(accumulator(size)));
        if by == 0 {
            bail!("division by zero");
        }
        self.set_register(accumulator(size), (wide / by) as u64 & mask(size));
        self.set_register(high, (wide % by) as u64);
        Ok(())
    }

    fn count_bits(&mut self, i: &Instruction, size: usize) {
        let bits = size as u64 * 8;
        let value = self.value(i, 1) & mask(size);
        self.flags.zero = value == 0;
        let zeros = u64::from(value.leading_zeros()) - (64 - bits);
        let result = match i.mnemonic() {
            M::Popcnt => u64::from(value.count_ones()),
            M::Lzcnt => zeros,
            M::Tzcnt => u64::from(value.trailing_zeros()).min(bits),
            _ if value == 0 => return,
            M::Bsf => u64::from(value.trailing_zeros()),
            _ => bits - 1 - zeros,
        };
        self.flags.carry = value == 0 && i.mnemonic() != M::Popcnt;
        if matches!(i.mnemonic(), M::Lzcnt | M::Tzcnt) {
            self.flags.zero = result == 0;
        }
        self.set(i, result);
    }

    fn bit(&mut self, i: &Instruction, size: usize) {
        let (value, place) = (self.value(i, 0), self.value(i, 1) & (size as u64 * 8 - 1));
        self.flags.carry = value >> place & 1 == 1;
        match i.mnemonic() {
            M::Bts => self.set(i, value | 1 << place),
            M::Btr => self.set(i, value & !(1 << place)),
            M::Btc => self.set(i, value ^ 1 << place),
            _ => {}
        }
    }

    fn bit_field(&mut self, i: &Instruction, size: usize) -> Result<()> {
        let value = self.value(i, 1);
        let result = match i.mnemonic() {
            M::Blsr => value & value.wrapping_sub(1),
            M::Blsi => value & value.wrapping_neg(),
            M::Blsmsk => value ^ value.wrapping_sub(1),
            M::Bzhi => {
                let count = self.value(i, 2) & 0xff;
                if count >= 64 {
                    value
                } else {
                    value & ((1 << count) - 1)
                }
            }
            _ => {
                let control = self.value(i, 2);
                let (start, length) = (control & 0xff, control >> 8 & 0xff);
                let shifted = if start >= 64 { 0 } else { value >> start };
                if length >= 64 {
                    shifted
                } else {
                    shifted & ((1 << length) - 1)
                }
            }
        };
        let result = self.logic(result, size);
        self.flags.carry = match i.mnemonic() {
            M::Blsi => value != 0,
            M::Blsr | M::Blsmsk => value == 0,
            M::Bzhi => self.value(i, 2) & 0xff >= size as u64 * 8,
            _ => false,
        };
        self.set(i, result);
        Ok(())
    }

    fn widen(&mut self, to: Register, from: Register) {
        let value = extended(self.register(from), from.size()) & mask(to.size());
        self.set_register(to, value);
    }

    fn sign_of(&mut self, to: Register, from: Register) {
        let negative = extended(self.register(from), from.size()) >> 63 == 1;
        self.set_register(to, if negative { mask(to.size()) } else { 0 });
    }

    /// How often a string instruction repeats, and the bytes of an element.
    fn repetitions(&mut self, i: &Instruction) -> (u64, u64) {
        let element = i.memory_size().size() as u64;
        if i.has_rep_prefix() {
            let count = self.register(Register::RCX);
            self.set_register(Register::RCX, 0);
            (count, element)
        } else {
            (1, element)
        }
    }

    fn move_string(&mut self, i: &Instruction) {
        let (count, element) = self.repetitions(i);
        let (from, to) = (self.register(Register::RSI), self.register(Register::RDI));
        let bytes = self.memory.bytes(from, count * element);
        self.memory.write(to, &bytes);
        self.set_register(Register::RSI, from + count * element);
        self.set_register(Register::RDI, to + count * element);
    }

    fn store_string(&mut self, i: &Instruction) {
        let (count, element) = self.repetitions(i);
        let (value, to) = (self.register(Register::RAX), self.register(Register::RDI));
        for n in 0..count {
            self.memory.put(to + n * element, element as usize, value);
        }
        self.set_register(Register::RDI, to + count * element);
    }
}

const fn accumulator(size: usize) -> Register {
    match size {
        8 => Register::RAX,
        4 => Register::EAX,
        2 => Register::AX,
        _ => Register::AL,
    }
}

fn rotated_right(value: u64, by: u32, size: usize) -> u64 {
    let bits = size as u32 * 8;
    if by == 0 {
        return value & mask(size);
    }
    (value >> by | value << (bits - by)) & mask(size)
}
