//! Introductory phrases, and the hints that they give about the meaning.

use super::clause::ClauseHints;
use super::lexicon;
use super::token::WordToken;

/// Introductory phrases.
const OPENINGS: &[&[&str]] = &[
    &["by", "the", "way"],
    &["if", "you", "ask", "me"],
    &["you", "will", "find", "me"],
    &["as", "for"],
    &["when", "it", "comes", "to"],
    &["speaking", "of"],
    &["i", "would", "say", "that"],
    &["i", "would", "say"],
    &["i", "have", "got", "to", "say"],
    &["believe", "me"],
    &["trust", "me"],
    &["lucky", "me"],
    &["new", "year", "new", "me"],
    &["first", "things", "first"],
    &["speaking", "of", "which"],
    &["long", "story", "short"],
    &["funny", "story"],
    &["true", "story"],
    &["plot", "twist"],
    &["confession"],
    &["hooray"],
    &["i", "am", "excited", "to", "say"],
    &["i", "am", "pleased", "to", "say"],
    &["i", "am", "delighted", "to", "say"],
    &["i", "found", "out", "that"],
    &["i", "found", "out"],
    &["i", "never", "thought", "i", "would", "say", "it", "but"],
    &["i", "never", "thought", "i", "would", "say", "this", "but"],
    &["i", "never", "thought", "i", "would", "say", "this", ",", "but"],
    &["never", "thought", "i", "would", "say", "this", ",", "but"],
    &["never", "thought", "i", "would", "say", "this", "but"],
    &["just", "so", "you", "know"],
    &["so", "you", "know"],
    &["guess", "what"],
    &["you", "know", "what"],
    &["you", "know"],
    &["i", "mean"],
    &["the", "thing", "is"],
    &["thing", "is"],
    &["fun", "fact"],
    &["it", "turns", "out", "that"],
    &["it", "turns", "out"],
    &["turns", "out", "that"],
    &["turns", "out"],
    &["it", "turned", "out", "that"],
    &["it", "turned", "out"],
    &["turned", "out", "that"],
    &["turned", "out"],
    &["to", "be", "honest"],
    &["in", "case", "you", "are", "wondering"],
    &["in", "case", "i", "have", "not", "mentioned", "it"],
    &["did", "i", "mention", "that"],
    &["did", "i", "mention"],
    &["did", "i", "tell", "you", "that"],
    &["did", "i", "tell", "you"],
    &["did", "i", "ever", "tell", "you", "that"],
    &["have", "i", "told", "you", "that"],
    &["have", "i", "mentioned", "that"],
    &["i", "told", "you", "that"],
    &["i", "told", "you"],
    &["as", "i", "said"],
    &["like", "i", "said"],
    &["as", "you", "know"],
    &["i", "have", "to", "say"],
    &["i", "must", "say"],
    &["i", "must", "admit"],
    &["i", "admit"],
    &["i", "have", "to", "admit"],
    &["i", "am", "happy", "to", "say", "that"],
    &["i", "am", "happy", "to", "say"],
    &["i", "am", "proud", "to", "say"],
    &["i", "am", "sad", "to", "say"],
    &["can", "you", "believe"],
    &["believe", "it", "or", "not"],
    &["good", "news"],
    &["bad", "news"],
    &["sad", "news"],
    &["big", "news"],
    &["quick", "update"],
    &["small", "update"],
    &["life", "update"],
    &["now", "that"],
    &["ever", "since"],
    &["it", "is", "official"],
    &["it", "is", "true", "that"],
    &["the", "truth", "is"],
    &["truth", "is"],
    &["the", "fact", "is"],
    &["i", "realised"],
    &["i", "have", "realised"],
    &["i", "wanted", "to", "tell", "you", "that"],
    &["i", "wanted", "to", "tell", "you"],
    &["let", "me", "tell", "you"],
    &["i", "should", "mention"],
    &["i", "should", "say"],
    &["i", "should", "add"],
    &["one", "more", "thing"],
    &["in", "fact"],
    &["as", "a", "matter", "of", "fact"],
    &["of", "course"],
    &["after", "all"],
    &["at", "last"],
    &["in", "the", "end"],
    &["thank", "god"],
    &["not", "gonna", "lie"],
    &["i", "am", "glad", "that"],
    &["i", "am", "so", "glad"],
    &["i", "am", "so", "happy"],
    &["i", "am", "happy", "that"],
    &["i", "cannot", "believe"],
    &["who", "would", "have", "thought"],
    &["i", "have", "changed", "my", "mind"],
    &["i", "changed", "my", "mind"],
    &["i", "take", "it", "back"],
];
/// Introductory phrases that ask to remember the statement.
const ASKED: &[&[&str]] = &[
    &["please", "remember", "that"],
    &["please", "remember"],
    &["remember", "that"],
    &["remember"],
    &["do", "not", "forget", "that"],
    &["do", "not", "forget"],
    &["keep", "in", "mind", "that"],
    &["keep", "in", "mind"],
    &["bear", "in", "mind", "that"],
    &["for", "the", "record"],
    &["for", "future", "reference"],
    &["note", "that"],
    &["note", "to", "self"],
    &["please", "note", "that"],
    &["please", "note"],
    &["make", "a", "note", "that"],
    &["make", "a", "note"],
    &["take", "note"],
    &["note"],
    &["you", "should", "know", "that"],
    &["you", "should", "know"],
    &["i", "want", "you", "to", "know", "that"],
    &["i", "want", "you", "to", "know"],
    &["i", "want", "you", "to", "remember", "that"],
    &["i", "want", "you", "to", "remember"],
    &["save", "this"],
    &["for", "your", "information"],
    &["write", "down", "that"],
    &["fyi"],
    &["important"],
    &["reminder"],
    &["as", "a", "reminder"],
];
/// Introductory phrases of doubt; the statement still counts.
const DOUBTS: &[&[&str]] =
    &[&["i", "think"], &["i", "believe"], &["i", "guess"], &["i", "reckon"], &["i", "suppose"]];

pub fn is_filler(word: &str) -> bool {
    words!(
        "really honestly basically literally simply totally absolutely definitely truly quite tbh btw well \
        oh hey hi hello hiya yes yeah yep yup ok okay anyway anyways luckily sadly unfortunately \
        fortunately officially finally recently lately just please um uh hmm ah aw ugh wow yay woohoo whoa \
        omg haha apparently obviously still already too personally eventually happily proudly mostly \
        mainly even certainly indeed genuinely ngl update news ps p.s dear diary newly suddenly \
        temporarily permanently freshly originally gladly kindly sincerely secretly deeply highly \
        extremely severely seriously mildly slightly rather pretty very tragically clearly surely \
        perfectly initially long soon later"
    )
    .contains(word)
}

/// Returns true if the words correct an earlier statement: `Actually …`, `no, …`.
fn is_correction(words: &[&str]) -> bool {
    match words {
        ["actually" | "correction" | "sorry" | "wait" | "nope" | "nah" | "edit" | "oops", ..] => true,
        ["no", next, ..] => words!(", i my it she he her his we the actually").contains(*next),
        _ => false,
    }
}

/// Removes introductory phrases: *by the way*, *big news:*.
pub fn opened(tokens: &[WordToken]) -> Vec<WordToken> {
    let colon = tokens.iter().take(9).position(|token| token.low == ":");
    let announces = |token: &WordToken| {
        words!(
            "news update tell announcement official happened chapter twist status note fact breaking \
            reminder heads psa headline listen ready share know announce say change confession latest fyi \
            ps"
        )
        .contains(token.low.as_str())
    };
    // `FYI, new car: a Golf` is an announcement that names its subject.
    let tells = |token: &WordToken| {
        lexicon::animal(&token.low).is_some()
            || lexicon::thing(&token.low).is_some()
            || words!("favourite job role home address name birthday employer title base")
                .contains(token.low.as_str())
    };
    let start = colon
        .filter(|at| tokens[..*at].iter().any(announces) && !tokens[..*at].iter().any(tells))
        .map_or(0, |at| at + 1);
    // `Felix, my best friend, lives in Graz` begins with its subject.
    let introduces = |tokens: &[WordToken]| {
        matches!(tokens, [_, comma, my, rest @ ..] if comma.low == "," && matches!(my.low.as_str(), "my" | "our" | "a")
            && rest.iter().take(3).any(|token| lexicon::relation(&token.low).is_some()))
    };
    let told = tokens[start..].to_vec();
    if introduces(&told) && !lexicon::is_interjection(&told[0].low) {
        return told;
    }
    openings(told, &mut ClauseHints::default())
}

/// Removes introductory phrases and records their hints.
pub fn openings(mut tokens: Vec<WordToken>, hints: &mut ClauseHints) -> Vec<WordToken> {
    for _ in 0..6 {
        let words: Vec<&str> = tokens.iter().take(9).map(|token| token.low.as_str()).collect();
        let first = words.first().copied().unwrap_or("");
        let skip = if words!(", : - — – ) ( * . ! • #").contains(first) || first == "\u{1}" && words.len() > 2
        {
            1
        } else if is_correction(&words) {
            hints.corrects = true;
            1
        } else if let Some(asked) = ASKED.iter().find(|asked| words.starts_with(asked)) {
            hints.asked = true;
            asked.len()
        } else if let ["i", "am", _, "to", "say" | "announce" | "report" | "tell" | "share", rest @ ..] =
            words.as_slice()
        {
            5 + rest.iter().take_while(|word| matches!(**word, "you" | "that")).count()
        } else if (first.len() > 4
            && first.ends_with("ly")
            && matches!(words.get(1), Some(&("i" | "we" | "my" | "our" | ","))))
            || words.starts_with(&["for", "my", "favourite"])
        {
            1
        } else if let Some(opening) = OPENINGS.iter().find(|opening| words.starts_with(opening)) {
            hints.is_now |= first == "now";
            opening.len()
        } else if let Some(doubt) = DOUBTS.iter().find(|doubt| {
            words.starts_with(doubt)
                && words
                    .get(doubt.len())
                    .is_some_and(|next| matches!(*next, "i" | "my" | "we" | "that" | "it"))
        }) {
            hints.doubts = true;
            doubt.len() + usize::from(words.get(doubt.len()) == Some(&"that"))
        } else if is_filler(first)
            || (matches!(first, "so" | "and" | "but" | "also" | "then" | "plus")
                && words.get(1).is_some_and(|next| *next != "not"))
            || (matches!(first, "because" | "since" | "though" | "although" | "while" | "after" | "ever")
                && words
                    .get(1)
                    .is_some_and(|next| words!("i we my our he she they the since").contains(*next)))
            || is_address(&tokens)
        {
            hints.also |= first == "also" || first == "plus";
            1
        } else {
            0
        };
        if skip == 0 {
            break;
        }
        tokens.drain(..skip.min(tokens.len()));
    }
    tokens
}

/// Returns true for a form of address, `Luna, …`: a name and a comma before a subject.
fn is_address(tokens: &[WordToken]) -> bool {
    let introduces = tokens.iter().skip(3).take(2).any(|token| lexicon::relation(&token.low).is_some())
        && tokens.iter().skip(4).take(4).any(|token| token.low == ",");
    !introduces
        && matches!(tokens, [name, comma, next, ..] if name.is_capital && comma.low == "," && matches!(next.low.as_str(), "i" | "we" | "my" | "our" | "please"))
}
