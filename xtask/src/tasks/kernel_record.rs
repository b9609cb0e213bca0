//! Records of `karat kernels bench`: what each body took on which CPU.

use anyhow::{Context as _, Result, bail};
use std::path::Path;

/// The bodies of one kernel for one task at one size.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Design of the CPU, as in `karat_cpu::Microarchitecture`.
    pub cpu: &'static str,
    /// The kernel.
    pub kernel: String,
    /// The task.
    pub task: String,
    /// Items of a call.
    pub items: u64,
    /// Bytes of each.
    pub size: u64,
    /// Names of karat's bodies, and nanoseconds of a call.
    pub bodies: Vec<(String, f64)>,
    /// The record, from the root of the repository.
    pub file: String,
}

impl Measured {
    /// Nanoseconds of the fastest body.
    pub fn fastest(&self) -> f64 {
        let times = self.bodies.iter().map(|(_, ns)| *ns);
        times.fold(f64::INFINITY, f64::min)
    }
}

/// All cases on one thread in the newest records of each machine.
pub fn all(folder: &Path) -> Result<Vec<Measured>> {
    let mut cases = Vec::new();
    let mut machines: Vec<_> = std::fs::read_dir(folder)?.collect::<std::io::Result<_>>()?;
    machines.sort_by_key(std::fs::DirEntry::file_name);
    for machine in machines {
        let machine_name = machine.file_name().to_string_lossy().into_owned();
        for name in newest(&machine.path())? {
            let file = format!("records/{machine_name}/{name}");
            let text = std::fs::read_to_string(machine.path().join(&name))?;
            cases.extend(parse(&text, &file).with_context(|| file.clone())?);
        }
    }
    Ok(cases)
}

/// Names of the records of kernels with the newest date, such as
/// `2026-11-20-kernels.csv` and `2026-11-20-kernels-rest.csv`.
fn newest(machine: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(machine)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let after_date = name.get(10..).unwrap_or_default();
        if after_date.starts_with("-kernels.") || after_date.starts_with("-kernels-") {
            names.push(name);
        }
    }
    names.sort();
    let date = |name: &String| name[..10].to_owned();
    let last = names.last().map(date);
    names.retain(|name| Some(date(name)) == last);
    Ok(names)
}

fn parse(text: &str, file: &str) -> Result<Vec<Measured>> {
    let machine = text.lines().find_map(|l| l.strip_prefix("# machine: "));
    let cpu = design(machine.context("no line `# machine:`")?)?;
    let mut lines = text.lines().filter(|l| !l.starts_with('#'));
    let head = fields(lines.next().context("no columns")?);
    let column = |names: &[&str]| {
        let place = head.iter().position(|h| names.contains(&h.as_str()));
        place.with_context(|| format!("no column {}", names[0]))
    };
    let (task, kernel) = (column(&["task"])?, column(&["kernel"])?);
    // Records of 2026-11-22 and before say `messages`.
    let (items, size) = (column(&["items", "messages"])?, column(&["size"])?);
    let (threads, arm, ns) = (column(&["threads"])?, column(&["arm"])?, column(&["ns"])?);
    let mut cases: Vec<Measured> = Vec::new();
    for line in lines {
        let row = fields(line);
        let field = |at: usize| row.get(at).map_or("", String::as_str);
        let Some(body) = field(arm).strip_prefix("karat ") else {
            continue;
        };
        if field(threads) != "1" {
            continue;
        }
        let (items, size) = (field(items).parse()?, field(size).parse()?);
        let body = (body.to_owned(), field(ns).parse()?);
        let same =
            |c: &&mut Measured| (c.task.as_str(), c.items, c.size) == (field(task), items, size);
        match cases.iter_mut().find(same) {
            Some(case) => case.bodies.push(body),
            None => cases.push(Measured {
                cpu,
                kernel: field(kernel).to_owned(),
                task: field(task).to_owned(),
                items,
                size,
                bodies: vec![body],
                file: file.to_owned(),
            }),
        }
    }
    Ok(cases)
}

/// The design of the CPU of a line such as `AMD EPYC (AuthenticAMD 26/2/1), 2 processors`.
fn design(machine: &str) -> Result<&'static str> {
    let id = machine
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(')'));
    let (vendor, numbers) = id
        .and_then(|(id, _)| id.split_once(' '))
        .with_context(|| format!("no vendor and family in `{machine}`"))?;
    let numbers: Vec<u32> = numbers.split('/').map_while(|n| n.parse().ok()).collect();
    let [family, model, _] = numbers[..] else {
        bail!("no family, model and stepping in `{machine}`");
    };
    let mut identity = karat_cpu::Identity {
        family,
        model,
        ..karat_cpu::Identity::UNKNOWN
    };
    let length = vendor.len().min(12);
    identity.vendor[..length].copy_from_slice(&vendor.as_bytes()[..length]);
    let design = karat_cpu::Microarchitecture::of(&identity);
    let design =
        design.with_context(|| format!("karat-cpu knows no design {vendor} {numbers:?}"))?;
    Ok(design.variant())
}

/// The fields of a line of CSV (RFC 4180), without line breaks inside of quotes.
fn fields(line: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match (c, quoted) {
            ('"', _) => quoted = !quoted,
            (',', false) => all.push(String::new()),
            (c, _) => all.last_mut().expect("one at least").push(c),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "\
# command: karat kernels bench
# machine: AMD EPYC (AuthenticAMD 25/17/1), 1 processors, linux
task,kernel,messages,size,threads,arm,peer,ns
sum,sum,1,64,1,karat avx2,false,10.5
sum,sum,1,64,1,karat portable,false,20
sum,sum,1,64,1,\"peer, one by one\",true,5
sum,sum,16,64,1,karat avx2,false,100
sum,sum,1,64,2,karat avx2,false,7
";

    #[test]
    fn a_record_gives_the_bodies_of_each_case() {
        let cases = parse(RECORD, "records/a.csv").unwrap();
        assert_eq!(cases.len(), 2);
        assert_eq!((cases[0].cpu, cases[0].fastest()), ("Zen4", 10.5));
        assert_eq!(cases[0].bodies[1], ("portable".to_owned(), 20.0));
        assert_eq!((cases[1].items, cases[1].bodies.len()), (16, 1));
        let unknown = RECORD.replace("25/17/1", "99/1/1");
        assert!(
            parse(&unknown, "")
                .unwrap_err()
                .to_string()
                .contains("no design")
        );
        assert!(parse("a,b\n", "").is_err());
    }

    #[test]
    fn quotes_hold_commas() {
        assert_eq!(fields("a,\"b, c\",,d"), ["a", "b, c", "", "d"]);
    }
}
