use std::collections::HashSet;

use super::*;

/// A deterministic pseudo-random number generator.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 31)
    }

    #[allow(clippy::cast_precision_loss)]
    fn number(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }

    fn vector(&mut self, dimensions: usize) -> Vec<f32> {
        (0..dimensions).map(|_| self.number()).collect()
    }

    /// Returns a vector near another one.
    fn near(&mut self, vector: &[f32], noise: f32) -> Vec<f32> {
        vector.iter().map(|number| number + noise * self.number()).collect()
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// Returns the true nearest neighbours by comparing all vectors.
fn nearest(vectors: &[Vec<f32>], query: &[f32], count: usize) -> HashSet<u64> {
    let mut scored: Vec<_> = (0..).zip(vectors).map(|(key, vector)| (cosine(vector, query), key)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(count).map(|(_, key)| key).collect()
}

fn index(vectors: &[Vec<f32>]) -> Vectors {
    let mut index = Vectors::new(vectors[0].len());
    for (key, vector) in (0..).zip(vectors) {
        index.insert(key, vector).unwrap();
    }
    index
}

/// Returns themes with variations, as embeddings of texts have them.
fn themes(dice: &mut Dice, dimensions: usize, themes: usize, count: usize) -> Vec<Vec<f32>> {
    let themes: Vec<_> = (0..themes).map(|_| dice.vector(dimensions)).collect();
    (0..count).map(|at| dice.near(&themes[at % themes.len()], 0.7)).collect()
}

fn keys(found: &[(u64, f32)]) -> Vec<u64> {
    found.iter().map(|&(key, _)| key).collect()
}

#[test]
#[allow(clippy::cast_precision_loss)]
fn the_true_neighbours_are_found_whatever_the_length() {
    let mut dice = Dice(1);
    for (dimensions, count) in
        [(2, 50), (63, 900), (64, 900), (65, 3000), (256, 3000), (384, 6000), (1000, 700)]
    {
        let vectors = themes(&mut dice, dimensions, 40, count);
        let index = index(&vectors);
        let (mut found, mut all) = (0, 0);
        for at in 0..50 {
            let query = dice.near(&vectors[at * 7 % count], 0.5);
            let true_ones = nearest(&vectors, &query, 10);
            let got = index.search(&query, 10, |_| true);
            assert!(got.is_sorted_by(|a, b| a.1 >= b.1), "nearest first");
            for &(key, score) in &got {
                let exact = cosine(&vectors[usize::try_from(key).unwrap()], &query);
                assert!((score - exact).abs() < 1e-4, "{score} is not {exact}");
            }
            found += got.iter().filter(|(key, _)| true_ones.contains(key)).count();
            all += true_ones.len();
        }
        let recall = found as f64 / all as f64;
        assert!(recall >= 0.99, "{recall} of the true neighbours at {dimensions} numbers");
    }
}

#[test]
fn what_was_inserted_is_found_by_the_next_search_and_what_was_removed_by_none() {
    let mut dice = Dice(2);
    let mut index = Vectors::new(384);
    let mut here: Vec<(u64, Vec<f32>)> = Vec::new();
    for round in 0..600_u64 {
        let vector = dice.vector(384);
        let key = round * 31 % 997;
        index.insert(key, &vector).unwrap();
        here.retain(|(other, _)| *other != key);
        here.push((key, vector));
        if round % 3 == 2 {
            let place = usize::try_from(dice.next()).unwrap() % here.len();
            let (key, vector) = here.swap_remove(place);
            assert!(index.remove(key));
            assert!(!index.remove(key), "twice is once");
            assert!(!keys(&index.search(&vector, here.len() + 1, |_| true)).contains(&key));
        }
        let (key, vector) = &here[usize::try_from(round).unwrap() % here.len()];
        assert_eq!(keys(&index.search(vector, 1, |_| true)), [*key]);
        assert_eq!(index.len(), here.len());
    }
}

#[test]
fn a_key_has_one_vector_and_the_last_counts() {
    let mut index = Vectors::new(4);
    index.insert(7, &[1.0, 0.0, 0.0, 0.0]).unwrap();
    index.insert(7, &[0.0, 1.0, 0.0, 0.0]).unwrap();
    assert_eq!(index.len(), 1);
    let found = index.search(&[1.0, 0.0, 0.0, 0.0], 5, |_| true);
    assert_eq!((found[0].0, found.len()), (7, 1));
    assert!(found[0].1.abs() < 1e-6, "the one before is gone: {found:?}");
}

#[test]
fn nothing_is_left_of_what_was_removed() {
    let mut dice = Dice(3);
    let mut index = Vectors::new(128);
    let vectors: Vec<_> = (0..5).map(|_| dice.vector(128)).collect();
    for (key, vector) in (0..).zip(&vectors) {
        index.insert(key, vector).unwrap();
    }
    for key in [2, 4, 0, 3, 1] {
        let slot = index.slots[&key];
        assert!(index.rows.bytes(slot).iter().any(|&byte| byte != 0));
        index.remove(key);
        assert!(index.rows.bytes(slot).iter().all(|&byte| byte == 0), "{key}");
    }
    assert!(index.is_empty() && index.search(&vectors[0], 3, |_| true).is_empty());
}

#[test]
fn a_filter_finds_the_needle() {
    let mut dice = Dice(4);
    let vectors = themes(&mut dice, 64, 5, 4000);
    let index = index(&vectors);
    let query = dice.vector(64);
    for needle in [0, 17, 3999] {
        assert_eq!(keys(&index.search(&query, 10, |key| key == needle)), [needle]);
    }
    assert!(index.search(&query, 10, |_| false).is_empty());
    let even = index.search(&query, 200, |key| key % 2 == 0);
    assert_eq!(even.len(), 200);
    assert!(even.iter().all(|(key, _)| key % 2 == 0));
}

#[test]
fn what_is_no_vector_is_refused_and_changes_nothing() {
    let mut index = Vectors::new(3);
    index.insert(1, &[1.0, 2.0, 3.0]).unwrap();
    for (vector, error) in [
        (vec![], VectorError::Length { expected: 3, came: 0 }),
        (vec![1.0; 2], VectorError::Length { expected: 3, came: 2 }),
        (vec![1.0; 4], VectorError::Length { expected: 3, came: 4 }),
        (vec![f32::NAN; 3], VectorError::NotANumber),
        (vec![f32::INFINITY, 0.0, 0.0], VectorError::NotANumber),
    ] {
        assert_eq!(index.insert(1, &vector), Err(error));
        assert!(index.search(&vector, 1, |_| true).is_empty());
        assert!(index.scores(&vector).is_empty());
    }
    let good = encode(&[1.0, 2.0, 3.0]).unwrap();
    let endless = [&f32::INFINITY.to_le_bytes()[..], &good[4..]].concat();
    for bytes in [&good[..good.len() - 1], &good[..2], &[], &endless] {
        assert!(index.restore(2, bytes, None).is_err(), "{bytes:?}");
    }
    assert_eq!(keys(&index.search(&[1.0, 2.0, 3.0], 9, |_| true)), [1]);
}

#[test]
fn extremes_are_vectors_too() {
    let mut index = Vectors::new(3);
    index.insert(1, &[0.0, 0.0, 0.0]).unwrap();
    index.insert(2, &[f32::MAX, f32::MAX, 0.0]).unwrap();
    index.insert(3, &[f32::MIN_POSITIVE, 0.0, 0.0]).unwrap();
    index.insert(u64::MAX, &[-1e-30, 0.0, 0.0]).unwrap();
    let found = index.search(&[1.0, 1.0, 0.0], 9, |_| true);
    assert_eq!(keys(&found), [2, 3, 1, u64::MAX]);
    assert!((found[0].1 - 1.0).abs() < 1e-4 && found[2].1 == 0.0, "{found:?}");
    assert!(index.search(&[1.0, 1.0, 0.0], 0, |_| true).is_empty());
    assert_eq!(index.search(&[1.0, 1.0, 0.0], usize::MAX, |_| true).len(), 4);
    assert!(index.search(&[0.0; 3], 2, |_| true).iter().all(|(_, score)| *score == 0.0));
}

#[test]
fn all_scores_are_those_of_the_search() {
    let mut dice = Dice(5);
    let vectors = themes(&mut dice, 96, 9, 300);
    let index = index(&vectors);
    let query = dice.vector(96);
    let mut scores = index.scores(&query);
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    assert_eq!(scores, index.search(&query, 300, |_| true));
    assert_eq!(index.score(&query, scores[0].0), Some(scores[0].1));
    assert_eq!(index.score(&query, 999), None);
}

#[test]
fn a_kept_vector_comes_back_as_it_was() {
    let mut dice = Dice(6);
    for dimensions in [1, 3, 384] {
        let vector = dice.vector(dimensions);
        let code = encode(&vector).unwrap();
        let back = decode(&code);
        assert!(cosine(&vector, &back) > 0.999_999, "{dimensions}");
        assert_eq!(encode(&back).unwrap()[4..], code[4..], "and is kept as the same numbers");
    }
    assert!(decode(&[]).is_empty() && decode(&[1, 2]).is_empty());
}

fn with_regions(vectors: &[Vec<f32>]) -> Vectors {
    let mut index = index(vectors);
    let regions = index.sample_for_regions().unwrap().build().unwrap();
    index.use_regions(regions);
    while !index.assign_regions(4096).is_empty() {}
    index
}

#[test]
#[allow(clippy::cast_precision_loss)]
fn with_regions_the_same_is_found() {
    let mut dice = Dice(7);
    let count = FULL_SCAN_LIMIT + 10_000;
    let vectors = themes(&mut dice, 256, 300, count);
    let mut index = index(&vectors);
    assert!(index.sample_for_regions().is_some());
    let queries: Vec<_> = (0..60).map(|at| dice.near(&vectors[at * 911], 0.5)).collect();
    let truth: Vec<_> = queries.iter().map(|query| nearest(&vectors, query, 10)).collect();
    let recall = |index: &Vectors| {
        let hits: usize = queries
            .iter()
            .zip(&truth)
            .map(|(query, truth)| {
                index.search(query, 10, |_| true).iter().filter(|(key, _)| truth.contains(key)).count()
            })
            .sum();
        hits as f64 / 600.0
    };
    let regions = index.sample_for_regions().unwrap().build().unwrap();
    index.use_regions(regions);
    assert!(recall(&index) >= 0.99, "before any is in its region: {}", recall(&index));
    let moved = index.assign_regions(10_000);
    assert_eq!((moved.len(), index.len()), (10_000, count));
    assert!(recall(&index) >= 0.99, "while some are");
    while !index.assign_regions(4096).is_empty() {}
    assert!(recall(&index) >= 0.99, "when all are: {}", recall(&index));
    assert!(index.sample_for_regions().is_none(), "once is enough");

    for key in 0..100 {
        assert!(index.remove(key));
    }
    assert!(index.search(&vectors[5], 50, |_| true).iter().all(|(key, _)| *key >= 100));
    index.insert(5, &vectors[5]).unwrap();
    assert_eq!(keys(&index.search(&vectors[5], 1, |_| true)), [5]);
    assert!(index.region(5).is_some());
    let far = &vectors[17];
    assert_eq!(
        keys(&index.search(far, 3, |key| key == 59_999)),
        [59_999],
        "a filter leads to the last region"
    );
}

#[test]
fn regions_come_back_with_the_vectors_and_nothing_is_computed_again() {
    let mut dice = Dice(8);
    let vectors = themes(&mut dice, 16, 300, FULL_SCAN_LIMIT + 1);
    let index = with_regions(&vectors);
    let kept = index.regions().unwrap().to_bytes();
    let restored = |kept: &[u8]| {
        let mut again = Vectors::with_regions(Regions::from_bytes(kept, 16).unwrap());
        for key in 0..vectors.len() as u64 {
            again.restore(key, index.encoded(key).unwrap(), index.region(key)).unwrap();
        }
        again
    };
    let mut again = restored(&kept);
    assert!(again.sample_for_regions().is_none() && again.assign_regions(10).is_empty());
    for query in vectors.iter().step_by(5003) {
        assert_eq!(again.search(query, 10, |_| true), index.search(query, 10, |_| true));
    }
    // An id from a different set of regions is not valid for these.
    let mut others = kept.clone();
    others[0] = others[0].wrapping_add(1);
    let elsewhere = restored(&others);
    assert_eq!(keys(&elsewhere.search(&vectors[9], 1, |_| true)), [9]);
    assert_ne!(elsewhere.region(9), index.region(9));
}

#[test]
fn damaged_regions_are_no_regions() {
    let mut dice = Dice(9);
    let kept = with_regions(&themes(&mut dice, 8, 50, FULL_SCAN_LIMIT + 1)).regions().unwrap().to_bytes();
    assert!(Regions::from_bytes(&kept, 8).is_some());
    for (bytes, dimensions) in
        [(&kept[..], 16), (&kept[..kept.len() - 1], 8), (&kept[..10], 8), (&[][..], 8), (&kept[..5], 8)]
    {
        assert!(Regions::from_bytes(bytes, dimensions).is_none(), "{} bytes", bytes.len());
    }
    let mut other = Vectors::new(3);
    other.insert(1, &[1.0, 0.0, 0.0]).unwrap();
    other.use_regions(Regions::from_bytes(&kept, 8).unwrap());
    assert_eq!(
        keys(&other.search(&[1.0, 0.0, 0.0], 1, |_| true)),
        [1],
        "regions of another length are not taken"
    );
    // A region number that does not exist.
    let mut index = Vectors::with_regions(Regions::from_bytes(&kept, 8).unwrap());
    index.restore(1, &encode(&[1.0; 8]).unwrap(), Some(RegionId::from_number(u32::MAX))).unwrap();
    assert_eq!(keys(&index.search(&[1.0; 8], 1, |_| true)), [1]);
}

#[test]
fn a_crowd_of_equals_has_regions_too() {
    let mut index = Vectors::new(8);
    for key in 0..=FULL_SCAN_LIMIT as u64 {
        index.insert(key, &[0.5; 8]).unwrap();
    }
    let regions = index.sample_for_regions().unwrap().build().unwrap();
    index.use_regions(regions);
    while !index.assign_regions(9999).is_empty() {}
    assert_eq!(index.search(&[1.0; 8], 20, |_| true).len(), 20);
}

#[test]
fn memory_is_a_little_more_than_the_bytes() {
    let mut dice = Dice(10);
    let index = index(&themes(&mut dice, 384, 10, 20_000));
    let bytes = 20_000 * encoding::encoded_size(384);
    assert!((bytes..bytes * 3 / 2).contains(&index.memory()), "{}", index.memory());
}
