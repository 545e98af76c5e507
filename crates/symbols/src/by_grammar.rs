//! Parses a text with the grammar of its language and collects the query matches in text order.

use std::cmp::Reverse;
use std::ops::Range;

use tree_sitter::{Node, QueryCursor, QueryCursorOptions, QueryMatch, StreamingIterator, Tree};

use crate::bounded::{ParseBudget, STEPS, parse};
use crate::grammar::{CaptureRole, Grammar};
use crate::outline::{Definition, MOST_DEFINITIONS, Reference, SourceOutline, SymbolKind};
use crate::references::{NameUse, merge_uses};
use crate::{Language, names, signature};

/// The maximum number of unfinished query matches; real texts have fewer.
const MOST_OPEN_MATCHES: u32 = 4_096;
/// The maximum number of matches; more names are not kept anyway.
const MOST_NAMES: usize = 400_000;

/// Returns `None` if there is no grammar or the text takes too much work.
pub fn read(language: Language, text: &str) -> Option<SourceOutline> {
    let grammar = Grammar::of(language)?;
    let budget = ParseBudget::for_text(text);
    let tree = parse(grammar, text, &budget)?;
    let mut found = find(grammar, &tree, text, &budget)?;
    Some(SourceOutline { definitions: found.definitions(language, text), references: found.references(text) })
}

/// The matches of the query, in the order found.
#[derive(Default)]
struct Found<'tree> {
    defined: Vec<Defined<'tree>>,
    named: Vec<NameUse>,
    /// The positions of names that are not uses.
    own: Vec<usize>,
}

struct Defined<'tree> {
    node: Node<'tree>,
    kind: SymbolKind,
    name: Range<usize>,
    container: Option<Range<usize>>,
    /// The index of the query pattern; the lowest that matches determines the kind.
    part: usize,
}

/// A definition that may contain others.
struct Open<'tree> {
    node: Node<'tree>,
    name: Box<str>,
    kind: SymbolKind,
}

impl Open<'_> {
    fn holds(&self, one: &Defined<'_>) -> bool {
        self.node != one.node && one.node.end_byte() <= self.node.end_byte()
    }
}

fn find<'tree>(
    grammar: &Grammar,
    tree: &'tree Tree,
    text: &str,
    budget: &ParseBudget,
) -> Option<Found<'tree>> {
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(MOST_OPEN_MATCHES);
    let mut progress = |_: &_| budget.spend(STEPS);
    let options = QueryCursorOptions::new().progress_callback(&mut progress);
    let mut matches = cursor.matches_with_options(&grammar.query, tree.root_node(), text.as_bytes(), options);
    let mut found = Found::default();
    while let Some(one) = matches.next() {
        found.take(grammar, one, text);
        if found.defined.len() + found.named.len() > MOST_NAMES {
            break;
        }
    }
    drop(matches);
    (!budget.is_used_up()).then_some(found)
}

impl<'tree> Found<'tree> {
    fn take(&mut self, grammar: &Grammar, one: &QueryMatch<'_, 'tree>, text: &str) {
        let (mut defined, mut name, mut container) = (None, None, None);
        for capture in one.captures() {
            let node = capture.node;
            let range = node.byte_range();
            match grammar.roles.get(capture.index as usize) {
                Some(CaptureRole::Defines(kind)) => defined = Some((node, *kind)),
                Some(CaptureRole::Name) => name = Some(range),
                Some(CaptureRole::Container) => container = Some(range),
                Some(CaptureRole::Own) => self.own.push(range.start),
                Some(CaptureRole::Member) => self.named.push(NameUse { range, member: true }),
                Some(CaptureRole::Reference) => self.named.push(NameUse { range, member: false }),
                Some(CaptureRole::Value) if text.get(range.clone()).is_some_and(names::is_spelled_large) => {
                    self.named.push(NameUse { range, member: false });
                }
                Some(CaptureRole::Value | CaptureRole::Nothing) | None => {}
            }
        }
        if let (Some((node, kind)), Some(name)) = (defined, name) {
            self.defined.push(Defined { node, kind, name, container, part: one.pattern_index });
        }
    }

    fn definitions(&mut self, language: Language, text: &str) -> Vec<Definition> {
        self.defined.sort_by_key(|one| (one.name.start, one.part));
        self.defined.dedup_by_key(|one| one.name.start);
        self.defined.sort_by_key(|one| (one.node.start_byte(), Reverse(one.node.end_byte()), one.name.start));
        let mut definitions = Vec::new();
        // The definitions that are open around the next one.
        let mut around: Vec<Open<'_>> = Vec::new();
        for one in &self.defined {
            let Some(name) = text.get(one.name.clone()).and_then(|name| tidy(name, one.kind)) else {
                continue;
            };
            while around.pop_if(|open| !open.holds(one)).is_some() {}
            let outside = around.last();
            let kind = kind_of(one, outside.map(|open| open.kind), language, text);
            let is_local = outside.is_some_and(|open| open.kind.hides_its_inside());
            if is_local && matches!(kind, SymbolKind::Variable | SymbolKind::Constant) {
                continue;
            }
            let belongs = one.container.clone().and_then(|range| text.get(range));
            let belongs = belongs.map(|name| name.split('<').next().unwrap_or(name).into());
            let container = belongs.or_else(|| outside.map(|open| open.name.clone()));
            let (signature, lines) = signature::of(one.node, &one.name, text);
            // Importing a module does not define it.
            if matches!(kind, SymbolKind::Variable | SymbolKind::Constant) && signature.contains("= require(")
            {
                continue;
            }
            // A definition whose name follows its body (`typedef struct { … } name`) is no container.
            if one.name.start < signature::body(one.node).unwrap_or(usize::MAX) {
                around.push(Open { node: one.node, name: name.clone(), kind });
            }
            definitions.push(Definition { name, kind, lines, signature, container });
            if definitions.len() == MOST_DEFINITIONS {
                break;
            }
        }
        definitions
    }

    fn references(&mut self, text: &str) -> Vec<Reference> {
        // A word may match several roles; the member role takes precedence.
        self.named.sort_unstable_by_key(|used| (used.range.start, !used.member));
        self.named.dedup_by_key(|used| used.range.start);
        self.own.extend(self.defined.iter().map(|one| one.name.start));
        self.own.sort_unstable();
        let used = self.named.drain(..).filter(|used| self.own.binary_search(&used.range.start).is_err());
        merge_uses(
            text,
            used.filter(|used| text.get(used.range.clone()).is_some_and(names::is_worth_keeping)),
        )
    }
}

/// Returns a name without quotes. Overlong names are rejected, except for tests, whose names may be sentences and are
/// put on one line and shortened.
fn tidy(name: &str, kind: SymbolKind) -> Option<Box<str>> {
    let name = name.trim_matches(['"', '\'']);
    if kind == SymbolKind::Test {
        return Some(signature::in_one_line(name, names::MOST_BYTES));
    }
    let is_name = !name.is_empty() && name.len() <= names::MOST_BYTES && !name.contains(char::is_control);
    is_name.then(|| name.into())
}

/// Returns the kind of a definition, given its container and its language's markers.
fn kind_of(one: &Defined<'_>, outside: Option<SymbolKind>, language: Language, text: &str) -> SymbolKind {
    let name = text.get(one.name.clone()).unwrap_or_default();
    match one.kind {
        SymbolKind::Function | SymbolKind::Method if signature::is_test(language, name, one.node, text) => {
            SymbolKind::Test
        }
        SymbolKind::Function if outside.is_some_and(SymbolKind::has_methods) => SymbolKind::Method,
        SymbolKind::Variable if language == Language::Python && !name.contains(char::is_lowercase) => {
            SymbolKind::Constant
        }
        kind => kind,
    }
}
