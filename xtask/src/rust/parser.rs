//! Reads one file: its modules with their imports, their definitions, and the paths in their code.

use std::collections::BTreeSet;

use super::tokens::{RustToken, TokenKind};

/// A module: a whole file, or an inline module of one.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Module<'a> {
    pub imports: Vec<Import<'a>>,
    pub definitions: Vec<ItemDefinition<'a>>,
    /// The modules that it declares.
    pub children: Vec<ModuleDeclaration<'a>>,
    /// The paths in its code with more than one segment.
    pub paths: Vec<Vec<&'a str>>,
    /// The words in its code outside of imports, except those after a dot.
    pub words: BTreeSet<&'a str>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct ModuleDeclaration<'a> {
    pub name: &'a str,
    /// The file named by `#[path]`, if any.
    pub file: Option<&'a str>,
    /// Its content, if it is inline.
    pub inline: Option<Module<'a>>,
}

/// One name of a `use` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import<'a> {
    pub path: Vec<&'a str>,
    /// The local name, or `*` for all names.
    pub name: &'a str,
    /// True for `pub use` with any visibility.
    pub passed_on: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemDefinition<'a> {
    pub name: &'a str,
    /// The keyword: `struct`, `enum`, `trait`, `fn` and so on.
    pub keyword: &'a str,
    /// True with any visibility beyond its module.
    pub public: bool,
    pub line: usize,
}

impl ItemDefinition<'_> {
    pub fn is_type(&self) -> bool {
        matches!(self.keyword, "struct" | "enum" | "union" | "trait" | "type")
    }
}

const ITEMS: [&str; 9] = ["struct", "enum", "union", "trait", "type", "fn", "const", "static", "macro_rules"];

/// The keywords with which an item may begin.
const OPENINGS: [&str; 8] = ["pub", "mod", "use", "impl", "async", "unsafe", "extern", "let"];

/// Reads the tokens of a file. Items under `#[cfg(test)]` are left out.
pub fn module<'a>(tokens: &[RustToken<'a>]) -> Module<'a> {
    let code: Vec<RustToken<'a>> = tokens.iter().copied().filter(|token| !token.is_comment()).collect();
    let mut reader = Reader { code: &code, at: 0 };
    reader.module()
}

struct Reader<'a, 'code> {
    code: &'code [RustToken<'a>],
    at: usize,
}

impl<'a> Reader<'a, '_> {
    /// Reads to the end of the code or of the block.
    fn module(&mut self) -> Module<'a> {
        let mut module = Module::default();
        let mut depth = 0_usize;
        let mut file = None;
        while let Some(token) = self.peek(0) {
            match (token.kind, token.text) {
                (TokenKind::Word, "use") if !self.is(1, "<") && !self.is_member() => {
                    let passed_on = self.is_public();
                    self.at += 1;
                    self.import(&mut Vec::new(), passed_on, &mut module.imports);
                }
                (TokenKind::Word, "mod") if depth == 0 && self.peek(1).is_some_and(|next| next.is_word()) => {
                    self.child(file.take(), &mut module);
                }
                (TokenKind::Word, _) => {
                    if depth == 0 {
                        module.definitions.extend(self.definition());
                    }
                    self.mention(&mut module);
                }
                (TokenKind::Mark, "#") => match self.attribute() {
                    Attribute::Test => self.skip_item(),
                    Attribute::Path(path) => file = Some(path),
                    Attribute::Other => {}
                },
                (TokenKind::Mark, "}") if depth == 0 => break,
                (kind, text) => {
                    match text {
                        "{" if kind == TokenKind::Mark => depth += 1,
                        "}" if kind == TokenKind::Mark => depth -= 1,
                        _ => {}
                    }
                    self.at += 1;
                }
            }
        }
        module
    }

    fn child(&mut self, file: Option<&'a str>, module: &mut Module<'a>) {
        let Some(name) = self.peek(1).map(|name| name.text) else { return };
        self.at += 2;
        let mut inline = None;
        if self.is(0, "{") {
            self.at += 1;
            inline = Some(self.module());
        }
        self.at += 1;
        module.children.push(ModuleDeclaration { name, file, inline });
    }

    /// Reads a tree of names after `use` up to the semicolon, comma or brace that ends it.
    fn import(&mut self, prefix: &mut Vec<&'a str>, passed_on: bool, imports: &mut Vec<Import<'a>>) {
        let start = prefix.len();
        let mut name = None;
        while let Some(token) = self.peek(0) {
            self.at += 1;
            match token.text {
                // `use ::a` names another crate, even if there is a module `a`.
                "::" if prefix.is_empty() => prefix.push(""),
                "::" => {}
                "{" => {
                    while self.peek(0).is_some_and(|next| !next.is("}") && !next.is(";")) {
                        self.import(prefix, passed_on, imports);
                        if self.is(0, ",") {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    prefix.truncate(start);
                    return;
                }
                "as" => {
                    name = self.peek(0).map(|token| token.text);
                    self.at += 1;
                }
                ";" | "," | "}" => {
                    self.at -= 1;
                    break;
                }
                "*" => name = Some("*"),
                text => prefix.push(text),
            }
        }
        let mut path = prefix.clone();
        // `a::{self}` names `a`.
        if path.len() > 1 && path.last() == Some(&"self") {
            path.pop();
        }
        if let Some(name) = name.or_else(|| path.last().copied()) {
            imports.push(Import { path, name, passed_on });
        }
        prefix.truncate(start);
    }

    /// Reads the definition at this position, if there is one, without moving on.
    fn definition(&self) -> Option<ItemDefinition<'a>> {
        let token = self.peek(0).filter(|token| ITEMS.contains(&token.text))?;
        let skipped = usize::from(self.is(1, "!"));
        let is_name = |name: &RustToken<'_>| {
            name.is_word() && !ITEMS.contains(&name.text) && !OPENINGS.contains(&name.text)
        };
        let name = self.peek(1 + skipped).filter(is_name)?;
        let public = self.is_public();
        Some(ItemDefinition { name: name.text, keyword: token.text, public, line: token.line })
    }

    /// Reads a word, and the path that begins with it.
    fn mention(&mut self, module: &mut Module<'a>) {
        let Some(first) = self.peek(0).map(|token| token.text) else { return };
        let is_member = self.is_member();
        self.at += 1;
        if is_member {
            return;
        }
        module.words.insert(first);
        if !self.is(0, "::") {
            return;
        }
        let mut path = vec![first];
        while self.is(0, "::")
            && let Some(next) = self.peek(1).filter(RustToken::is_word)
        {
            path.push(next.text);
            self.at += 2;
        }
        module.paths.push(path);
    }

    fn attribute(&mut self) -> Attribute<'a> {
        self.at += 1;
        if self.is(0, "!") {
            self.at += 1;
        }
        let start = self.at;
        self.skip_group();
        let inside = self.code.get(start..self.at).unwrap_or_default();
        if !inside.get(1).is_some_and(|name| name.is("cfg") || name.is("path")) {
            return Attribute::Other;
        }
        let words: Vec<&str> = inside.iter().map(|token| token.text).collect();
        match words.as_slice() {
            ["[", "cfg", "(", "test", ")", "]"] | ["[", "cfg", "(", "all", "(", "test", ..] => {
                Attribute::Test
            }
            ["[", "path", "=", file, "]"] => Attribute::Path(file.trim_matches('"')),
            _ => Attribute::Other,
        }
    }

    /// Skips the group that opens here.
    fn skip_group(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek(0) {
            self.at += 1;
            match token.text {
                "(" | "[" | "{" if token.kind == TokenKind::Mark => depth += 1,
                ")" | "]" | "}" if token.kind == TokenKind::Mark => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips an item with its other attributes, or a field, a variant or an arm of a `match`.
    fn skip_item(&mut self) {
        while self.is(0, "#") {
            self.attribute();
        }
        let begins_item =
            self.peek(0).is_some_and(|token| ITEMS.contains(&token.text) || OPENINGS.contains(&token.text));
        while let Some(token) = self.peek(0) {
            match token.text {
                ";" => {
                    self.at += 1;
                    return;
                }
                "," if !begins_item => {
                    self.at += 1;
                    return;
                }
                "{" => return self.skip_group(),
                "(" | "[" if token.kind == TokenKind::Mark => self.skip_group(),
                "}" => return,
                _ => self.at += 1,
            }
        }
    }

    /// Returns true if the item here is visible beyond its module.
    fn is_public(&self) -> bool {
        let mut before = self.code.get(..self.at).unwrap_or_default().iter().rev();
        while let Some(token) = before.next() {
            match token.text {
                "pub" => return true,
                // `pub(in a::b)`
                ")" => drop(before.by_ref().take_while(|token| !token.is("(")).count()),
                // `pub const unsafe extern "C" fn`
                "unsafe" | "async" | "const" | "extern" | "auto" => {}
                _ if token.kind == TokenKind::Literal => {}
                _ => return false,
            }
        }
        false
    }

    /// Returns true if this word follows a dot, or belongs to a path that began before it.
    fn is_member(&self) -> bool {
        let before = |count| self.at.checked_sub(count).and_then(|at| self.code.get(at));
        let is = |count, text| before(count).is_some_and(|token| token.is(text));
        is(1, "::") || is(1, ".") && !is(2, ".")
    }

    fn peek(&self, ahead: usize) -> Option<RustToken<'a>> {
        self.code.get(self.at + ahead).copied()
    }

    fn is(&self, ahead: usize, text: &str) -> bool {
        self.peek(ahead).is_some_and(|token| token.is(text))
    }
}

enum Attribute<'a> {
    /// The item is compiled for tests only.
    Test,
    Path(&'a str),
    Other,
}

#[cfg(test)]
#[path = "parser_tests.rs"]
mod tests;
