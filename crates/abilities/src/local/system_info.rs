use std::fs;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use host::MachineFacts;
use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Invocation, ToolError, ToolOutput};

use super::words::{length, size};
use tools::blocking::in_background;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {}

/// `system_info`
pub struct SystemInfo {
    /// The path whose disk is measured.
    pub data_folder: PathBuf,
}

#[async_trait]
impl Ability for SystemInfo {
    type Arguments = Arguments;
    const NAME: &'static str = "system_info";
    const ABOUT: &'static str = "Tells about this computer: system, processor, memory, disk, load, battery.";
    const ASKED_BY: &'static [&'static str] = &[
        "this computer",
        "my computer",
        "this machine",
        "my machine",
        "battery",
        "disk",
        "memory usage",
        "how much memory",
        "ram",
        "cpu",
        "processor",
        "operating system",
    ];
    const EFFECTS: &'static [Effect] = &[Effect::ReadsPrivate, Effect::OwnersMachine];

    async fn run(&self, _: Arguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let folder = self.data_folder.clone();
        in_background(move || {
            let disk = host::disk_free(&folder);
            Ok(ToolOutput::text(report(Path::new("/"), &host::machine(), disk)))
        })
        .await
    }
}

/// Returns the known facts, one per line. What the system does not report is left out.
fn report(root: &Path, machine: &MachineFacts, disk_free: Option<u64>) -> String {
    let read = |path: &str| fs::read_to_string(root.join(path)).ok();
    let mut lines = vec![format!("System: {}", system(&read))];
    let model = read("proc/cpuinfo").as_deref().and_then(processor);
    let cores = format!("{} cores, {} threads", machine.physical_cores, machine.logical_cores);
    lines.push(format!(
        "Processor: {}",
        model.map_or_else(|| cores.clone(), |model| format!("{model} ({cores})"))
    ));
    if let Some(total) = machine.memory_total {
        let free =
            machine.memory_available.map_or_else(String::new, |free| format!(", {} available", size(free)));
        lines.push(format!("Memory: {}{free}", size(total)));
    }
    if let Some(free) = disk_free {
        lines.push(format!("Disk: {} free", size(free)));
    }
    if let Some(seconds) = read("proc/uptime").as_deref().and_then(first_number) {
        #[allow(clippy::cast_possible_truncation, reason = "whole seconds are enough")]
        let up = SignedDuration::from_secs(seconds as i64);
        lines.push(format!("Running for: {}", length(up)));
    }
    if let Some(load) = read("proc/loadavg") {
        let averages: Vec<&str> = load.split_whitespace().take(3).collect();
        if averages.len() == 3 {
            lines.push(format!("Load over 1, 5 and 15 minutes: {}", averages.join(", ")));
        }
    }
    lines.extend(batteries(root).into_iter().map(|battery| format!("Battery: {battery}")));
    lines.join("\n")
}

fn system(read: &impl Fn(&str) -> Option<String>) -> String {
    let release = read("etc/os-release").or_else(|| read("usr/lib/os-release"));
    let name = release.as_deref().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
        Some(line.trim().trim_matches('"').to_owned())
    });
    let name = name.unwrap_or_else(|| match std::env::consts::OS {
        "macos" => "macOS".to_owned(),
        "windows" => "Windows".to_owned(),
        other => other.to_owned(),
    });
    let kernel = read("proc/sys/kernel/osrelease").map(|kernel| format!(", kernel {}", kernel.trim()));
    format!("{name} on {}{}", std::env::consts::ARCH, kernel.unwrap_or_default())
}

fn processor(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name") || line.starts_with("Model"))?;
    Some(line.split_once(':')?.1.trim().to_owned()).filter(|name| !name.is_empty())
}

fn first_number(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

fn batteries(root: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(root.join("sys/class/power_supply")) else { return Vec::new() };
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    let battery =
        |folder: &PathBuf| {
            let read = |name: &str| Some(fs::read_to_string(folder.join(name)).ok()?.trim().to_owned());
            // Batteries of devices such as a mouse are not the computer's.
            if read("type")? != "Battery" || read("scope").is_some_and(|scope| scope == "Device") {
                return None;
            }
            let percent: u8 = read("capacity")?.parse().ok()?;
            let status = read("status").filter(|status| status != "Unknown");
            Some(status.map_or_else(
                || format!("{percent}%"),
                |status| format!("{percent}%, {}", status.to_lowercase()),
            ))
        };
    folders.iter().filter_map(battery).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: MachineFacts = MachineFacts {
        memory_total: Some(16 << 30),
        memory_available: Some(3 << 29),
        physical_cores: 4,
        logical_cores: 8,
    };

    fn laptop() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let files = [
            ("etc/os-release", "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n"),
            ("proc/cpuinfo", "processor : 0\nmodel name\t: Example CPU @ 2 GHz\n\nprocessor : 1\n"),
            ("proc/uptime", "93784.12 1000.0\n"),
            ("proc/loadavg", "0.08 0.74 1.26 2/345 6789\n"),
            ("proc/sys/kernel/osrelease", "6.12.0\n"),
            ("sys/class/power_supply/BAT0/type", "Battery\n"),
            ("sys/class/power_supply/BAT0/capacity", "81\n"),
            ("sys/class/power_supply/BAT0/status", "Discharging\n"),
            ("sys/class/power_supply/mouse/type", "Battery\n"),
            ("sys/class/power_supply/mouse/scope", "Device\n"),
            ("sys/class/power_supply/mouse/capacity", "10\n"),
            ("sys/class/power_supply/AC/type", "Mains\n"),
        ];
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn all_that_is_known_is_told() {
        let told = report(laptop().path(), &FACTS, Some(5 << 30));
        let expected = format!(
            "System: Debian GNU/Linux 13 (trixie) on {}, kernel 6.12.0\n\
             Processor: Example CPU @ 2 GHz (4 cores, 8 threads)\n\
             Memory: 16.0 GB, 1.5 GB available\n\
             Disk: 5.0 GB free\n\
             Running for: 1 day and 2 hours\n\
             Load over 1, 5 and 15 minutes: 0.08, 0.74, 1.26\n\
             Battery: 81%, discharging",
            std::env::consts::ARCH
        );
        assert_eq!(told, expected);
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let bare = tempfile::tempdir().unwrap();
        let facts = MachineFacts { memory_total: None, memory_available: None, ..FACTS };
        let told = report(bare.path(), &facts, None);
        assert_eq!(told.lines().count(), 2, "{told}");
        fs::create_dir_all(bare.path().join("proc")).unwrap();
        fs::write(bare.path().join("proc/uptime"), "nan x").unwrap();
        fs::write(bare.path().join("proc/loadavg"), "").unwrap();
        assert_eq!(report(bare.path(), &facts, None), told, "nonsense is not known either");
    }
}
