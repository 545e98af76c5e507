//! The system packages that the build and the tests need, and their names in each package manager.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, TaskResult};
use crate::process;
use crate::terminal::{Terminal, TerminalAudience};

/// A requirement that is not available from the registries of Rust, Node or Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Cmake,
    Compiler,
    Make,
    Libclang,
    Pip,
    Browser,
    Bubblewrap,
    Ripgrep,
}

impl Need {
    /// The requirements for compiling llama.cpp and its bindings.
    pub const BUILD: &'static [Self] = &[Self::Cmake, Self::Compiler, Self::Make, Self::Libclang];

    fn purpose(self) -> &'static str {
        match self {
            Self::Cmake | Self::Compiler | Self::Make => "compiles llama.cpp",
            Self::Libclang => "reads llama.cpp's headers",
            Self::Pip => "downloads the starter model and test tools",
            Self::Browser => "runs the browser tests",
            Self::Bubblewrap => "confines shell commands and the tools that Luna writes",
            Self::Ripgrep => "is compared with Perigee's search in the benchmarks",
        }
    }

    fn packages(self, manager: Manager) -> &'static [&'static str] {
        match (self, manager) {
            (Self::Cmake, _) => &["cmake"],
            (Self::Compiler, Manager::Apt) => &["g++"],
            (Self::Compiler, Manager::Dnf) => &["gcc-c++"],
            (Self::Compiler, Manager::Pacman) => &["gcc"],
            (Self::Compiler | Self::Libclang, Manager::Brew) => &["llvm"],
            (Self::Make, _) => &["make"],
            (Self::Libclang, Manager::Apt) => &["libclang-dev"],
            (Self::Libclang, Manager::Dnf) => &["clang-devel"],
            (Self::Libclang, Manager::Pacman) => &["clang"],
            (Self::Pip, Manager::Apt | Manager::Dnf) => &["python3-pip"],
            (Self::Pip, Manager::Pacman) => &["python-pip"],
            (Self::Pip, Manager::Brew) => &["python3"],
            (Self::Browser, Manager::Apt) => &["chromium", "fonts-liberation"],
            (Self::Browser, Manager::Dnf | Manager::Pacman | Manager::Brew) => &["chromium"],
            (Self::Bubblewrap, _) => &["bubblewrap"],
            (Self::Ripgrep, _) => &["ripgrep"],
        }
    }

    fn is_met(self, machine: &impl Machine) -> bool {
        match self {
            Self::Cmake => machine.has_program("cmake"),
            Self::Compiler => ["c++", "g++", "clang++"].iter().any(|name| machine.has_program(name)),
            Self::Make => machine.has_program("make"),
            Self::Libclang => machine.has_libclang(),
            Self::Pip => machine.has_pip(),
            Self::Browser => machine.browser().is_some(),
            // bubblewrap exists only for Linux; on other systems Perigee reports that itself.
            Self::Bubblewrap => !cfg!(target_os = "linux") || machine.has_program("bwrap"),
            Self::Ripgrep => machine.has_program("rg"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manager {
    Apt,
    Dnf,
    Pacman,
    Brew,
}

impl Manager {
    const PROGRAMS: [(&'static str, Self); 4] =
        [("apt-get", Self::Apt), ("dnf", Self::Dnf), ("pacman", Self::Pacman), ("brew", Self::Brew)];

    fn find(machine: &impl Machine) -> Option<Self> {
        Self::PROGRAMS.iter().find(|(program, _)| machine.has_program(program)).map(|(_, manager)| *manager)
    }

    fn install(self) -> &'static [&'static str] {
        match self {
            Self::Apt => &["apt-get", "install", "--yes", "--no-install-recommends"],
            Self::Dnf => &["dnf", "install"],
            Self::Pacman => &["pacman", "-S"],
            Self::Brew => &["brew", "install"],
        }
    }
}

/// The way to become root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Privilege {
    Root,
    /// `sudo` may ask for a password.
    Sudo,
    /// `sudo` must not ask, because there is no user.
    SilentSudo,
}

impl Privilege {
    fn prefix(self) -> &'static [&'static str] {
        match self {
            Self::Root => &[],
            Self::Sudo => &["sudo"],
            Self::SilentSudo => &["sudo", "--non-interactive"],
        }
    }
}

/// The observed state of a machine, which tests replace.
trait Machine {
    fn has_program(&self, name: &str) -> bool;
    fn has_libclang(&self) -> bool;
    fn has_pip(&self) -> bool;
    fn browser(&self) -> Option<PathBuf>;
}

struct ThisMachine;

impl Machine for ThisMachine {
    fn has_program(&self, name: &str) -> bool {
        process::find_program(name).is_some()
    }

    fn has_libclang(&self) -> bool {
        std::env::var_os("LIBCLANG_PATH").is_some()
            || library_folders().iter().any(|folder| contains_libclang(folder))
    }

    fn has_pip(&self) -> bool {
        process::output(Command::new("python3").args(["-m", "pip", "--version"])).is_ok()
    }

    fn browser(&self) -> Option<PathBuf> {
        browser()
    }
}

/// Returns a Chromium for the tests. `CHROMIUM` overrides its path.
pub fn browser() -> Option<PathBuf> {
    const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    const MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
    std::env::var_os("CHROMIUM")
        .map(PathBuf::from)
        .or_else(|| NAMES.iter().find_map(|name| process::find_program(name)))
        .or_else(|| Some(PathBuf::from(MAC)))
        .filter(|path| path.is_file())
}

/// Installs the missing packages, or fails with instructions for installing them.
pub fn provide(needs: &[Need], terminal: &Terminal) -> TaskResult {
    let missing = unmet(needs, &ThisMachine);
    if missing.is_empty() {
        return Ok(());
    }
    let manager = Manager::find(&ThisMachine);
    let Some(Manager::Apt) = manager else { return Err(install_instructions(&missing, manager)) };
    let privilege = match (is_root(), process::find_program("sudo"), terminal.audience()) {
        (true, ..) => Privilege::Root,
        (false, None, _) => return Err(install_instructions(&missing, manager)),
        (false, Some(_), TerminalAudience::Person) => Privilege::Sudo,
        (false, Some(_), TerminalAudience::Log) => Privilege::SilentSudo,
    };
    let installs = install_lines(privilege, &missing);
    terminal.say(list(&missing, manager));
    for install in &installs {
        terminal.say(format!("  {}", install.join(" ")));
    }
    if !terminal.confirm("Run this?")? {
        return Err(install_instructions(&missing, manager));
    }
    let update: Vec<&str> =
        privilege.prefix().iter().copied().chain(["apt-get", "update", "--quiet"]).collect();
    // An outdated package index may still be sufficient.
    if let Err(failure) = run_line(&update) {
        terminal.say(failure.to_string());
    }
    for install in &installs {
        if let Err(failure) = run_line(install) {
            terminal.say(failure.to_string());
        }
    }
    let still = unmet(needs, &ThisMachine);
    if still.is_empty() { Ok(()) } else { Err(install_instructions(&still, manager)) }
}

fn unmet(needs: &[Need], machine: &impl Machine) -> Vec<Need> {
    needs.iter().copied().filter(|need| !need.is_met(machine)).collect()
}

/// Returns the install commands. The browser has its own: not every distribution with `apt-get` has it as a package,
/// and its failure must not prevent the installation of the compiler.
fn install_lines(privilege: Privilege, missing: &[Need]) -> Vec<Vec<&'static str>> {
    let (browser, rest): (Vec<Need>, Vec<Need>) = missing.iter().partition(|need| **need == Need::Browser);
    let groups = [rest, browser].into_iter().filter(|group| !group.is_empty());
    groups.map(|group| install_line(Manager::Apt, privilege, &group)).collect()
}

fn install_line(manager: Manager, privilege: Privilege, missing: &[Need]) -> Vec<&'static str> {
    let packages = missing.iter().flat_map(|need| need.packages(manager));
    privilege.prefix().iter().chain(manager.install()).chain(packages).copied().collect()
}

fn list(missing: &[Need], manager: Option<Manager>) -> String {
    let line = |need: &Need| {
        format!("  {} ({})", need.packages(manager.unwrap_or(Manager::Apt)).join(" "), need.purpose())
    };
    let lines: Vec<String> = missing.iter().map(line).collect();
    format!("Missing system packages:\n{}", lines.join("\n"))
}

fn install_instructions(missing: &[Need], manager: Option<Manager>) -> Failure {
    let how = manager.map_or_else(
        || "Install them with your system's package manager (the names above are Debian's).".to_owned(),
        |manager| {
            let privilege = if manager == Manager::Brew { Privilege::Root } else { Privilege::Sudo };
            format!("Install them with:\n  {}", install_line(manager, privilege, missing).join(" "))
        },
    );
    let elsewhere = if missing.contains(&Need::Browser) {
        "\nAny Chrome or Chromium will do. If it is not on the PATH, set CHROMIUM=/path/to/it."
    } else {
        ""
    };
    Failure::new(format!("{}\n{how}{elsewhere}\nThen run this command again.", list(missing, manager)))
}

fn run_line(line: &[&str]) -> TaskResult {
    let (program, arguments) = line.split_first().ok_or_else(|| Failure::new("nothing to run"))?;
    process::run(
        process::command(program, Path::new("/")).args(arguments).env("DEBIAN_FRONTEND", "noninteractive"),
    )
}

fn is_root() -> bool {
    process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn library_folders() -> Vec<PathBuf> {
    const FIXED: [&str; 7] = [
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/lib",
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/opt/homebrew/opt/llvm/lib",
        "/Library/Developer/CommandLineTools/usr/lib",
    ];
    let versioned = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let versioned = versioned.filter(|entry| entry.file_name().to_string_lossy().starts_with("llvm"));
    FIXED.iter().map(PathBuf::from).chain(versioned.map(|entry| entry.path().join("lib"))).collect()
}

fn contains_libclang(folder: &Path) -> bool {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.into_iter().any(|name| is_libclang(&name.to_string_lossy()))
}

/// Returns true for `libclang.so`, `libclang-14.so.1` and `libclang.dylib`, but not for `libclang-cpp.so`, which is a
/// different library.
fn is_libclang(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("libclang") else { return false };
    let rest = rest.trim_start_matches(|c: char| c == '-' || c == '.' || c.is_ascii_digit());
    rest.starts_with("so") || rest == "dylib"
}

#[cfg(test)]
#[path = "system_tests.rs"]
mod tests;
