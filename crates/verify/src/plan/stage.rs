//! A command to run, its toolchain, and the quoting of its arguments.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StageKind {
    Build,
    Test,
    Run,
}

/// The toolchain that produces the output of a command, if known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Toolchain {
    Cargo,
    Node,
    Python,
    Go,
    Make,
    CMake,
    Gradle,
    Maven,
    Other,
}

/// A command that must succeed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlannedStage {
    pub kind: StageKind,
    /// The shell command line.
    pub command: String,
    /// The working directory relative to the root; empty for the root itself.
    pub folder: String,
    pub toolchain: Toolchain,
}

impl Toolchain {
    /// Determines the toolchain from the program at the start of a command.
    pub fn of(command: &str) -> Self {
        let is_setting = |word: &&str| word.contains('=') && !word.starts_with('-');
        let mut words = command.split_whitespace().skip_while(is_setting);
        let program = words.next().unwrap_or_default();
        match program.rsplit('/').next().unwrap_or_default() {
            "cargo" | "rustc" => Self::Cargo,
            "npm" | "npx" | "pnpm" | "yarn" | "bun" | "bunx" | "node" | "deno" | "tsc" | "vitest"
            | "jest" | "eslint" => Self::Node,
            name if name.starts_with("python") => Self::Python,
            "pytest" | "tox" | "uv" | "poetry" => Self::Python,
            "go" => Self::Go,
            "make" | "gmake" | "ninja" | "gcc" | "cc" | "g++" | "clang" | "clang++" => Self::Make,
            "cmake" | "ctest" => Self::CMake,
            "gradle" | "gradlew" => Self::Gradle,
            "mvn" | "mvnw" => Self::Maven,
            "sh" | "bash" => words.next().map_or(Self::Other, |script| match script {
                "./gradlew" | "gradlew" => Self::Gradle,
                "./mvnw" | "mvnw" => Self::Maven,
                _ => Self::Other,
            }),
            _ => Self::Other,
        }
    }
}

impl StageKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Test => "test",
            Self::Run => "run",
        }
    }
}

/// Quotes a word for the shell if needed.
pub fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./@:+=,%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Formats file names as arguments. A name that begins with a dash would be read as an option, so it is prefixed with
/// `./`.
pub fn words<'a>(paths: impl IntoIterator<Item = &'a str>) -> String {
    let plain = |path: &str| word(&if path.starts_with('-') { format!("./{path}") } else { path.to_owned() });
    paths.into_iter().map(plain).collect::<Vec<_>>().join(" ")
}

pub fn stage(
    kind: StageKind,
    toolchain: Toolchain,
    folder: &str,
    command: impl Into<String>,
) -> PlannedStage {
    PlannedStage { kind, command: command.into(), folder: folder.to_owned(), toolchain }
}
