//! Runs the tables of cases and checks that they have enough of them.

mod alignment;
mod ambiguity;
mod blanks;
mod case_of_letters;
mod code;
mod endings;
mod everywhere;
mod exact;
mod indentation;
mod refusals;
mod trailing;
mod typography;

use std::collections::HashSet;

use crate::case::Case;

const TABLES: [&[Case]; 12] = [
    exact::CASES,
    endings::CASES,
    trailing::CASES,
    indentation::CASES,
    typography::CASES,
    blanks::CASES,
    alignment::CASES,
    case_of_letters::CASES,
    ambiguity::CASES,
    refusals::CASES,
    everywhere::CASES,
    code::CASES,
];

pub fn cases() -> impl Iterator<Item = &'static Case> {
    TABLES.into_iter().flatten()
}

#[test]
fn what_was_meant_is_done_and_nothing_else() {
    cases().for_each(Case::check);
}

#[test]
fn the_tables_hold_hundreds_of_cases_and_none_twice() {
    let asked: HashSet<_> =
        cases().map(|case| (case.content, case.old, case.new, case.replace_all)).collect();
    assert_eq!(asked.len(), cases().count(), "a case stands twice");
    assert!(asked.len() >= 300, "only {} cases", asked.len());
}
