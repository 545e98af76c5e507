use super::*;

#[derive(Default)]
struct Pretend {
    programs: &'static [&'static str],
    libclang: bool,
}

impl Machine for Pretend {
    fn has_program(&self, name: &str) -> bool {
        self.programs.contains(&name)
    }

    fn has_libclang(&self) -> bool {
        self.libclang
    }

    fn has_pip(&self) -> bool {
        false
    }

    fn browser(&self) -> Option<PathBuf> {
        None
    }
}

#[test]
fn a_bare_machine_lacks_everything_and_a_full_one_nothing() {
    assert_eq!(unmet(Need::BUILD, &Pretend::default()), Need::BUILD);
    let full = Pretend { programs: &["cmake", "clang++", "make"], libclang: true };
    assert_eq!(unmet(Need::BUILD, &full), []);
    assert_eq!(unmet(&[Need::Browser, Need::Make], &full), [Need::Browser]);
}

#[test]
fn apt_gets_one_line_that_asks_nothing() {
    let line = install_line(Manager::Apt, Privilege::Root, &[Need::Cmake, Need::Compiler, Need::Libclang]);
    assert_eq!(line.join(" "), "apt-get install --yes --no-install-recommends cmake g++ libclang-dev");
    let silent = install_line(Manager::Apt, Privilege::SilentSudo, &[Need::Make]);
    assert_eq!(silent.join(" "), "sudo --non-interactive apt-get install --yes --no-install-recommends make");
}

#[test]
fn a_browser_that_cannot_be_had_keeps_nothing_else_away() {
    let lines = install_lines(Privilege::Root, &[Need::Browser, Need::Cmake]);
    let packages: Vec<_> = lines.iter().map(|line| line[4..].join(" ")).collect();
    assert_eq!(packages, ["cmake", "chromium fonts-liberation"]);
    let message = install_instructions(&[Need::Browser], Some(Manager::Apt)).to_string();
    assert!(message.contains("CHROMIUM=/path/to/it"), "{message}");
}

#[test]
fn elsewhere_the_message_carries_the_right_command() {
    for (programs, command) in [
        (&["dnf"][..], "sudo dnf install cmake gcc-c++"),
        (&["pacman"], "sudo pacman -S cmake gcc"),
        (&["brew"], "brew install cmake llvm"),
        (&["apt-get", "dnf"], "sudo apt-get install --yes --no-install-recommends cmake g++"),
        (&[], "your system's package manager"),
    ] {
        let manager = Manager::find(&Pretend { programs, libclang: false });
        let message = install_instructions(&[Need::Cmake, Need::Compiler], manager).to_string();
        assert!(message.contains(command), "{message}");
        assert!(message.contains("compiles llama.cpp"), "{message}");
    }
}

#[test]
fn libclang_is_told_from_its_neighbours() {
    for (name, found) in [
        ("libclang.so", true),
        ("libclang-14.so.1", true),
        ("libclang-14.so.14.0.6", true),
        ("libclang.so.19", true),
        ("libclang.dylib", true),
        ("libclang-cpp.so.14", false),
        ("libclang_rt.builtins-x86_64.a", false),
        ("libclangAST.a", false),
        ("libc.so", false),
    ] {
        assert_eq!(is_libclang(name), found, "{name}");
    }
}
