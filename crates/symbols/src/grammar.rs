//! The grammars and the tree query of each. A grammar is prepared on first use.

use std::sync::OnceLock;

use tree_sitter::{Language as TreeLanguage, Query};

use crate::{Language, SymbolKind};

/// The meaning of a query capture for its node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureRole {
    Defines(SymbolKind),
    /// The name of the definition.
    Name,
    /// The name of the definition's container, if that is not the enclosing node.
    Container,
    /// A name that is not a use at its position, such as that of an enum case.
    Own,
    /// A use of a name.
    Reference,
    /// A use of a name after a dot: that of a method or of a module's item.
    Member,
    /// A word that may be a use or a local name; it counts if it is spelled like a type or a constant.
    Value,
    /// A capture that only the query itself uses.
    Nothing,
}

pub struct Grammar {
    pub language: TreeLanguage,
    pub query: Query,
    /// The role of each capture, by capture index.
    pub roles: Vec<CaptureRole>,
}

impl Grammar {
    /// Returns `None` for a language without a grammar.
    pub fn of(language: Language) -> Option<&'static Self> {
        static READY: [OnceLock<Option<Grammar>>; 10] = [const { OnceLock::new() }; 10];
        let ready = READY.get(language as usize)?;
        ready.get_or_init(|| Self::prepare(language)).as_ref()
    }

    fn prepare(language: Language) -> Option<Self> {
        let (function, question) = match language {
            Language::Rust => (tree_sitter_rust::LANGUAGE, include_str!("queries/rust.scm")),
            Language::Python => (tree_sitter_python::LANGUAGE, include_str!("queries/python.scm")),
            Language::TypeScript => (tree_sitter_typescript::LANGUAGE_TYPESCRIPT, TYPESCRIPT),
            Language::Tsx => (tree_sitter_typescript::LANGUAGE_TSX, TYPESCRIPT),
            Language::JavaScript => (tree_sitter_javascript::LANGUAGE, JAVASCRIPT),
            Language::Go => (tree_sitter_go::LANGUAGE, include_str!("queries/go.scm")),
            Language::Java => (tree_sitter_java::LANGUAGE, include_str!("queries/java.scm")),
            Language::C => (tree_sitter_c::LANGUAGE, include_str!("queries/c.scm")),
            Language::Cpp => (tree_sitter_cpp::LANGUAGE, CPP),
            Language::Bash => (tree_sitter_bash::LANGUAGE, include_str!("queries/bash.scm")),
            Language::Text => return None,
        };
        let language = TreeLanguage::new(function);
        let query = Query::new(&language, question).ok()?;
        let roles = query.capture_names().iter().map(|name| role(name)).collect();
        Some(Self { language, query, roles })
    }
}

const TYPESCRIPT: &str = concat!(include_str!("queries/script.scm"), include_str!("queries/typescript.scm"));
const JAVASCRIPT: &str = concat!(include_str!("queries/script.scm"), include_str!("queries/javascript.scm"));
const CPP: &str = concat!(include_str!("queries/c.scm"), include_str!("queries/cpp.scm"));

fn role(capture: &str) -> CaptureRole {
    match capture {
        "name" => CaptureRole::Name,
        "container" => CaptureRole::Container,
        "own" => CaptureRole::Own,
        "reference" => CaptureRole::Reference,
        "member" => CaptureRole::Member,
        "value" => CaptureRole::Value,
        "function" => CaptureRole::Defines(SymbolKind::Function),
        "method" => CaptureRole::Defines(SymbolKind::Method),
        "class" => CaptureRole::Defines(SymbolKind::Class),
        "struct" => CaptureRole::Defines(SymbolKind::Struct),
        "enum" => CaptureRole::Defines(SymbolKind::Enum),
        "trait" => CaptureRole::Defines(SymbolKind::Trait),
        "interface" => CaptureRole::Defines(SymbolKind::Interface),
        "type" => CaptureRole::Defines(SymbolKind::Type),
        "constant" => CaptureRole::Defines(SymbolKind::Constant),
        "variable" => CaptureRole::Defines(SymbolKind::Variable),
        "module" => CaptureRole::Defines(SymbolKind::Module),
        "macro" => CaptureRole::Defines(SymbolKind::Macro),
        "implementation" => CaptureRole::Defines(SymbolKind::Implementation),
        "test" => CaptureRole::Defines(SymbolKind::Test),
        _ => CaptureRole::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WITH_GRAMMAR: [Language; 10] = [
        Language::Rust,
        Language::Python,
        Language::TypeScript,
        Language::Tsx,
        Language::JavaScript,
        Language::Go,
        Language::Java,
        Language::C,
        Language::Cpp,
        Language::Bash,
    ];

    #[test]
    fn every_language_has_a_grammar_that_understands_its_question() {
        for language in WITH_GRAMMAR {
            let grammar = Grammar::of(language).unwrap_or_else(|| panic!("{language:?}"));
            let unknown =
                grammar.query.capture_names().iter().filter(|name| role(name) == CaptureRole::Nothing);
            assert!(
                unknown.clone().all(|name| *name == "callee"),
                "{language:?}: {:?}",
                unknown.collect::<Vec<_>>()
            );
        }
        assert!(Grammar::of(Language::Text).is_none());
    }
}
