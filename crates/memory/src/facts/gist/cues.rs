//! Words that tell how a sentence is meant: as a thought, as something that is over, as a change.

/// Words of plans, guesses and reports: with one of them a sentence says nothing that is so.
pub fn is_idle(words: &[&str]) -> bool {
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
    words.iter().enumerate().any(|(at, word)| match *word {
        "if" => !has(&["if", "you", "ask", "me"]) && !has(&["if", "you", "asked", "me"]),
        "could" => words.get(at + 1) != Some(&"not"),
        "might" | "should" | "shall" | "ought" | "maybe" | "perhaps" | "whether" | "unless" | "hope"
        | "hopefully" | "hoping" | "wish" | "planning" | "plan" | "plans" | "considering" | "consider"
        | "tempted" | "imagine" | "suppose" | "almost" | "nearly" | "someday" | "soon" | "apply"
        | "applied" | "applying" | "interview" | "interviewing" | "interviewed" | "dream" | "dreaming"
        | "dreamt" | "heard" | "rumour" | "rumor" | "article" | "documentary" | "wonder" | "wondering"
        | "supposedly" | "looking" | "searching" | "hunting" | "viewing" | "asked" | "tomorrow" | "song"
        | "lyrics" | "thinks" | "rejected" | "declined" | "turned-down" => true,
        "told" => matches!(words.get(at + 1), Some(&("him" | "her" | "them" | "everyone" | "people"))),
        "said" if words.get(at + 1) == Some(&"i") => true,
        "says" | "said" => {
            at == 0
                || !matches!(
                    words[at - 1],
                    "i" | "card" | "badge" | "contract" | "we" | "title" | "it" | "passport"
                )
        }
        "want" | "wants" | "wanted" => {
            !matches!(words.get(at + 2), Some(&("tell" | "say" | "share" | "let" | "mention" | "announce")))
        }
        "would" => {
            let you = at > 0 && words[at - 1] == "you";
            !you && !matches!(words.get(at + 1), Some(&("be" | "have" | "kill" | "say" | "not")))
        }
        "will" => words.get(at + 1) != Some(&"not"),
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

/// Words of a time long gone.
pub fn is_long_ago(words: &[&str]) -> bool {
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
    words.iter().any(|word| {
        matches!(
            *word,
            "childhood" | "student" | "teenager" | "once" | "formerly" | "originally" | "born" | "grew"
        )
    }) || words.windows(2).any(|pair| {
        pair[1] == "ago"
            && !matches!(pair[0], "minutes" | "hour" | "hours" | "day" | "days" | "week" | "weeks")
    }) || has(&["back", "in"])
        || has(&["back", "then"])
        || has(&["as", "a", "kid"])
        || has(&["as", "a", "child"])
        || has(&["when", "i", "was"])
        || has(&["in", "my", "twenties"])
        || words.iter().any(|word| word.len() == 4 && (word.starts_with("19") || word.starts_with("20")))
            && !words.contains(&"since")
}

/// Words that say that something is otherwise than it was.
pub fn is_change(words: &[&str]) -> bool {
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
    words.iter().any(|word| {
        matches!(
            *word,
            "now"
                | "nowadays"
                | "currently"
                | "lately"
                | "new"
                | "finally"
                | "officially"
                | "instead"
                | "anymore"
                | "switched"
                | "swapped"
                | "traded"
                | "replaced"
                | "changed"
                | "moved"
                | "became"
                | "become"
                | "since"
                | "goodbye"
                | "bye"
                | "farewell"
                | "started"
                | "left"
                | "quit"
                | "sold"
                | "joined"
                | "renamed"
                | "rechristened"
                | "rebranded"
                | "update"
                | "upgraded"
        )
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
}

/// Verbs of leaving: the first name after one of them in its clause is what was left.
pub fn is_leaving(word: &str) -> bool {
    matches!(
        word,
        "left"
            | "leaving"
            | "leave"
            | "quit"
            | "quitting"
            | "resigned"
            | "redundant"
            | "handed"
            | "sold"
            | "selling"
            | "dumped"
            | "binned"
            | "scrapped"
            | "ditched"
            | "abandoned"
            | "escaped"
            | "fled"
            | "swapped"
            | "swapping"
            | "traded"
            | "exchanged"
            | "replaced"
            | "replacing"
            | "switched"
            | "goodbye"
            | "bye"
            | "farewell"
            | "ciao"
            | "adieu"
            | "forget"
            | "fired"
            | "sacked"
            | "stopped"
            | "cut"
            | "retired"
            | "outgrew"
            | "outgrown"
            | "vacated"
            | "chucked"
            | "axed"
            | "missed"
            | "miss"
            | "jumped"
            | "upgraded"
            | "rid"
            | "done"
            | "finished"
            | "unlike"
    )
}

/// Whether the words after a name say that it is over: *Lyon is history*, *the Golf had to go*.
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
                | ["never", ..]
        ),
        ["got" | "gave" | "let" | "did" | "had" | "fell" | "went" | "became" | "felt" | "made", next, ..] => {
            !matches!(*next, "me" | "us") || after[0] == "let"
        }
        ["-", ">", ..] | ["→" | "out", ..] => true,
        ["used", "to", ..]
        | ["any", "more" | "longer", ..]
        | ["no", "more", ..]
        | ["does" | "do", "not", ..] => true,
        _ => false,
    }
}
