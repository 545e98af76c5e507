//! Splits a message into sentences, and recognises those that state nothing: questions, jokes, role play.

use std::ops::Range;

use super::token::{WordToken, tokens};

pub struct MessageSentence {
    pub tokens: Vec<WordToken>,
    pub range: Range<usize>,
    pub is_question: bool,
}

const ABBREVIATIONS: &[&str] = &[
    "dr", "mr", "mrs", "ms", "st", "prof", "rev", "fr", "sgt", "capt", "jr", "sr", "vs", "etc", "no",
    "approx", "e.g", "i.e", "inc", "ltd", "co", "ft", "jan", "feb", "aug", "sept", "oct", "nov", "dec",
];
/// The maximum length of a sentence in bytes.
const LONGEST: usize = 1200;

/// Returns the sentences of a message. In `own` the parts that are not the user's own words are blanked.
pub fn sentences(own: &str) -> Vec<MessageSentence> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut letters = own.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or('\n', |(_, next)| *next);
        let ends = match letter {
            '\n' | '!' | '?' | ';' | '…' => true,
            '.' => (next.is_whitespace() || !next.is_ascii()) && !is_abbreviated(&own[start..at]),
            _ => is_picture(letter) && next.is_whitespace(),
        };
        if !ends && at - start < LONGEST {
            continue;
        }
        let end = at + letter.len_utf8();
        let whole = &own[start..end];
        let is_question = letter == '?' || whole.trim_end().ends_with('?');
        push(&mut found, own, start..end, is_question);
        start = end;
    }
    push(&mut found, own, start..own.len(), false);
    found
}

fn push(found: &mut Vec<MessageSentence>, own: &str, range: Range<usize>, is_question: bool) {
    if own[range.clone()].chars().all(|c| !c.is_alphanumeric()) {
        // `?!` belongs to the sentence before it, and so does an emoji.
        let asks = own[range.clone()].contains('?');
        let joins = own[range.clone()].chars().any(is_picture) || asks;
        if joins && let Some(last) = found.last_mut() {
            last.is_question |= asks;
            last.tokens.extend(tokens(&own[range.clone()], range.start));
        }
        return;
    }
    let tokens = tokens(&own[range.clone()], range.start);
    found.push(MessageSentence { tokens, range, is_question });
}

fn is_abbreviated(before: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("").to_lowercase();
    ABBREVIATIONS.contains(&word.as_str())
        || (word.len() == 1 && word != "i" && word.as_bytes()[0].is_ascii_alphabetic())
}

fn is_picture(letter: char) -> bool {
    matches!(u32::from(letter), 0x2600..=0x27BF | 0x1F300..=0x1FAFF)
}

/// The degree to which a sentence is meant seriously.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seriousness {
    Yes,
    /// With a laugh: only statements about things that are known to exist are meant.
    Laughing,
    /// This sentence is not meant.
    No,
    /// No sentence of the message is meant.
    Nothing,
    /// Neither this sentence nor the one before it is meant.
    NorBefore,
}

/// Judges whether a sentence is meant seriously, by typical markers.
pub fn seriousness(sentence: &MessageSentence) -> Seriousness {
    let words: Vec<&str> =
        sentence.tokens.iter().map(|token| token.low.as_str()).filter(|word| !is_plain_mark(word)).collect();
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
    let any = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let kidding = any(&["jk", "j/k", "kidding", "joking", "jokes"])
        && !has(&["not", "kidding"])
        && !has(&["not", "joking"]);
    let taken_back = has(&["not", "really"]) && words.len() <= 4
        || has(&["april", "fools"])
        || has(&["got", "you"]) && words.len() <= 3
        || has(&["just", "messing"])
        || has(&["made", "that", "up"]);
    if kidding || taken_back {
        return Seriousness::Nothing;
    }
    if any(&[
        "roleplay",
        "role-play",
        "roleplaying",
        "role-playing",
        "hypothetically",
        "lyrics",
        "screenplay",
    ]) || has(&["let", "us", "pretend"])
        || has(&["let", "us", "play"])
        || has(&["let", "us", "say"])
        || has(&["act", "as"])
        || has(&["role", "play"])
        || has(&["once", "upon"])
        || has(&["thought", "experiment"])
        || has(&["two", "truths"])
        || has(&["argument", "'s", "sake"])
        || is_for_the_sake(&words)
        // *You be the waiter*
        || has(&["you", "be", "the"]) && has(&["i", "will", "be"])
        || words.starts_with(&["say", "that", "i"])
        || words.starts_with(&["say", "i"])
        || words.starts_with(&["say", "my"])
        // *You're an interviewer and I'm a nurse*
        || matches!(words.as_slice(), ["you", "are", "a" | "an" | "the" | "my", ..])
            && (has(&["and", "i", "am"]) || has(&["i", "am", "a"]))
        || (has(&["you", "are"]) || has(&["i", "am"]) || has(&["pretend"]))
            && (any(&["character", "pretend"]))
    {
        return Seriousness::Nothing;
    }
    // *Don't remember this: I live in Graz* must not be stored.
    let mut forbidden = words.iter().skip_while(|word| words!("please luna but and so").contains(**word));
    if forbidden.next() == Some(&"do")
        && forbidden.next() == Some(&"not")
        && forbidden
            .next()
            .is_some_and(|verb| words!("remember save note store keep record memorise log").contains(*verb))
        && forbidden.next().is_some_and(|what| words!("this that it what any my i the these").contains(*what))
    {
        return Seriousness::Nothing;
    }
    // *Forget that I live in Rome* is a request and states nothing new.
    let mut asked = words
        .iter()
        .skip_while(|word| words!("please hey luna now ok so can could would you just").contains(**word));
    let asks_to_forget = asked.next() == Some(&"forget")
        && asked
            .next()
            .is_some_and(|next| words!("that what my about everything it i all the this").contains(*next));
    if asks_to_forget {
        return Seriousness::No;
    }
    let doubting = has(&["yeah", "right"])
        || words.starts_with(&["as", "if"])
        || has(&["oh", "sure"])
        || has(&["no", "way"]) && words.len() <= 2
        || has(&["no", "way", "i"])
        || has(&["said", "no", "one", "ever"]);
    if doubting {
        return if words.len() <= 3 { Seriousness::NorBefore } else { Seriousness::No };
    }
    // *My dad died. In the game I mean.*
    if words.len() <= 6
        && words.first() == Some(&"in")
        && has(&["i", "mean"])
        && is_elsewhere(&sentence.tokens)
    {
        return Seriousness::NorBefore;
    }
    let laughing = words.iter().any(|word| is_laugh(word));
    let winking = words.iter().any(|word| words!("😂 🤣 😉 😜 😝 🙃 🙄 😏 /s xd 🤪").contains(*word))
        || sentence.tokens.windows(2).any(|pair| {
            matches!(
                (pair[0].low.as_str(), pair[1].low.as_str()),
                ("/", "s") | (":", "p") | (";", ")") | (":p", _)
            ) && pair[1].range.start == pair[0].range.end
        });
    // *lol, no seriously* is meant seriously.
    let meant =
        any(&["seriously"]) || has(&["for", "real"]) || has(&["no", "joke"]) || has(&["not", "kidding"]);
    if (laughing || winking) && !meant {
        return match words.len() {
            ..=2 => Seriousness::NorBefore,
            _ if winking => Seriousness::No,
            _ => Seriousness::Laughing,
        };
    }
    Seriousness::Yes
}

pub fn is_laugh(word: &str) -> bool {
    matches!(word, "lol" | "lmao" | "rofl" | "lmfao" | "hehe") || word.len() >= 4 && word.starts_with("haha")
}

fn is_plain_mark(word: &str) -> bool {
    matches!(word, "," | "." | "!" | "?" | ";" | "(" | ")" | "-" | "—" | "–" | "…" | ":" | "\"" | "*")
}

/// Returns true for sentences about fiction, dreams and suppositions, which state no facts.
pub fn is_elsewhere(tokens: &[WordToken]) -> bool {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window == phrase);
    let place = |word: &str| {
        words!(
            "story novel dream game movie film play song poem book series show simulation fantasy script \
            scene fanfic campaign sims minecraft joke"
        )
        .contains(word)
    };
    let whose = |word: &str| matches!(word, "the" | "my" | "a" | "this" | "that" | "our");
    words.windows(3).any(|window| {
        window[0] == "in"
            && whose(window[1])
            && place(window[2])
            // *In my book* expresses an opinion.
            && window[1..] != ["my", "book"]
    }) || words.windows(6).any(|window| {
        window[0] == "in"
            && whose(window[1])
            && window[2..].iter().any(|word| matches!(*word, "campaign" | "novel" | "game"))
    }) || has(&["in", "minecraft"])
        || has(&["in", "another", "life"])
        || has(&["in", "a", "past", "life"])
        || has(&["in", "a", "parallel", "universe"])
        || has(&["in", "theory"])
        || has(&["my", "character"])
        || has(&["the", "character"])
        || has(&["the", "narrator"])
        || has(&["i", "dreamt"])
        || has(&["i", "dreamed"])
        || has(&["had", "a", "dream"])
        || has(&["have", "a", "dream", "that"])
        || is_likened(&words)
        || is_untrue(&words)
        || is_mimicked(&words)
        || words.iter().enumerate().any(|(at, word)| {
            // *I couldn't imagine* and *I suppose I'm a convert* only express caution.
            let denied = at > 0 && (words[at - 1] == "not" || words[at - 1] == "i" && *word == "suppose")
                // *Wish me luck*
                || *word == "wish" && words.get(at + 1) == Some(&"me")
                || is_said_in_passing(&words, at);
            !denied
                && words!(
                    "imagine pretend pretending suppose supposing wish wishing fictional imagining \
                    nightmare"
                )
                .contains(*word)
        })
}

/// Returns true for assumptions: *For the sake of the game I'm 99 years old*
fn is_for_the_sake(words: &[&str]) -> bool {
    let Some(at) = words.windows(2).position(|pair| pair == ["sake", "of"]) else { return false };
    words[at + 2..].iter().find(|word| !matches!(**word, "the" | "this" | "our" | "a")).is_some_and(|what| {
        words!("argument game story simplicity test exercise example discussion play").contains(*what)
    })
}

/// Returns true for informal quotations: *He goes like, I hate my wife*
fn is_mimicked(words: &[&str]) -> bool {
    words.windows(5).any(|window| {
        words!("he she they who guy").contains(window[0])
            && words!("goes went is was are were").contains(window[1])
            && match window[2..] {
                ["like" | "all", ",", who] | [",", "like", who] => matches!(who, "i" | "my" | "we"),
                ["like" | ",", who, _] => matches!(who, "i" | "my" | "we") && window[1] != "is",
                _ => false,
            }
    })
}

/// Returns true for comparisons: *I feel like I'm 100 years old*.
fn is_likened(words: &[&str]) -> bool {
    let is_who = |word: &str| matches!(word, "i" | "we" | "my" | "our");
    words.windows(3).any(|window| {
        words!("feel feels felt feeling look looks sound sounds act acts treats treat").contains(window[0])
            && window[1] == "like"
            && is_who(window[2])
    }) || words
        .windows(3)
        .any(|window| window[0] == "as" && matches!(window[1], "if" | "though") && is_who(window[2]))
}

/// Returns true for statements that are called false or unknown: *I lied when I said that I live in Lyon*, *I wonder if
/// I'm allergic*.
fn is_untrue(words: &[&str]) -> bool {
    let lies = words
        .windows(2)
        .any(|pair| matches!(pair, ["i" | "we", "lied"] | ["am" | "was" | "been", "lying"] | ["a", "lie"]))
        && words.iter().any(|word| words!("when about that saying").contains(*word));
    let is_false = words
        .windows(3)
        .any(|window| matches!(window, ["not" | "never", "true", "that"] | ["is" | "was", "false", "that"]));
    lies || is_false || is_unknown(words)
}

/// Returns true for *I wonder if …*, *I'm not sure whether …*
fn is_unknown(words: &[&str]) -> bool {
    words.windows(2).enumerate().any(|(at, pair)| {
        let denied = || {
            words[at.saturating_sub(3)..at].iter().any(|word| words!("not no cannot never").contains(*word))
        };
        matches!(pair[1], "if" | "whether")
            && (words!("wonder wondering wondered unsure doubt doubtful").contains(pair[0])
                || words!("idea clue sure certain know tell remember").contains(pair[0]) && denied())
    })
}

/// Returns true if *imagine* is only a figure of speech: *So you can imagine the mood*.
pub fn is_said_in_passing(words: &[&str], at: usize) -> bool {
    words[at] == "imagine" && at > 1 && matches!(words[at - 2..at], ["you", "can"] | ["can", "you"])
}
