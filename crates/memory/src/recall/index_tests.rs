use jiff::civil::{Date, date};
use vectors::{Regions, encode};

use super::*;
use crate::recall::{IndexSearch, RankedItems, ScoreWeights};

const MONDAY: Date = date(2026, 5, 4);

fn people() -> QuestionParser {
    QuestionParser::new(["Ada".to_owned(), "Melanie".to_owned()])
}

fn index(turns: &[(u64, &str, Date, &str)]) -> RecallIndex {
    let mut index = RecallIndex::new(people());
    for &(thread, speaker, day, text) in turns {
        index.add(&NewItem { thread, speaker, day, text });
    }
    index
}

fn ranked(index: &RecallIndex, question: &str) -> RankedItems {
    let prepared = index.prepare(index.parse_question(question), Vec::new());
    let weights = ScoreWeights::default();
    let search = IndexSearch {
        prepared: &prepared,
        vector: None,
        today: MONDAY,
        weights,
        is_embedding: false,
        leaves_out: &|_| false,
    };
    index.search(&search, usize::MAX)
}

fn best(index: &RecallIndex, question: &str) -> ItemPosition {
    ranked(index, question).found[0].position
}

fn talk() -> RecallIndex {
    index(&[
        (1, "Ada", MONDAY, "Hey Melanie! How was the weekend?"),
        (1, "Melanie", MONDAY, "I went camping by the lake with the kids."),
        (1, "Ada", MONDAY, "Nice. My dog Max has learned to swim."),
        (2, "Melanie", date(2026, 6, 1), "What did you buy at the market?"),
        (3, "Ada", MONDAY, "Nothing much happens on this side."),
        (2, "Ada", date(2026, 6, 1), "Two lamps and a rug."),
        (2, "Melanie", date(2026, 6, 1), "I like lamps too, though I never light them."),
    ])
}

#[test]
fn the_turn_that_tells_it_comes_first() {
    let talk = talk();
    for (question, position) in [
        ("Where did Melanie go camping?", 1),
        ("Where did Mel camp with her children?", 1),
        ("What is Ada's dog called?", 2),
        ("What has Ada bought at the market?", 5),
        ("Which lamps does Melanie like?", 6),
    ] {
        assert_eq!(best(&talk, question), position, "{question}");
    }
}

#[test]
fn neighbours_are_those_of_the_same_thread_whatever_came_in_between() {
    let talk = talk();
    assert_eq!(talk.neighbourhood(5), [3, 5, 6]);
    assert_eq!(talk.neighbourhood(4), [4]);
    assert_eq!(talk.neighbourhood(1), [0, 1, 2]);
}

#[test]
fn a_date_in_the_question_leads_to_what_was_said_then() {
    let turns: Vec<(u64, &str, Date, &str)> = (1_i8..=5)
        .map(|month| (u64::from(month.unsigned_abs()), "Ada", date(2026, month, 10), "I was at the lake."))
        .collect();
    let lake = index(&turns);
    assert_eq!(best(&lake, "Where was Ada on 10 March 2026?"), 2);
    assert_eq!(best(&lake, "Where was Ada on March 4th?"), 2, "it was told some days later");
    assert_eq!(best(&lake, "Where was Ada in April?"), 3);
}

#[test]
fn when_something_was_is_answered_by_what_names_a_time() {
    let talk = index(&[
        (1, "Ada", MONDAY, "The pottery workshop was lovely, pottery is so calming."),
        (2, "Ada", MONDAY, "We signed up for a pottery workshop last Friday."),
        (3, "Ada", MONDAY, "My pottery workshop shelf is full of bowls."),
    ]);
    assert_eq!(best(&talk, "When did Ada sign up for the pottery workshop?"), 1);
    assert_eq!(best(&talk, "When was Ada's pottery workshop?"), 1);
    let gain =
        |question: &str| ranked(&talk, question).found.iter().map(|found| found.parts.time).sum::<f32>();
    assert!(gain("When was Ada's pottery workshop?") > 0.0);
    assert!(gain("What does Ada think of the pottery workshop?") <= 0.0);
}

#[test]
fn what_is_removed_leaves_nothing_behind() {
    let mut talk = talk();
    let untouched = index(&[
        (1, "Ada", MONDAY, "Hey Melanie! How was the weekend?"),
        (1, "Ada", MONDAY, "Nice. My dog Max has learned to swim."),
        (3, "Ada", MONDAY, "Nothing much happens on this side."),
    ]);
    for position in [6, 1, 3, 5] {
        talk.remove(position);
        talk.remove(position);
    }
    assert_eq!(talk.len(), 3);
    assert_eq!(talk.neighbourhood(2), [0, 2]);
    assert!(
        talk.weighted_length
            .iter()
            .zip(untouched.weighted_length)
            .all(|(one, other)| (one - other).abs() < 1e-3)
    );
    assert!(talk.postings.iter().flatten().all(|(position, _)| [0, 2, 4].contains(position)));
    let found = ranked(&talk, "Where did Melanie go camping by the lake?").found;
    assert!(found.len() == 3 && found.iter().all(|one| one.parts.words == 0.0), "{found:?}");
    // Its place is reused, and the thread continues at its end.
    assert_eq!(talk.add(&NewItem { thread: 1, speaker: "Ada", day: MONDAY, text: "Max is asleep." }), 5);
    assert_eq!(talk.neighbourhood(5), [0, 2, 5]);
}

#[test]
fn an_empty_memory_has_nothing_to_say() {
    let nothing = ranked(&RecallIndex::new(people()), "");
    assert!(nothing.found.is_empty() && nothing.is_refused());
    let talk = ranked(&talk(), "?!");
    assert!(talk.found.len() == 7 && talk.is_refused());
}

/// Returns the number of items found if their vectors have these cosines to the question's, and whether the search is
/// refused.
fn found_at(cosines: &[f32]) -> (usize, bool) {
    let mut index = RecallIndex::new(people());
    index.load_vectors(ItemVectors::new(2), std::iter::empty());
    for (thread, &cosine) in (0..).zip(cosines) {
        let position = index.add(&NewItem { thread, speaker: "Ada", day: MONDAY, text: "Well." });
        index.set_vector(position, &encode(&[cosine, (1.0 - cosine * cosine).sqrt()]).unwrap());
    }
    let prepared = index.prepare(index.parse_question("Who plays the bassoon?"), Vec::new());
    let weights = ScoreWeights::default();
    let vector = Some([1.0, 0.0].as_slice());
    let search = IndexSearch {
        prepared: &prepared,
        vector,
        today: MONDAY,
        weights,
        is_embedding: false,
        leaves_out: &|_| false,
    };
    let ranked = index.search(&search, 20).without_distant();
    (ranked.found.len(), ranked.is_refused())
}

#[test]
fn what_is_distant_is_left_out_and_the_less_is_sure_the_less_comes() {
    assert_eq!(found_at(&[0.9; 8]), (8, false));
    assert_eq!(found_at(&[0.9, 0.8, 0.1, 0.05]), (2, false), "the others have nothing to do with it");
    assert_eq!(found_at(&[0.45; 8]), (5, false), "perhaps");
    assert!(found_at(&[0.25; 8]).1, "nothing comes near");
}

#[test]
fn by_words_alone_what_is_distant_is_left_out_too() {
    let everyday = [
        "My dog is called Max.",
        "I live in Berlin.",
        "I have a dentist appointment at ten.",
        "My sister Anna lives in Rome.",
        "I quit Siemens and started at Bosch.",
        "Good morning.",
        "I love sailing.",
        "Please water the plants.",
    ];
    let turns: Vec<(u64, &str, Date, &str)> =
        (0..).zip(everyday).map(|(thread, text)| (thread, "Ada", MONDAY, text)).collect();
    let index = index(&turns);
    let found = |question: &str| {
        let ranked = ranked(&index, question).without_distant();
        let positions: Vec<ItemPosition> = ranked.found.iter().map(|found| found.position).collect();
        if ranked.is_refused() { Vec::new() } else { positions }
    };
    assert_eq!(found("What is my dog called?"), [0]);
    assert_eq!(found("When is the dentist?"), [2]);
    assert!(found("Please delete the old file.").is_empty());
}

#[test]
fn what_stands_in_a_file_answers_for_whoever_asks() {
    let mut talk = talk();
    assert!(ranked(&talk, "What is my locker code?").is_refused());
    talk.add(&NewItem { thread: 77, speaker: "", day: MONDAY, text: "The code of the locker is 4711." });
    assert!(!ranked(&talk, "What is my locker code?").is_refused());
}

#[test]
fn what_somebody_else_said_is_not_an_answer() {
    let talk = talk();
    assert!(!ranked(&talk, "Where did Melanie go camping with the kids?").is_refused());
    assert!(ranked(&talk, "Where did Ada go camping by the lake with the kids?").is_refused());
    // The first of the people is the one who asks.
    assert_eq!(best(&talk, "What is my dog called?"), 2);
    assert_eq!(best(&talk, "Where did you go camping?"), 1);
}

/// Returns deterministic pseudo-random numbers between -1 and 1.
fn scattered(seed: u64) -> [f32; 16] {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::array::from_fn(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        #[allow(clippy::cast_precision_loss)]
        let share = (state >> 40) as f32 / (1_u64 << 24) as f32;
        share * 2.0 - 1.0
    })
}

#[test]
fn regions_change_nothing_that_is_found_and_are_as_they_were_after_a_start() {
    let many: u64 = 50_500;
    let mut index = RecallIndex::new(people());
    index.load_vectors(ItemVectors::new(16), std::iter::empty());
    for number in 0..many {
        let position =
            index.add(&NewItem { thread: number / 40, speaker: "Ada", day: MONDAY, text: "Well." });
        index.set_vector(position, &encode(&scattered(number)).unwrap());
    }
    let near = |index: &RecallIndex, number: u64| {
        let mut question = scattered(number);
        question[0] += 0.1;
        let nearness = index.item_vectors.similarities(&question, Some(&[]));
        let positions = 0..u32::try_from(many).unwrap();
        positions.max_by(|one, other| nearness.of(*one).total_cmp(&nearness.of(*other)))
    };
    let questions = [7, 20_000, 50_499];
    let before = questions.map(|number| near(&index, number));

    let regions = index.item_vectors.sample_for_regions().expect("there are enough").build().unwrap();
    let kept_cells = regions.to_bytes();
    index.item_vectors.use_regions(regions);
    assert_eq!(questions.map(|number| near(&index, number)), before, "while none is in its region");
    let mut regions = HashMap::new();
    loop {
        index.item_vectors.assign_regions(20_000);
        let moved = index.item_vectors.take_moved();
        if moved.is_empty() {
            break;
        }
        regions.extend(moved);
    }
    assert_eq!(regions.len() as u64, many);
    assert_eq!(questions.map(|number| near(&index, number)), before, "in their regions");
    assert!(index.item_vectors.sample_for_regions().is_none(), "they are not made twice");

    let kept: Vec<(ItemPosition, Vec<u8>, Option<RegionId>)> = regions
        .iter()
        .map(|(&position, &region)| (position, index.vector(position).unwrap().to_vec(), Some(region)))
        .collect();
    let regions = Regions::from_bytes(&kept_cells, 16).unwrap();
    let rows = kept.iter().map(|(position, code, region)| (*position, code.as_slice(), *region));
    index.load_vectors(ItemVectors::with_regions(regions), rows);
    assert_eq!(questions.map(|number| near(&index, number)), before, "after a start");
    assert!(index.item_vectors.take_moved().is_empty(), "no region was looked for");

    // Later items are assigned to a region at once.
    let position = index.add(&NewItem { thread: 99_999, speaker: "Ada", day: MONDAY, text: "New." });
    index.set_vector(position, &encode(&scattered(7)).unwrap());
    assert_eq!(
        index.item_vectors.take_moved().iter().map(|(position, _)| *position).collect::<Vec<_>>(),
        [position]
    );
}

#[test]
fn what_comes_while_a_question_is_read_is_found() {
    let mut talk = talk();
    let prepared = talk.prepare(talk.parse_question("Who plays the bassoon?"), Vec::new());
    let position = talk.add(&NewItem { thread: 9, speaker: "Ada", day: MONDAY, text: "I play the bassoon." });
    talk.remove(1);
    let prepared = talk.refreshed(prepared, Vec::new());
    let weights = ScoreWeights::default();
    let search = IndexSearch {
        prepared: &prepared,
        vector: None,
        today: MONDAY,
        weights,
        is_embedding: false,
        leaves_out: &|_| false,
    };
    assert_eq!(talk.search(&search, 1).found[0].position, position);
}
