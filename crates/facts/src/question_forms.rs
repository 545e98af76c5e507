//! Decides whether a sentence asks, and whether it reports someone else's words.

use super::names::KnownNames;
use super::openings;
use super::token::WordToken;
use super::verbs;

pub(super) fn is_saying(verb: &str) -> bool {
    words!(
        "say tell claim think ask mention text believe hear wonder suggest reckon guess assume know explain \
        notice realise realize remember forget pretend admit figure report"
    )
    .contains(verb)
}

/// Returns true if the clause repeats the companion's or another's words: `You said I live in Rome`.
pub(super) fn is_your_report(words: &[&str]) -> bool {
    matches!(words, ["you" | "u", verb, ..] if verbs::lemma(verb).is_some_and(|(base, _)| is_saying(base)))
        || matches!(words, ["you", "have" | "had" | "are" | "were" | "once", verb, ..] if verbs::lemma(verb).is_some_and(|(base, _)| is_saying(base)))
        || matches!(
            words,
            ["according", "to", ..]
                | ["rumour" | "rumor", ..]
                | ["tell" | "ask" | "guess" | "explain" | "say" | "show", ..]
        )
}

pub(super) fn is_quiet(word: &str) -> bool {
    words!(", but and so well oh even like only hey - … . ( as because what").contains(word)
}

/// Returns true for questions that state something: `Did I tell you that I moved?`
pub(super) fn tells_by_asking(words: &[&str]) -> bool {
    let words: Vec<&str> =
        words.iter().copied().filter(|word| !matches!(*word, "ever" | "already" | ",")).take(10).collect();
    let phrases: [&[&str]; 8] = [
        &["did", "i", "tell", "you"],
        &["did", "i", "say"],
        &["did", "i", "mention"],
        &["have", "i", "told", "you"],
        &["have", "i", "mentioned"],
        &["can", "you", "believe"],
        &["you", "know", "what"],
        &["guess", "what"],
    ];
    let tells = |phrase: &[&str]| {
        words.windows(phrase.len() + 1).any(|window| {
            window.starts_with(phrase) && words!("that i we my our : ? !").contains(window[phrase.len()])
        })
    };
    phrases.iter().any(|phrase| tells(phrase)) || words.windows(2).any(|pair| pair == ["guess", "who"])
}

/// Returns true if the word order makes the sentence a question.
pub(super) fn is_inverted(tokens: &[WordToken], names: &KnownNames) -> bool {
    let mut words = tokens.iter().map(|token| token.low.as_str()).skip_while(|word| {
        is_quiet(word) && *word != "what"
            || names.is_companion(word)
            || words!("hi ok okay please btw again anyway hmm wait actually also and").contains(*word)
    });
    let low: Vec<&str> = tokens.iter().take(6).map(|token| token.low.as_str()).collect();
    if low.windows(4).any(|window| window == ["who", "would", "have", "thought"])
        || low.windows(2).any(|pair| pair == ["who", "knew"])
    {
        return false;
    }
    let first = words.next().unwrap_or("");
    let second = words.next().unwrap_or("");
    let person = words!("i you we he she they it my your our his her there the that this anyone someone")
        .contains(second);
    match first {
        // *What I drive is a Golf* is a statement.
        "what" | "where" if matches!(second, "i" | "we") => tokens.iter().any(|token| token.low == "?"),
        "what" | "who" | "whose" | "which" | "how" | "why" | "where" | "whom" => {
            first != "what" || second != "a"
        }
        // *When the waiter came …* is a statement too.
        "when" => {
            words!("do does did is are was were will can could should would have has am").contains(second)
        }
        "can" | "could" | "does" | "should" | "would" | "will" | "do" | "did"
            if matches!(second, "a" | "an" | "any" | "people" | "dogs" | "cats" | "kids") =>
        {
            true
        }
        "do" | "does" | "did" | "is" | "are" | "am" | "was" | "were" | "can" | "could" | "should"
        | "would" | "will" | "have" | "has" | "shall" | "may" | "isn't" => person,
        _ => false,
    }
}

/// Returns true for a question that only asks for confirmation: `…, right?`
pub(super) fn is_tag(tokens: &[WordToken]) -> bool {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    matches!(
        words.as_slice(),
        ["right" | "correct" | "yes" | "no" | "remember" | "huh" | "yeah" | "true" | "innit" | "eh" | "ok"]
            | ["is" | "do" | "does" | "did" | "was" | "are" | "have" | "has", "not", _]
            | ["do" | "did" | "is" | "am" | "have", "i" | "it" | "he" | "she" | "we"]
            | ["or", ..]
            | ["am", "i", "right"]
            | ["is", "that", "right"]
            | ["you", "remember"]
            | ["do", "you", "remember"]
    )
}

/// Returns true for a question that only introduces the subject of the next sentence: *Remember our dog Max?*,
/// *Opera?*, *Best film ever?*
pub(super) fn opens_a_telling(tokens: &[WordToken]) -> bool {
    let all: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    let opened = openings::opened(tokens);
    let words = opened.iter().map(|token| token.low.as_str());
    let words: Vec<&str> = words.filter(|word| !is_quiet(word) && *word != "?").collect();
    let recalls = all.contains(&"remember") || all.windows(2).any(|pair| pair == ["you", "know"]);
    recalls && !all.contains(&"what") && !all.contains(&"where")
        || matches!(
            words.as_slice(),
            ["remember" | "you", ..]
                | ["have", "i", "mentioned" | "told" | "said", ..]
                | ["did", "i", "mention" | "say" | "tell", ..]
        )
        || words.len() <= 5
            && !words
                .iter()
                .any(|word| words!("do does did should would could can will is are am").contains(*word))
            && !words
                .first()
                .is_some_and(|word| words!("what who where when which why how any or").contains(*word))
}
