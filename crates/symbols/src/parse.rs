//! Parses a text with the grammar of its language and collects the query matches in text order.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use memchr::memchr_iter;
use tree_sitter::{Node, QueryCursor, QueryCursorOptions, QueryMatch, StreamingIterator, Tree};

use crate::bounded::{STEPS, Work, parse};
use crate::grammar::{Grammar, Role};
use crate::outline::{MOST_DEFINITIONS, MOST_REFERENCES};
use crate::{Definition, Kind, Language, Outline, Reference, names, signature};

/// The maximum number of unfinished query matches; real texts have fewer.
const MOST_OPEN_MATCHES: u32 = 4_096;
/// The maximum number of matches; more names are not kept anyway.
const MOST_NAMES: usize = 400_000;

/// Returns `None` if there is no grammar or the text takes too much work.
pub fn read(language: Language, text: &str) -> Option<Outline> {
    let grammar = Grammar::of(language)?;
    let work = Work::for_text(text);
    let tree = parse(grammar, text, &work)?;
    let mut found = find(grammar, &tree, text, &work)?;
    Some(Outline { definitions: found.definitions(language, text), references: found.references(text) })
}

/// The matches of the query, in the order found.
#[derive(Default)]
struct Found<'tree> {
    defined: Vec<Defined<'tree>>,
    named: Vec<Used>,
    /// The positions of names that are not uses.
    own: Vec<usize>,
}

/// A use of a name.
#[derive(Clone)]
pub struct Used {
    pub range: Range<usize>,
    pub member: bool,
}

struct Defined<'tree> {
    node: Node<'tree>,
    kind: Kind,
    name: Range<usize>,
    container: Option<Range<usize>>,
    /// The index of the query pattern; the lowest that matches determines the kind.
    part: usize,
}

/// A definition that may contain others.
struct Open<'tree> {
    node: Node<'tree>,
    name: Box<str>,
    kind: Kind,
}

impl Open<'_> {
    fn holds(&self, one: &Defined<'_>) -> bool {
        self.node != one.node && one.node.end_byte() <= self.node.end_byte()
    }
}

fn find<'tree>(grammar: &Grammar, tree: &'tree Tree, text: &str, work: &Work) -> Option<Found<'tree>> {
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(MOST_OPEN_MATCHES);
    let mut progress = |_: &_| work.take(STEPS);
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
    (!work.is_used_up()).then_some(found)
}

impl<'tree> Found<'tree> {
    fn take(&mut self, grammar: &Grammar, one: &QueryMatch<'_, 'tree>, text: &str) {
        let (mut defined, mut name, mut container) = (None, None, None);
        for capture in one.captures() {
            let node = capture.node;
            let range = node.byte_range();
            match grammar.roles.get(capture.index as usize) {
                Some(Role::Defines(kind)) => defined = Some((node, *kind)),
                Some(Role::Name) => name = Some(range),
                Some(Role::Container) => container = Some(range),
                Some(Role::Own) => self.own.push(range.start),
                Some(Role::Member) => self.named.push(Used { range, member: true }),
                Some(Role::Reference) => self.named.push(Used { range, member: false }),
                Some(Role::Value) if text.get(range.clone()).is_some_and(names::is_spelled_large) => {
                    self.named.push(Used { range, member: false });
                }
                Some(Role::Value | Role::Nothing) | None => {}
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
            if is_local && matches!(kind, Kind::Variable | Kind::Constant) {
                continue;
            }
            let belongs = one.container.clone().and_then(|range| text.get(range));
            let belongs = belongs.map(|name| name.split('<').next().unwrap_or(name).into());
            let container = belongs.or_else(|| outside.map(|open| open.name.clone()));
            let (signature, lines) = signature::of(one.node, &one.name, text);
            // Importing a module does not define it.
            if matches!(kind, Kind::Variable | Kind::Constant) && signature.contains("= require(") {
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
        gather(text, used.filter(|used| text.get(used.range.clone()).is_some_and(names::is_worth_keeping)))
    }
}

/// Merges uses of the same name and sorts them by name. The uses must come in text order.
pub fn gather(text: &str, named: impl Iterator<Item = Used>) -> Vec<Reference> {
    let mut by_name: HashMap<&str, Reference> = HashMap::new();
    let (mut line, mut counted_to) = (1_u32, 0);
    for Used { range, member } in named {
        let between = text.as_bytes().get(counted_to..range.start).unwrap_or_default();
        let lines = memchr_iter(b'\n', between).count();
        line = line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        counted_to = range.start;
        let Some(name) = text.get(range) else { continue };
        if let Some(known) = by_name.get_mut(name) {
            known.count = known.count.saturating_add(1);
            known.member &= member;
        } else if by_name.len() < MOST_REFERENCES {
            by_name.insert(name, Reference { name: name.into(), line, count: 1, member });
        }
    }
    let mut references: Vec<Reference> = by_name.into_values().collect();
    references.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    references
}

/// Returns a name without quotes. Overlong names are rejected, except for tests, whose names may be sentences and are
/// put on one line and shortened.
fn tidy(name: &str, kind: Kind) -> Option<Box<str>> {
    let name = name.trim_matches(['"', '\'']);
    if kind == Kind::Test {
        return Some(signature::in_one_line(name, names::MOST_BYTES));
    }
    let is_name = !name.is_empty() && name.len() <= names::MOST_BYTES && !name.contains(char::is_control);
    is_name.then(|| name.into())
}

/// Returns the kind of a definition, given its container and its language's markers.
fn kind_of(one: &Defined<'_>, outside: Option<Kind>, language: Language, text: &str) -> Kind {
    let name = text.get(one.name.clone()).unwrap_or_default();
    match one.kind {
        Kind::Function | Kind::Method if signature::is_test(language, name, one.node, text) => Kind::Test,
        Kind::Function if outside.is_some_and(Kind::has_methods) => Kind::Method,
        Kind::Variable if language == Language::Python && !name.contains(char::is_lowercase) => {
            Kind::Constant
        }
        kind => kind,
    }
}
