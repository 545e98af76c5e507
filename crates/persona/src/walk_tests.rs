//! A simulated year with a user who writes at random.

use jiff::civil::{DateTime, date};
use jiff::{SignedDuration, ToSpan};

use crate::*;

/// A small deterministic generator, so that a failure can be reproduced.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// Messages that are mostly everyday ones.
const EVERYDAY: [&str; 24] = [
    "what's the weather tomorrow",
    "ok",
    "thanks",
    "haha",
    "why does bread rise?",
    "I had a good day",
    "remind me to call Anna",
    "lol true",
    "can you check that again",
    "I'm a bit tired",
    "that's wrong",
    "great, thank you!",
    "let's talk about the trip next week",
    "hm, not sure about that",
    "my boss was annoying today",
    "do you know a recipe with leeks",
    "dude that's wild",
    "good night",
    "I like that",
    "what do you think about it",
    "yes please",
    "I'm stressed about the exam",
    "play something calm",
    "tell me about Norway",
];

const WISHES: [&str; 8] = [
    "please be brief",
    "tell me more",
    "stop asking questions",
    "be serious",
    "don't be so formal",
    "I need a hug",
    "calm down",
    "too technical",
];

struct Walk {
    messages: usize,
    changes: usize,
}

/// Simulates a year; `wish_every` is the average number of messages per wish.
fn walk(seed: u64, wish_every: Option<usize>) -> Walk {
    let (everyday, wishes) = (EVERYDAY.map(read).to_vec(), WISHES.map(read).to_vec());
    let mut dice = Dice(seed);
    let mut state = PersonalityState::default();
    let mut now: DateTime = date(2026, 1, 1).at(9, 0, 0, 0);
    let mut words = tone(&state).text;
    let mut walk = Walk { messages: 0, changes: 0 };
    // The sum of each dimension's steps since the day began.
    let mut day = None;
    let mut steps = [0.0_f64; 8];
    while now < date(2027, 1, 1).at(0, 0, 0, 0) {
        let pause = if dice.below(8) == 0 { 60 + dice.below(1200) } else { 1 + dice.below(6) };
        now = now.checked_add(i64::try_from(pause).unwrap().minutes()).unwrap();
        decay(&mut state, now);
        let is_wish = wish_every.is_some_and(|every| dice.below(every) == 0);
        let list = if is_wish { &wishes } else { &everyday };
        let reaction =
            [Reaction::Stopped, Reaction::Edited, Reaction::Regenerated].get(dice.below(40)).copied();
        let since_last = Some(SignedDuration::from_mins(i64::try_from(pause).unwrap()));
        let before = DIMENSIONS.map(|dimension| state.value(dimension));
        let moves = apply_message(
            &mut state,
            &list[dice.below(list.len())],
            &MessageContext { now, since_last, reaction },
        );

        let today = now.checked_sub(4.hours()).unwrap().date();
        if day != Some(today) {
            (day, steps) = (Some(today), [0.0; 8]);
        }
        let (step_bound, day_bound) = if wish_every.is_some() {
            (MOST_A_WISH, MOST_A_DAY_WISHED)
        } else {
            (MOST_A_MESSAGE, MOST_A_DAY)
        };
        for (at, dimension) in DIMENSIONS.into_iter().enumerate() {
            let after = state.value(dimension);
            assert!((LOWEST..=HIGHEST).contains(&after), "seed {seed}: {dimension:?} is {after}");
            let by = after - before[at];
            assert!(by.abs() <= step_bound + 1e-9, "seed {seed}: {dimension:?} moved by {by}");
            steps[at] += by;
            assert!(
                steps[at].abs() <= day_bound + 1e-9,
                "seed {seed}: {dimension:?} moved by {} in a day",
                steps[at]
            );
            let explained = moves.iter().find(|one| one.dimension == dimension);
            assert_eq!(explained.is_some(), by != 0.0, "seed {seed}: {dimension:?}");
        }

        let shown = tone(&state);
        state.showed(&shown);
        walk.messages += 1;
        if shown.text != words {
            walk.changes += 1;
            words = shown.text;
        }
    }
    walk
}

#[test]
fn a_year_stays_within_bounds_and_the_words_change_rarely() {
    for (name, wish_every, least) in
        [("moods alone", None, 20), ("a wish in 200", Some(200), 15), ("a wish in 20", Some(20), 8)]
    {
        let walks: Vec<Walk> = (1..=4).map(|seed| walk(seed, wish_every)).collect();
        let messages: usize = walks.iter().map(|walk| walk.messages).sum();
        let changes: usize = walks.iter().map(|walk| walk.changes).sum();
        let between = messages / changes.max(1);
        println!("{name}: {messages} messages, {changes} changes of words, one in {between}");
        assert!(between >= least, "{name}: one in {between}");
    }
}
