//! Names in a sentence, with the kind of each.

use std::ops::Range;

use super::cues;

/// The kind of thing that a name refers to, as far as known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    Place,
    Company,
    Person,
    Pet,
    Vehicle,
    Unknown,
}

/// A name in a sentence.
#[derive(Debug, Clone)]
pub struct NameMention {
    pub text: String,
    /// The range of its tokens.
    pub range: Range<usize>,
    pub kind: NameKind,
    /// True if the words say that it is over: *from Lyon*, *not Lyon*, *Lyon is history*.
    pub is_left: bool,
    /// The person's relation to the user, if the sentence states it: *my mate Tom*.
    pub what: &'static str,
    /// True for a person who shares the user's life, so that statements about both count as the user's.
    pub is_close: bool,
}

/// Returns true if the words around a name say that it is left behind.
pub fn is_left(words: &[&str], range: &Range<usize>) -> bool {
    let before = |back: usize| range.start.checked_sub(back).map_or("", |at| words[at]);
    let skip = usize::from(matches!(before(1), "the" | "my" | "our" | "a" | "an" | "old" | "being"));
    let close = match (before(2 + skip), before(1 + skip)) {
        // *My pay comes from Lego*, *greetings from Rome*
        (
            "hiya" | "hi" | "cheers" | "regards" | "love" | "comes" | "come" | "coming" | "arrives"
            | "working" | "writing" | "greetings" | "hello" | "salary" | "pay",
            "from",
        ) => false,
        (_, "from" | "unlike" | "without") => true,
        ("better" | "more" | "rather" | "over", "than") => true,
        ("out" | "instead" | "rid" | "tired" | "sick" | "not" | "part", "of") => true,
        ("goodbye" | "farewell" | "bye", "to") => true,
        ("done" | "over" | "finished" | "through" | "broke", "with") => true,
        ("walk" | "walked" | "walking", "past") => true,
        ("not" | "no" | "longer", _) | (_, "not" | "no" | "longer") => true,
        (_, "more") => before(3 + skip) != "any" && before(2 + skip) == "no",
        _ => false,
    };
    if close {
        return true;
    }
    // *My first week at Lego is over* does not mean that the job is over.
    let inside = words!("at in to with for of as by").contains(before(1));
    let after = &words[range.end.min(words.len())..];
    if cues::is_gone(after) && (!inside || matches!(after.first(), Some(&("any" | "behind" | "no")))) {
        return true;
    }
    // Checks the clause before the name: *I handed in my notice at Renault*, *I'm not in Lyon*.
    let clause = words[..range.start]
        .iter()
        .rposition(|word| {
            words!(", but and so now : - – — for to with by favour favor . ! ? ;").contains(*word)
        })
        .map_or(0, |at| at + 1);
    let clause = &words[clause..range.start];
    let used = words[..range.start]
        .windows(2)
        .rposition(|pair| pair == ["used", "to"])
        .is_some_and(|at| !words[at..range.start].iter().any(|word| matches!(*word, "," | "but" | "now")));
    let gives_up =
        clause.windows(2).any(|pair| matches!(pair, ["gave" | "giving" | "given" | "give", "up" | "away"]));
    used || gives_up
        || clause.iter().any(|word| cues::is_leaving(word.rsplit('-').next().unwrap_or(word)))
        || clause.len() <= 5 && clause.iter().any(|word| matches!(*word, "not" | "never" | "longer"))
        || words[..range.start]
            .windows(2)
            .any(|pair| pair[0] == "last" && matches!(pair[1], "day" | "week" | "shift"))
            && clause.contains(&"last")
}
