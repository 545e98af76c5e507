//! A test case: one edit of one text and its expected result.

use edits::{Edit, EditRefusal, RefusalReason, Strategy, apply, digest};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Case {
    pub content: &'static str,
    pub old: &'static str,
    pub new: &'static str,
    pub replace_all: bool,
    pub expected: Expected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Expected {
    Done(Found, &'static str),
    Refused(No),
}

/// The expected matching strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Found {
    Exactly,
    Trailing,
    Indented,
    Folded,
    Blanks,
    Aligned,
    AnyCase,
    Whole,
}

/// The expected reason of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(clippy::enum_variant_names, reason = "as the crate has them")]
pub enum No {
    NothingQuoted,
    NoChange,
    NotFound,
    Ambiguous,
    Torn,
    Unclear,
}

pub const fn done(
    content: &'static str,
    old: &'static str,
    new: &'static str,
    found: Found,
    text: &'static str,
) -> Case {
    Case { content, old, new, replace_all: false, expected: Expected::Done(found, text) }
}

pub const fn refused(content: &'static str, old: &'static str, new: &'static str, why: No) -> Case {
    Case { content, old, new, replace_all: false, expected: Expected::Refused(why) }
}

/// Returns the same case with `replace_all`.
pub const fn everywhere(case: Case) -> Case {
    Case { replace_all: true, ..case }
}

impl Case {
    pub fn check(&self) {
        let edit = Edit { old: self.old.to_owned(), new: self.new.to_owned(), replace_all: self.replace_all };
        let done = apply(self.content, &edit);
        let outcome = match &done {
            Ok(applied) => format!("{:?}: {:?}", found(applied.receipt.strategy), applied.content),
            Err(refusal) => format!("{:?}", no(refusal)),
        };
        let expected = match self.expected {
            Expected::Done(found, text) => format!("{found:?}: {text:?}"),
            Expected::Refused(why) => format!("{why:?}"),
        };
        let Self { content, old, new, replace_all, .. } = self;
        assert_eq!(outcome, expected, "\n{content:?}\n{old:?} ->\n{new:?} (all: {replace_all})");
        if let Ok(applied) = done {
            assert_eq!(applied.receipt.before, digest(self.content));
            assert_eq!(applied.receipt.after, digest(&applied.content));
        }
    }
}

fn found(strategy: Strategy) -> Found {
    match strategy {
        Strategy::Exact => Found::Exactly,
        Strategy::TrailingSpace => Found::Trailing,
        Strategy::Indentation => Found::Indented,
        Strategy::Unicode => Found::Folded,
        Strategy::Whitespace => Found::Blanks,
        Strategy::Alignment => Found::Aligned,
        Strategy::CaseInsensitive => Found::AnyCase,
        Strategy::Whole => Found::Whole,
    }
}

fn no(refusal: &EditRefusal) -> No {
    match &refusal.why {
        RefusalReason::NothingQuoted => No::NothingQuoted,
        RefusalReason::NoChange => No::NoChange,
        RefusalReason::NotFound => No::NotFound,
        RefusalReason::Ambiguous { .. } => No::Ambiguous,
        RefusalReason::Torn => No::Torn,
        RefusalReason::Unclear => No::Unclear,
        other => panic!("{other:?} is said of no single edit"),
    }
}
