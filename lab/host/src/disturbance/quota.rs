//! CPU quotas of control groups, as containers have them.
//!
//! A group with a quota may run for so much time in each period, on all processors
//! together; then all of it stops until the next (CFS bandwidth control,
//! Documentation/scheduler/sched-bwc.rst). karat's group and those above it count.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A CPU quota.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quota {
    /// Seconds of processor time in each period, of all processors together.
    pub time: f64,
    /// Seconds of a period.
    pub period: f64,
}

impl Quota {
    /// Processors that it is worth.
    #[must_use]
    pub fn processors(self) -> f64 {
        self.time / self.period
    }
}

impl std::fmt::Display for Quota {
    /// What it is, and which runs it stops.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (time, period) = (self.time * 1e3, self.period * 1e3);
        let processors = self.processors();
        write!(
            f,
            "limited to {processors:.2} processors by a CPU quota ({time:.0} ms in each \
             {period:.0} ms); "
        )?;
        if processors < 1.0 {
            write!(
                f,
                "runs that use more than {time:.0} ms are stopped for a while"
            )
        } else {
            write!(
                f,
                "runs that use more than {processors:.2} processors at once are stopped for a while"
            )
        }
    }
}

/// The tightest quota that holds for karat and what it starts; none if there is
/// none, or none that can be seen.
#[must_use]
pub fn cpu_quota() -> Option<Quota> {
    let groups = group_folders(&own("cgroup"), &own("mountinfo"), "cpu");
    let quotas = groups.iter().filter_map(|g| quota_of(g));
    quotas.min_by(|a, b| a.processors().total_cmp(&b.processors()))
}

/// Seconds for which groups with a quota have been stopped so far, processor by
/// processor; only differences mean something. Quotas that come later than the
/// first call are not seen.
pub(super) fn throttled_seconds() -> f64 {
    static LIMITED: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let limited = LIMITED.get_or_init(|| {
        let mut groups = group_folders(&own("cgroup"), &own("mountinfo"), "cpu");
        groups.retain(|g| quota_of(g).is_some());
        groups
    });
    limited.iter().map(|g| throttled_in(g)).sum()
}

fn own(file: &str) -> String {
    read_to_string(format!("/proc/self/{file}")).unwrap_or_default()
}

/// The folders of the groups of a controller (`cpu`, `memory`) that a process is in, the
/// innermost first.
///
/// `cgroup` and `mountinfo` are the process's files in /proc (cgroups(7),
/// proc_pid_mountinfo(5)).
pub(crate) fn group_folders(cgroup: &str, mountinfo: &str, controller: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for line in cgroup.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(number), Some(controllers), Some(path)) =
            (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let unified = number == "0" && controllers.is_empty();
        if !unified && !controllers.split(',').any(|c| c == controller) {
            continue;
        }
        let Some((root, mount)) = mountinfo
            .lines()
            .find_map(|l| mount_of(l, unified, controller))
        else {
            continue;
        };
        // A path outside of what is mounted is that of a group above it, or of one
        // that a container must not see: then the mount's own group is the nearest.
        let inside = Path::new(path).strip_prefix(root).unwrap_or(Path::new(""));
        let plain = |p: &Path| p.components().all(|c| c.as_os_str() != "..");
        let inside = if plain(inside) { inside } else { Path::new("") };
        out.extend(inside.ancestors().map(|a| Path::new(mount).join(a)));
    }
    out
}

/// Root and place of a mount of the controller.
fn mount_of<'a>(line: &'a str, unified: bool, controller: &str) -> Option<(&'a str, &'a str)> {
    let (left, right) = line.split_once(" - ")?;
    let mut left = left.split(' ').skip(3);
    let (root, mount) = (left.next()?, left.next()?);
    let mut right = right.split(' ');
    let kind = right.next()?;
    let options = right.nth(1)?;
    let fits = if unified {
        kind == "cgroup2"
    } else {
        kind == "cgroup" && options.split(',').any(|o| o == controller)
    };
    fits.then_some((root, mount))
}

fn quota_of(group: &Path) -> Option<Quota> {
    let number =
        |file: &str| -> Option<f64> { read_to_string(group.join(file)).ok()?.trim().parse().ok() };
    let (time, period) = match read_to_string(group.join("cpu.max")) {
        Ok(text) => {
            // `max` where there is none.
            let mut words = text.split_whitespace().map(str::parse::<f64>);
            (words.next()?.ok()?, words.next()?.ok()?)
        }
        // -1 where there is none.
        Err(_) => (number("cpu.cfs_quota_us")?, number("cpu.cfs_period_us")?),
    };
    (time > 0.0 && period > 0.0).then_some(Quota {
        time: time * 1e-6,
        period: period * 1e-6,
    })
}

fn throttled_in(group: &Path) -> f64 {
    let text = read_to_string(group.join("cpu.stat")).unwrap_or_default();
    let value = |name: &str| -> Option<f64> {
        let line = text.lines().find_map(|l| l.strip_prefix(name))?;
        line.trim().parse().ok()
    };
    let micros = value("throttled_usec ").map(|us| us * 1e-6);
    // Version 1 counts nanoseconds.
    let nanos = || value("throttled_time ").map(|ns| ns * 1e-9);
    micros.or_else(nanos).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: &str = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
        32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:1 - cgroup cgroup rw,cpu,cpuacct\n\
        34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n\
        41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

    #[test]
    fn the_groups_up_to_the_root_are_found() {
        let shown = |cgroup, mounts| -> Vec<String> {
            let found = group_folders(cgroup, mounts, "cpu");
            found.iter().map(|p| p.display().to_string()).collect()
        };
        let cgroup = "4:cpuset:/x\n3:cpu,cpuacct:/a/b\n0::/u\n";
        assert_eq!(
            shown(cgroup, BOTH),
            [
                "/sys/fs/cgroup/cpu,cpuacct/a/b",
                "/sys/fs/cgroup/cpu,cpuacct/a",
                "/sys/fs/cgroup/cpu,cpuacct/",
                "/sys/fs/cgroup/unified/u",
                "/sys/fs/cgroup/unified/",
            ]
        );
        // A container that sees its own group as the root, and one that does not.
        let mount = "30 20 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        assert_eq!(shown("0::/\n", mount), ["/sys/fs/cgroup/"]);
        let bound = "30 20 0:26 /docker/1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        assert_eq!(
            shown("0::/docker/1/a\n", bound),
            ["/sys/fs/cgroup/a", "/sys/fs/cgroup/"]
        );
        assert_eq!(shown("0::/../2\n", mount), ["/sys/fs/cgroup/"]);
        assert_eq!(shown("", BOTH), [""; 0]);
        assert_eq!(shown("nonsense", "nonsense"), [""; 0]);
    }

    fn group(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        dir
    }

    #[test]
    fn quotas_and_stops_are_read_of_both_versions() {
        let two = group(&[
            ("cpu.max", "150000 100000\n"),
            (
                "cpu.stat",
                "usage_usec 9\nnr_throttled 3\nthrottled_usec 250000\n",
            ),
        ]);
        let quota = quota_of(two.path()).unwrap();
        assert!((quota.processors() - 1.5).abs() < 1e-12);
        assert!((throttled_in(two.path()) - 0.25).abs() < 1e-12);
        let said = quota.to_string();
        assert!(
            said.starts_with("limited to 1.50 processors by a CPU quota"),
            "{said}"
        );
        let one = group(&[
            ("cpu.cfs_quota_us", "50000\n"),
            ("cpu.cfs_period_us", "100000\n"),
            (
                "cpu.stat",
                "nr_periods 5\nnr_throttled 3\nthrottled_time 250000000\n",
            ),
        ]);
        let quota = quota_of(one.path()).unwrap();
        assert!((quota.processors() - 0.5).abs() < 1e-12);
        assert!((throttled_in(one.path()) - 0.25).abs() < 1e-12);
        assert!(quota.to_string().contains("more than 50 ms are stopped"));
        for none in [
            group(&[("cpu.max", "max 100000\n"), ("cpu.stat", "usage_usec 9\n")]),
            group(&[
                ("cpu.cfs_quota_us", "-1\n"),
                ("cpu.cfs_period_us", "100000\n"),
            ]),
            group(&[]),
        ] {
            assert_eq!(quota_of(none.path()), None);
            assert_eq!(throttled_in(none.path()), 0.0);
        }
    }
}
