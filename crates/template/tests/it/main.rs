//! Templates in the style of many families: the syntax learned from each, and replies parsed with it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cut;
mod families;
mod fences;
mod reading;
mod replies;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dialect::ReplyPart;

use self::families::Family;
use self::reading::Reader;
use self::replies::{Reply, replies};

/// Lists every reply of every family that is parsed wrongly, with the expected result.
fn differences(read: impl Fn(&Reader, &Reply) -> Vec<Vec<ReplyPart>>) -> String {
    let mut differences = String::new();
    let mut clean: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for family in Family::all() {
        let reader = Reader::of(&family);
        for reply in replies(&family) {
            let count = clean.entry(family.name).or_default();
            count.1 += 1;
            let all = read(&reader, &reply);
            let wrong = all.into_iter().map(Reader::result).find(|result| *result != reply.expected);
            match wrong {
                None => count.0 += 1,
                Some(result) => {
                    writeln!(
                        differences,
                        "{}: {}\n{}\nexpected: {:?}\n     got: {result:?}\n",
                        family.name, reply.name, reply.text, reply.expected
                    )
                    .unwrap();
                }
            }
        }
    }
    if !differences.is_empty() {
        write!(differences, "{clean:?}").unwrap();
    }
    differences
}

#[test]
fn replies_of_every_family_become_their_parts() {
    let differences = differences(|reader, reply| vec![reader.read(reply, usize::MAX)]);
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn cuts_change_nothing_in_any_family() {
    let differences = differences(|reader, reply| {
        let whole = reader.read(reply, usize::MAX);
        let cut = [1, 2, 3, 7].map(|length| reader.read(reply, length));
        for pieces in &cut {
            assert_eq!(*pieces, whole, "{}: {}", reply.name, reply.text);
        }
        let once = (0..reply.text.len()).map(|at| reader.read_cut_at(reply, at));
        once.collect()
    });
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn what_ends_a_turn_changes_nothing() {
    let differences = differences(|reader, reply| vec![reader.read_with_end(reply)]);
    assert!(differences.is_empty(), "{differences}");
}
