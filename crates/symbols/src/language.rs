//! Which language a file is written in, by its name, and where that does not tell, by how it begins.

use serde::{Deserialize, Serialize};

/// So much of a header is looked at to tell C++ from C.
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
    /// Everything else: prose, data, and languages that are read by their lines.
    Text,
}

impl Language {
    /// The language of a file. `start` is its first line; more of it helps with C and C++ headers, and may be the whole.
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
        // In C and C++ alone, a capital letter tells them apart.
        if extension == "C" || extension == "H" {
            return Some(Self::Cpp);
        }
        let language = match extension.to_ascii_lowercase().as_str() {
            "rs" => Self::Rust,
            "py" | "pyi" | "pyw" => Self::Python,
            // Files of translations have this ending too.
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
            // Options and settings stand before the program.
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

    /// Languages whose texts name each other's things.
    pub(crate) fn family(self) -> Self {
        match self {
            Self::Tsx | Self::JavaScript => Self::TypeScript,
            Self::Cpp => Self::C,
            other => other,
        }
    }
}

/// Whether a header says something that is not C.
fn is_like_cpp(start: &str) -> bool {
    let end = start.floor_char_boundary(SAMPLE);
    let lines = start[..end].lines().map(str::trim_start);
    let mut code = lines.filter(|line| !line.starts_with("//") && !line.starts_with('*'));
    // `extern "C"` and what it is wrapped in stand in headers of C, for the sake of C++.
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
