//! llvm-mca, asked how many cycles a list of instructions takes.

use anyhow::{Context as _, Result, bail};
use iced_x86::{Formatter as _, GasFormatter, Instruction};
use std::collections::HashMap;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::rc::Rc;

/// The tool.
pub struct Mca {
    program: String,
    /// Its first line about itself.
    pub version: String,
}

impl Mca {
    /// Finds it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn new(program: &str) -> Result<Self> {
        let output = Command::new(program).arg("--version").output();
        let output = output.with_context(|| {
            format!("cannot start {program}: install LLVM (on Debian llvm-19), or name it by --mca")
        })?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = text
            .lines()
            .find(|l| l.contains("version"))
            .unwrap_or("")
            .trim();
        Ok(Self {
            program: program.to_owned(),
            version: version.to_owned(),
        })
    }

    /// Cycles of these instructions on a design of CPU, executed once.
    ///
    /// # Errors
    /// When llvm-mca fails.
    pub fn cycles(&self, assembly: &str, cpu: &str) -> Result<u64> {
        let mut tool = Command::new(&self.program);
        tool.args([
            "-mtriple=x86_64-unknown-linux-gnu",
            "-iterations=1",
            "-all-views=false",
        ]);
        tool.args(["-summary-view", &format!("-mcpu={cpu}")]);
        tool.stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = tool.spawn().context("cannot start llvm-mca")?;
        let mut input = child.stdin.take().expect("a pipe");
        let text = corrected(assembly, cpu);
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let output = child.wait_with_output()?;
        // When it fails it may stop reading; its own message says why.
        let _ = writer.join().expect("no panic");
        let stdout = String::from_utf8_lossy(&output.stdout);
        let cycles = stdout.lines().find_map(|l| l.strip_prefix("Total Cycles:"));
        let Some(cycles) = cycles else {
            let stderr = String::from_utf8_lossy(&output.stderr);
            bail!(
                "llvm-mca -mcpu={cpu}: {}",
                stderr.lines().take(6).collect::<Vec<_>>().join("\n")
            );
        };
        Ok(cycles.trim().parse()?)
    }
}

/// Instructions without those of which the model of a design is far off.
///
/// LLVM 19 takes `vperm2i128` and `vperm2f128` for 100 cycles on Zen 1 and Zen 2. On Zen 2 they are
/// one operation of three cycles, on Zen 1 eight that begin within three (Agner Fog, "Instruction
/// tables"; uops.info). An insertion of a half, which it takes for two cycles, needs the same
/// registers.
fn corrected(assembly: &str, cpu: &str) -> String {
    if !["znver1", "znver2"].contains(&cpu) {
        return assembly.to_owned();
    }
    let lines = assembly.lines().map(|line| {
        let operands = line
            .strip_prefix("vperm2i128 ")
            .or_else(|| line.strip_prefix("vperm2f128 "));
        let Some((_, registers)) = operands.and_then(|operands| operands.split_once(',')) else {
            return format!("{line}\n");
        };
        // The half that is inserted is a register of 128 bits, if it is none in memory.
        format!(
            "vinserti128 $1,{}\n",
            registers.replacen("%ymm", "%xmm", usize::from(registers.starts_with("%ymm")))
        )
    });
    lines.collect()
}

/// Instructions as llvm-mca reads them. Jumps, calls and returns become a jump to the
/// next line: which way they go is known.
pub fn assembly(trace: &[Rc<Instruction>]) -> String {
    let mut formatter = GasFormatter::new();
    formatter
        .options_mut()
        .set_gas_show_mnemonic_size_suffix(true);
    formatter.options_mut().set_rip_relative_addresses(true);
    let mut known: HashMap<u64, String> = HashMap::new();
    let mut text = String::new();
    for instruction in trace {
        let line = known.entry(instruction.ip()).or_insert_with(|| {
            let mut line = String::new();
            if instruction.is_jcc_short_or_near() {
                formatter.format(instruction, &mut line);
                let mnemonic = line.split_whitespace().next().unwrap_or("jne").to_owned();
                return format!("{mnemonic} .\n");
            }
            if instruction.flow_control() == iced_x86::FlowControl::Next {
                formatter.format(instruction, &mut line);
            } else {
                line.push_str("jmp .");
            }
            line.push('\n');
            line
        });
        text.push_str(line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::corrected;

    #[test]
    fn halves_that_change_places_are_insertions_where_the_model_is_far_off() {
        let text =
            "vperm2i128 $1,%ymm3,%ymm4,%ymm5\nvperm2f128 $0x31,32(%rsi,%rax),%ymm1,%ymm2\nnop\n";
        let expected =
            "vinserti128 $1,%xmm3,%ymm4,%ymm5\nvinserti128 $1,32(%rsi,%rax),%ymm1,%ymm2\nnop\n";
        assert_eq!(corrected(text, "znver2"), expected);
        assert_eq!(corrected(text, "znver3"), text);
    }
}
