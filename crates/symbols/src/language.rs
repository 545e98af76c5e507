//! Detects the language of a file by its name, or by its beginning if the name does not tell.

use serde::{Deserialize, Serialize};

/// The number of bytes of a header that are examined to tell C++ from C.
const SAMPLE: usize = 16 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    Rust,
    Python,
    TypeScript,
    Tsx,
    JavaScript,
    Go,
    Java,
    C,
    Cpp,
    Bash,
    /// Everything else: prose, data, and languages without a grammar, which are read by line.
    Text,
}

impl Language {
    /// Detects the language of a file. `start` is its first line; more of it helps with C and C++ headers, and it may
    /// be the whole file.
    pub fn of(path: &str, start: &str) -> Self {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let by_name = match name {
            ".bashrc" | ".bash_aliases" | ".bash_login" | ".bash_logout" | ".bash_profile" | ".profile"
            | ".zshrc" | ".zshenv" | ".zprofile" | ".envrc" | "PKGBUILD" | "APKBUILD" => Some(Self::Bash),
            "SConstruct" | "SConscript" | "wscript" => Some(Self::Python),
            "Jakefile" => Some(Self::JavaScript),
            _ => None,
        };
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        by_name
            .or_else(|| Self::by_extension(extension?, start))
            .or_else(|| Self::by_shebang(start))
            .unwrap_or(Self::Text)
    }

    fn by_extension(extension: &str, start: &str) -> Option<Self> {
        // Only for C and C++ does the case of the extension distinguish languages.
        if extension == "C" || extension == "H" {
            return Some(Self::Cpp);
        }
        let language = match extension.to_ascii_lowercase().as_str() {
            "rs" => Self::Rust,
            "py" | "pyi" | "pyw" => Self::Python,
            // XML translation files have this extension too.
            "ts" if start.trim_start().starts_with('<') => return None,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "js" | "mjs" | "cjs" | "jsx" => Self::JavaScript,
            "go" => Self::Go,
            "java" => Self::Java,
            "h" if is_like_cpp(start) => Self::Cpp,
            "c" | "h" => Self::C,
            "cc" | "cpp" | "cxx" | "c++" | "cu" | "hh" | "hpp" | "hxx" | "h++" | "cuh" | "inl" | "ino"
            | "ipp" | "ixx" | "cppm" | "tpp" => Self::Cpp,
            "sh" | "bash" | "ksh" | "zsh" => Self::Bash,
            _ => return None,
        };
        Some(language)
    }

    fn by_shebang(start: &str) -> Option<Self> {
        let line = start.lines().next()?.strip_prefix("#!")?;
        let mut words = line.split_ascii_whitespace();
        let program = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
        let mut name = program(words.next()?);
        if name == "env" {
            // Options and environment variables precede the program.
            name = program(words.find(|word| !word.starts_with('-') && !word.contains('='))?);
        }
        match name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            "sh" | "bash" | "dash" | "ash" | "ksh" | "zsh" => Some(Self::Bash),
            "python" | "pypy" => Some(Self::Python),
            "node" | "nodejs" | "bun" => Some(Self::JavaScript),
            "deno" | "ts-node" | "tsx" => Some(Self::TypeScript),
            "rust-script" => Some(Self::Rust),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::Python => "Python",
            Self::TypeScript => "TypeScript",
            Self::Tsx => "TSX",
            Self::JavaScript => "JavaScript",
            Self::Go => "Go",
            Self::Java => "Java",
            Self::C => "C",
            Self::Cpp => "C++",
            Self::Bash => "Bash",
            Self::Text => "text",
        }
    }

    /// Groups languages whose files can refer to each other's definitions.
    pub(crate) fn family(self) -> Self {
        match self {
            Self::Tsx | Self::JavaScript => Self::TypeScript,
            Self::Cpp => Self::C,
            other => other,
        }
    }
}

/// Returns true if a header contains something that is not C.
fn is_like_cpp(start: &str) -> bool {
    let end = start.floor_char_boundary(SAMPLE);
    let lines = start[..end].lines().map(str::trim_start);
    let mut code = lines.filter(|line| !line.starts_with("//") && !line.starts_with('*'));
    // `extern "C"` and its guard do not count: C headers contain them for the sake of C++.
    code.any(|line| {
        let begins = ["class ", "namespace ", "template ", "template<", "using ", "constexpr ", "friend "];
        let begins = begins.iter().any(|word| line.starts_with(word));
        let access = ["public:", "private:", "protected:"].iter().any(|word| line.starts_with(word));
        begins || access || line.contains("std::") || line.contains("virtual ")
    })
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod tests;
