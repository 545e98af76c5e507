//! Words that tell how a sentence is meant: as a thought, as past, as a change.

use crate::sentence::is_said_in_passing;
use crate::verbs;

/// Returns true if words of plans, guesses or reports make the sentence no statement of fact.
pub fn is_idle(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| match *word {
        // *If you're ever in Rome*, *if you ask me*
        "if" => words.get(at + 1) != Some(&"you"),
        "could" => words.get(at + 1) != Some(&"not"),
        "might" | "should" | "shall" | "ought" | "maybe" | "perhaps" | "whether" | "unless" | "hope"
        | "hopefully" | "hoping" | "wish" | "planning" | "plan" | "plans" | "considering" | "consider"
        | "tempted" | "suppose" | "someday" | "soon" | "apply" | "applied" | "applying" | "interview"
        | "interviewing" | "interviewed" | "dream" | "dreaming" | "dreamt" | "heard" | "rumour" | "rumor"
        | "article" | "documentary" | "wonder" | "wondering" | "supposedly" | "searching" | "hunting"
        | "viewing" | "tomorrow" | "song" | "lyrics" | "thinks" | "rejected" | "declined" | "turned-down" => {
            true
        }
        "almost" | "nearly" => words.get(at + 1).is_some_and(|next| verbs::lemma(next).is_some()),
        "imagine" => (at == 0 || words[at - 1] != "not") && !is_said_in_passing(words, at),
        // *I can't wait to live in Rome*
        "wait" => words.get(at + 1) == Some(&"to"),
        // *I'm far from being a nurse*
        "far" => {
            words.get(at + 1) == Some(&"from") && matches!(words.get(at + 2), Some(&("being" | "a" | "an")))
        }
        "looking" => matches!(words.get(at + 1), Some(&("for" | "at" | "to"))),
        "asked" => at == 0 || words[at - 1] != "you",
        "told" => matches!(words.get(at + 1), Some(&("him" | "her" | "them" | "everyone" | "people"))),
        "said" if words.get(at + 1) == Some(&"i") => true,
        "says" | "said" => {
            at == 0 || !words!("i card badge contract we title it passport").contains(words[at - 1])
        }
        "want" | "wants" | "wanted" => {
            !matches!(words.get(at + 2), Some(&("tell" | "say" | "share" | "let" | "mention" | "announce")))
        }
        "would" => {
            let you = at > 0 && words[at - 1] == "you";
            let surprises = words[..at].iter().any(|word| matches!(*word, "thought" | "think"));
            !you && !surprises
                && !matches!(words.get(at + 1), Some(&("be" | "have" | "kill" | "say" | "not")))
        }
        "will" => words.get(at + 1) != Some(&"not") && (at == 0 || words[at - 1] != "you"),
        "thinking" => matches!(words.get(at + 1), Some(&("of" | "about"))),
        "going" => words.get(at + 1) == Some(&"to") && at > 0,
        "next" => matches!(words.get(at + 1), Some(&("week" | "month" | "year" | "summer" | "spring"))),
        "one" => words.get(at + 1) == Some(&"day"),
        "about" => words.get(at + 1) == Some(&"to"),
        "you" => match words.get(at + 1) {
            Some(&("say" | "think" | "told" | "live" | "work")) => true,
            Some(&"are") => !matches!(words.get(at + 2), Some(&("talking" | "speaking" | "chatting"))),
            _ => false,
        },
        _ => false,
    })
}

/// Returns true for words of the distant past, unless it continues: *since 2011*, *nine years ago, and I'm still
/// there*.
pub fn is_long_ago(words: &[&str]) -> bool {
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
    // *I haven't been back since I left*
    let parts = has(&["since", "i", "left"]) || has(&["since", "i", "moved", "away"]);
    let since = !parts
        && words.windows(2).any(|pair| pair[0] == "since" && pair[1].starts_with(char::is_alphanumeric));
    if words.contains(&"still") || has(&["never", "left"]) || since {
        return false;
    }
    words.iter().any(|word| {
        words!("childhood student teenager once former formerly originally born grew").contains(*word)
    }) || words.windows(2).any(|pair| {
        pair[1] == "ago"
            && !matches!(pair[0], "minutes" | "hour" | "hours" | "day" | "days" | "week" | "weeks")
    }) || words.iter().enumerate().any(|(at, word)| {
        *word == "spent"
            && words[at..].iter().take(4).any(|word| matches!(*word, "years" | "year" | "months"))
    }) || has(&["back", "in"])
        || has(&["back", "then"])
        || has(&["as", "a", "kid"])
        || has(&["as", "a", "child"])
        || has(&["when", "i", "was"])
        || has(&["when", "we", "were"])
        || has(&["till", "i", "was"])
        || has(&["until", "i", "was"])
        || words.windows(2).any(|pair| {
            pair[0] == "at" && words!("fifteen sixteen seventeen eighteen nineteen twenty").contains(pair[1])
        })
        || has(&["moved", "away", "from"])
        || words
            .windows(2)
            .any(|pair| pair[0] == "my" && matches!(pair[1], "twenties" | "thirties" | "teens" | "youth"))
        || words.iter().any(|word| word.len() == 4 && (word.starts_with("19") || word.starts_with("20")))
            && !since
}

/// Returns true if the words tell of a change.
pub fn is_change(words: &[&str]) -> bool {
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
    words.iter().any(|word| {
        words!(
            "now nowadays currently lately new finally officially instead anymore switched swapped traded \
            replaced changed moved became become since goodbye bye farewell started left quit sold joined \
            renamed rechristened rebranded update upgraded relocated promoted promotion converted convert \
            hello already turned gone again recently previously formerly nope poached settled longer"
        )
        .contains(*word)
    }) || has(&["these", "days"])
        || has(&["no", "longer"])
        || has(&["any", "more"])
        || has(&["any", "longer"])
        || has(&["used", "to"])
        || has(&["no", "more"])
        || has(&["as", "of"])
        || has(&["from", "today"])
        || has(&["starting", "today"])
        || has(&["at", "last"])
        || has(&["ended", "up"])
        || has(&["for", "good"])
        || has(&["at", "the", "moment"])
        || has(&["in", "the", "end"])
        || has(&["by", "now"])
        || has(&["from", "here", "on"])
        || has(&["so", "far"])
        || words.windows(2).any(|pair| {
            pair[0] == "first" && matches!(pair[1], "day" | "week" | "month" | "night" | "morning" | "shift")
        })
        || words
            .windows(2)
            .any(|pair| pair[1] == "in" && matches!(pair[0], "week" | "weeks" | "month" | "months"))
}

/// Returns true if a message may tell of a change, in any wording.
pub fn reports_change(text: &str) -> bool {
    let words: Vec<String> = text::words(text).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
    is_change(&words)
        || words.iter().any(|word| is_leaving(word))
        || words.iter().any(|word| {
            words!(
                "no not off back cancelled canceled dropped pulled pushed postponed deferred scrapped binned failed passed \
                lost stopped gave swap change changed reversed refunded returned went failing mended fixed closed shut \
                picked chose decided signed booked ordered"
            )
            .contains(*word)
        })
        || has(&["after", "all"])
        || has(&["turns", "out"])
        || has(&["over", "with"])
        || has(&["it", "is", "over"])
}

/// Returns true for verbs of leaving: the first name after one in its clause is what was left.
pub fn is_leaving(word: &str) -> bool {
    words!(
        "left leaving leave quit quitting resigned redundant handed sold selling dumped binned scrapped \
        ditched abandoned escaped fled swapped swapping traded exchanged replaced replacing switched \
        goodbye bye farewell ciao adieu forget fired sacked stopped cut retired outgrew outgrown vacated \
        chucked axed missed miss jumped upgraded rid done finished unlike"
    )
    .contains(word)
}

/// Returns true if the words after a name say that it is over: *Lyon is history*, *the Golf had to go*.
pub fn is_gone(after: &[&str]) -> bool {
    match after {
        ["was" | "were" | "never" | "died" | "broke" | "behind" | "formerly" | "previously", ..] => true,
        ["is" | "are" | "'s" | "has" | "have" | "just", tail @ ..] => matches!(
            tail,
            ["history" | "gone" | "over" | "out" | "dead" | "sold" | "retired" | "not", ..]
                | ["no", "longer" | "more", ..]
                | ["been", "sold" | "scrapped" | "replaced" | "dethroned" | "renamed", ..]
                | ["a", "thing", "of", ..]
                | ["the", "past", ..]
                | ["left" | "ended" | "died", ..]
                | ["never" | "finally", ..]
        ),
        ["got" | "gave" | "let" | "did" | "had" | "fell" | "went" | "became" | "felt" | "made", next, ..] => {
            !matches!(*next, "me" | "us") || after[0] == "let"
        }
        ["-", ">", ..] | ["→" | "out", ..] => true,
        ["finally", ..] => true,
        ["used", "to", ..]
        | ["any", "more" | "longer", ..]
        | ["no", "more", ..]
        | ["does" | "do", "not", ..] => true,
        _ => false,
    }
}
