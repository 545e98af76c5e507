use crate::case::Case;
use crate::cut::{parse, random_cuts};
use crate::random::Random;

/// Parses every case with the splits that `cuts` returns for its reply.
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

/// Splits at each byte, at all bytes, and 200 times at random.
#[test]
fn cuts_change_nothing() {
    check(|reply| {
        let bytes = 0..=reply.len();
        let mut random = Random::new(reply.len() as u64);
        let at_random = (0..200).map(|_| random_cuts(reply, &mut random));
        bytes.clone().map(|cut| vec![cut]).chain([bytes.collect()]).chain(at_random).collect()
    });
}
