//! Whether something is liked, by what is said around a thing that can be.

use std::ops::Range;

use super::Told;
use super::feeling::{self, feeling};
use super::sight::Sight;
use crate::lexicon;
use crate::names::Names;
use crate::rules;
use crate::slot::Kind;
use crate::subject::is_function;
use crate::verbs;
use crate::words::terms;

/// Words of a sentence that is still about the thing in it, and of one that need not say whose opinion it is.
const LONGEST: usize = 26;
const SHORT: usize = 10;

pub fn opinion(sight: &Sight<'_>, names: &Names) -> Vec<Told> {
    if !sight.is_mine() || sight.is_of_family {
        return Vec::new();
    }
    // *Everybody but me likes football*, *I barely like cheese*
    let others = ["but me", "except me", "except for me", "apart from me"]
        .iter()
        .any(|phrase| sight.phrase(&phrase.split(' ').collect::<Vec<_>>()));
    if others || sight.has(&["barely", "scarcely"]) {
        return Vec::new();
    }
    let Some(range) = thing(sight, names) else { return Vec::new() };
    // What is eaten today need not be liked, nor what one would like to try.
    let clause = sight.clause(range.start);
    let once = clause.iter().any(|word| {
        words!("tonight dinner lunch yesterday today ate cooked should might maybe").contains(*word)
    }) || clause.windows(3).any(|window| {
        window[0] == "would"
            && matches!(window[1], "love" | "like")
            && matches!(window[2], "to" | "some" | "a")
    });
    if once && !sight.has(&["thought", "count"]) {
        return Vec::new();
    }
    let text = sight.words[range.clone()].join(" ");
    let known = names.held("", Kind::Taste, &rules::topic(&text));
    // *It tasted like cardboard* is no liking.
    let compares = sight.words.windows(2).any(|pair| {
        pair[1] == "like"
            && words!("tasted tastes taste looks looked sounds sounded smells felt feels").contains(pair[0])
    });
    // A thing that comes up in a long story, or in somebody else's, is not what the story is about.
    let aside =
        sight.words.len() > LONGEST || !sight.has(&["i", "me", "we", "us"]) && sight.words.len() > SHORT;
    // In another sentence a feeling is about this thing only if it says so.
    let is_end = |word: &&str| matches!(*word, "." | "!" | "?");
    let from = sight.words[..range.start].iter().rposition(is_end).map_or(0, |at| at + 1);
    let to = sight.words[range.end..].iter().position(is_end).map_or(sight.words.len(), |at| range.end + at);
    let rest = || sight.words[..from].iter().chain(&sight.words[to..]);
    let speaks_on =
        to - from <= 4 || rest().any(|word| matches!(*word, "it" | "them" | "they" | "that" | "this"));
    let apart = rest().any(|word| word.starts_with(char::is_alphabetic)) && !speaks_on;
    if known.is_none() && (compares || aside || apart) {
        return Vec::new();
    }
    let Some(likes) = feeling(sight, &range) else {
        // Something changed about it, and what is not plain: better no answer than an old one.
        return match known.as_deref() {
            Some(known) if turns_away(sight) && sight.says_me() && sight.names.is_empty() => {
                vec![Told::new(rules::taste(&text, known == "likes").ended().sure(0.55))]
            }
            _ => Vec::new(),
        };
    };
    let held = if likes { "likes" } else { "dislikes" };
    let draft = rules::taste(&text, likes).sure(0.65);
    vec![match known.as_deref() {
        Some(known) if known == held => return Vec::new(),
        Some(_) => Told::changed(draft),
        None => Told::new(draft),
    }]
}

/// Whether something is left behind: what is so *for now*, or new, is no change of taste.
fn turns_away(sight: &Sight<'_>) -> bool {
    sight.has_any(words!(
        "changed anymore longer switched swapped traded replaced goodbye bye farewell left quit dropped gone stopped \
        ditched abandoned faded over done history formerly previously once"
    )) || ["used to", "any more", "no more", "given up", "gave up"]
        .iter()
        .any(|phrase| sight.phrase(&phrase.split(' ').collect::<Vec<_>>()))
}

/// Whether what stands before a thing makes another of it: *hot dogs* are no dogs, and *blue cheese* is not all cheese.
fn is_kind(before: &str) -> bool {
    before.len() > 2
        && before.chars().all(char::is_alphabetic)
        && !before.ends_with("ly")
        && !is_function(before)
        && !terms(before).is_empty()
        && verbs::lemma(before).is_none()
        && !words!(
            "good great fresh real proper own much many more most less least every any some such new old morning \
            daily usual beloved dear lovely damn bloody than like unlike without against towards into before after \
            between besides despite except during until while whenever once even either neither nor yet lately \
            sometimes anymore nowadays today again these those this that your his her our their my always never"
        )
        .contains(before)
}

/// What the sentence is about: something of which the taste is known, else the first thing that people like or not.
fn thing(sight: &Sight<'_>, names: &Names) -> Option<Range<usize>> {
    let known = |length: usize| {
        sight.words.windows(length).position(|window| {
            let ends = [window[0], window[window.len() - 1]];
            !ends.iter().any(|word| word.len() < 3 || terms(word).is_empty())
                && names.held("", Kind::Taste, &rules::topic(&window.join(" "))).is_some()
        })
    };
    if let Some((at, length)) = [3, 2, 1].into_iter().find_map(|length| known(length).map(|at| (at, length)))
    {
        let one = matches!(sight.before(at, 1), "the" | "this" | "that" | "some" | "your")
            && sight.has(&["was", "were", "last", "today"]);
        return (!one && !is_kind(sight.before(at, 1))).then_some(at..at + length);
    }
    let Some(at) = sight.words.iter().position(|word| lexicon::is_likeable(word)) else {
        return by_place(sight);
    };
    let two = lexicon::is_likeable(sight.word(at + 1));
    let end = at + 1 + usize::from(two);
    // *Honey buns* are no honey.
    let next = sight.word(end);
    let another = next.len() > 3
        && next.ends_with('s')
        && next.chars().all(char::is_alphabetic)
        && verbs::lemma(next).is_none()
        && !is_function(next)
        && !words!("always sometimes these days mornings evenings tastes perhaps besides nowadays thanks")
            .contains(next);
    if another {
        return None;
    }
    let start = at - usize::from(at > 0 && lexicon::describes_likeable(sight.words[at - 1]));
    // *The pizza was great* is of one pizza.
    let is_one = |word: &str| words!("the this that some a your his her my").contains(word);
    if is_one(sight.before(start, 1)) || is_one(sight.before(start, 2)) && sight.has(&["had", "was", "were"])
    {
        return None;
    }
    Some(start..end)
}

/// A thing of any kind, by where it stands: *a passion for pottery*, *pottery has never appealed to me*.
fn by_place(sight: &Sight<'_>) -> Option<Range<usize>> {
    if !sight.says_me() || !sight.names.is_empty() {
        return None;
    }
    let is_plain = |word: &str| {
        !terms(word).is_empty()
            && word.chars().all(|letter| letter.is_alphabetic() || letter == '-')
            && !words!("thing things idea way one time day lot life work name").contains(word)
    };
    let run = |from: usize| {
        sight.words[from.min(sight.words.len())..].iter().take_while(|word| is_plain(word)).count()
    };
    let after = sight.words.windows(2).position(|pair| {
        feeling::is_feeling_noun(pair[0])
            && matches!(pair[1], "for" | "of" | "to" | "towards" | "about" | "in" | "with")
    });
    if let Some(at) = after {
        let length = run(at + 2);
        return (1..=3).contains(&length).then_some(at + 2..at + 2 + length);
    }
    let length = run(0);
    let says = sight.word(length);
    let leads = (1..=2).contains(&length)
        && words!("has have is are brings makes bring make does do gives").contains(says)
        && sight.has(&["me"]);
    leads.then_some(0..length)
}
