use crate::case::Case;
use crate::cut::{parse, random_cuts};
use crate::random::Random;

/// Parses every case with the cuts that are made for it.
fn check(cuts: impl Fn(&str) -> Vec<Vec<usize>>) {
    let mut differences = String::new();
    for case in Case::all() {
        let differs = cuts(&case.reply).into_iter().find_map(|cuts| {
            let parsed = parse(&case.reply, &cuts, &case.vocabulary);
            case.difference(parsed, &format!("cut at {cuts:?}"))
        });
        differences.extend(differs);
    }
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn replies_become_their_parts() {
    assert!(Case::all().len() >= 250);
    check(|_| vec![vec![]]);
}

#[test]
fn a_cut_at_any_byte_changes_nothing() {
    check(|reply| (0..=reply.len()).map(|cut| vec![cut]).collect());
}

#[test]
fn one_byte_at_a_time_changes_nothing() {
    check(|reply| vec![(0..reply.len()).collect()]);
}

#[test]
fn many_cuts_at_random_change_nothing() {
    check(|reply| {
        let mut random = Random::new(reply.len() as u64);
        (0..200).map(|_| random_cuts(reply, &mut random)).collect()
    });
}
