//! A sentence in pieces, each with one thing to say.

use jiff::civil::Date;

use super::clause::{Hints, Link, Piece, take_times};
use super::lexicon;
use super::sentence::Sentence;
use super::time::Sort;
use super::token::Token;
use super::verbs::{self, Form};

/// What people put before what they say.
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
/// The same, where they ask that it be kept.
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
/// Unsure, but said.
const DOUBTS: &[&[&str]] = &[
    &["i", "think"],
    &["i", "believe"],
    &["i", "guess"],
    &["i", "reckon"],
    &["i", "suppose"],
    &["i", "feel", "like"],
];

fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "really"
            | "honestly"
            | "basically"
            | "literally"
            | "simply"
            | "totally"
            | "absolutely"
            | "definitely"
            | "truly"
            | "quite"
            | "tbh"
            | "btw"
            | "well"
            | "oh"
            | "hey"
            | "hi"
            | "hello"
            | "hiya"
            | "yes"
            | "yeah"
            | "yep"
            | "yup"
            | "ok"
            | "okay"
            | "anyway"
            | "anyways"
            | "luckily"
            | "sadly"
            | "unfortunately"
            | "fortunately"
            | "officially"
            | "finally"
            | "recently"
            | "lately"
            | "just"
            | "please"
            | "um"
            | "uh"
            | "hmm"
            | "ah"
            | "aw"
            | "ugh"
            | "wow"
            | "yay"
            | "woohoo"
            | "whoa"
            | "omg"
            | "haha"
            | "apparently"
            | "obviously"
            | "still"
            | "already"
            | "too"
            | "personally"
            | "eventually"
            | "happily"
            | "proudly"
            | "mostly"
            | "mainly"
            | "even"
            | "certainly"
            | "indeed"
            | "genuinely"
            | "ngl"
            | "update"
            | "news"
            | "ps"
            | "p.s"
            | "dear"
            | "diary"
            | "newly"
            | "suddenly"
            | "temporarily"
            | "permanently"
            | "freshly"
            | "originally"
            | "gladly"
            | "kindly"
            | "sincerely"
            | "secretly"
            | "deeply"
            | "highly"
            | "extremely"
            | "severely"
            | "seriously"
            | "mildly"
            | "slightly"
            | "rather"
            | "pretty"
            | "very"
            | "tragically"
            | "clearly"
            | "surely"
            | "perfectly"
            | "initially"
            | "long"
            | "soon"
            | "later"
    )
}

fn is_doubt(word: &str) -> bool {
    matches!(word, "probably" | "presumably" | "possibly")
}

/// Words that make what stands around them a mere thought.
pub fn is_thought(word: &str) -> bool {
    matches!(
        word,
        "maybe"
            | "perhaps"
            | "whether"
            | "tempted"
            | "considering"
            | "hypothetical"
            | "supposedly"
            | "allegedly"
            | "wondering"
            | "debating"
            | "toying"
    )
}

/// The pieces of a sentence.
pub fn pieces(sentence: &Sentence, today: Date) -> Vec<Piece> {
    let mut hints = Hints::default();
    let (tokens, whens) = take_times(&sentence.tokens, today);
    let tokens = openings(tokens, &mut hints);
    let tokens = adverbs(&tokens, &mut hints);
    let mut cuts: Vec<(usize, usize, Link, bool)> = vec![(0, 0, Link::Main, false)];
    let mut at = 0;
    let mut progressive = false;
    while at < tokens.len() {
        let token = &tokens[at];
        progressive |= token.low.ends_with("ing");
        // `when I was a student I lived in Rome`
        if let Some(&(_, start, Link::When, _)) = cuts.last()
            && matches!(token.low.as_str(), "i" | "we")
            && at > start + 1
        {
            cuts.push((at, at, Link::Main, false));
        }
        let from = cuts.last().map_or(0, |cut| cut.1);
        if let Some((skip, link, dead)) = boundary(&tokens, from.min(at), at, progressive) {
            cuts.push((at, at + skip, link, dead));
            at += skip.max(1);
        } else {
            at += 1;
        }
    }
    let mut pieces = Vec::new();
    for (number, &(_, start, link, dead)) in cuts.iter().enumerate() {
        let end = cuts.get(number + 1).map_or(tokens.len(), |next| next.0);
        if dead || start >= end {
            continue;
        }
        let slice = &tokens[start..end];
        let low = slice.first().map_or(0, |token| if number == 0 { 0 } else { token.at });
        let high = tokens.get(end).map_or(usize::MAX, |token| token.at);
        let own: Vec<_> =
            whens.iter().filter(|(place, _)| (low..high).contains(place)).map(|(_, when)| *when).collect();
        let mut own_hints = hints;
        own_hints.is_now |= own.iter().any(|when| when.sort == Sort::Now);
        let from = sentence.tokens.get(low).map_or(slice[0].range.start, |token| token.range.start);
        let last = sentence.tokens[..high.min(sentence.tokens.len())]
            .iter()
            .rev()
            .find(|token| !token.is_mark() && !is_joint(&token.low));
        let to = last.map_or(from, |token| token.range.end).max(slice[slice.len() - 1].range.end);
        pieces.push(Piece { tokens: slice.to_vec(), whens: own, hints: own_hints, link, range: from..to });
    }
    pieces
}

fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "but" | "so" | "because" | "though" | "although" | "while")
}

/// `Actually …`, `no, …`: what was said before was wrong.
fn is_correction(words: &[&str]) -> bool {
    match words {
        ["actually" | "correction" | "sorry" | "wait" | "nope" | "nah" | "edit" | "oops", ..] => true,
        ["no", next, ..] => {
            matches!(
                *next,
                "," | "i" | "my" | "it" | "she" | "he" | "her" | "his" | "we" | "the" | "actually"
            )
        }
        _ => false,
    }
}

/// What is told, without what people put before it: *by the way*, *big news:*.
pub fn opened(tokens: &[Token]) -> Vec<Token> {
    let colon = tokens.iter().take(9).position(|token| token.low == ":");
    let announces = |token: &Token| {
        matches!(
            token.low.as_str(),
            "news"
                | "update"
                | "tell"
                | "announcement"
                | "official"
                | "happened"
                | "chapter"
                | "twist"
                | "status"
                | "note"
                | "fact"
                | "breaking"
                | "reminder"
                | "heads"
                | "psa"
                | "headline"
                | "listen"
                | "ready"
                | "share"
                | "know"
                | "announce"
                | "say"
                | "change"
                | "confession"
                | "latest"
                | "fyi"
                | "ps"
        )
    };
    // `FYI, new car: a Golf` announces, and says of what.
    let tells = |token: &Token| {
        lexicon::animal(&token.low).is_some()
            || lexicon::thing(&token.low).is_some()
            || matches!(
                token.low.as_str(),
                "favourite"
                    | "job"
                    | "role"
                    | "home"
                    | "address"
                    | "name"
                    | "birthday"
                    | "employer"
                    | "title"
                    | "base"
            )
    };
    let start = colon
        .filter(|at| tokens[..*at].iter().any(announces) && !tokens[..*at].iter().any(tells))
        .map_or(0, |at| at + 1);
    // `Felix, my best friend, lives in Graz` opens with whom it is about.
    let introduces = |tokens: &[Token]| {
        matches!(tokens, [_, comma, my, rest @ ..] if comma.low == "," && matches!(my.low.as_str(), "my" | "our" | "a")
            && rest.iter().take(3).any(|token| lexicon::relation(&token.low).is_some()))
    };
    let told = tokens[start..].to_vec();
    if introduces(&told) && !lexicon::is_interjection(&told[0].low) {
        return told;
    }
    openings(told, &mut Hints::default())
}

/// Takes the openings off.
fn openings(mut tokens: Vec<Token>, hints: &mut Hints) -> Vec<Token> {
    for _ in 0..6 {
        let words: Vec<&str> = tokens.iter().take(9).map(|token| token.low.as_str()).collect();
        let first = words.first().copied().unwrap_or("");
        let skip = if matches!(first, "," | ":" | "-" | "—" | "–" | ")" | "(" | "*" | "." | "!" | "•" | "#")
            || first == "\u{1}" && words.len() > 2
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
                && words.get(1).is_some_and(|next| {
                    matches!(*next, "i" | "we" | "my" | "our" | "he" | "she" | "they" | "the" | "since")
                }))
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

/// `Luna, …`: a word and a comma, before a subject.
fn is_address(tokens: &[Token]) -> bool {
    let introduces = tokens.iter().skip(3).take(2).any(|token| lexicon::relation(&token.low).is_some())
        && tokens.iter().skip(4).take(4).any(|token| token.low == ",");
    !introduces
        && matches!(tokens, [name, comma, next, ..] if name.is_capital && comma.low == "," && matches!(next.low.as_str(), "i" | "we" | "my" | "our" | "please"))
}

/// Takes the little words out that say how, and notes what they say.
fn adverbs(tokens: &[Token], hints: &mut Hints) -> Vec<Token> {
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let next = tokens.get(at + 1).map_or("", |token| token.low.as_str());
        let after = tokens.get(at + 2).map_or("", |token| token.low.as_str());
        let token = &tokens[at];
        let mut used = 1;
        match token.low.as_str() {
            "any" if next == "more" && !matches!(after, "than") => {
                hints.is_over = true;
                used = 2;
            }
            "any" if next == "longer" => {
                hints.is_over = true;
                used = 2;
            }
            "not" if next == "actually" => {
                kept.push(token.clone());
                used = 2;
            }
            "actually" => hints.corrects = true,
            "instead" if next != "of" => hints.corrects = true,
            "again" => hints.again = true,
            "kind" | "sort"
                if next == "of"
                    && kept.last().is_some_and(|last| {
                        !matches!(
                            last.low.as_str(),
                            "a" | "the" | "my" | "this" | "that" | "some" | "favourite" | "what"
                        )
                    }) =>
            {
                used = 2;
            }
            "a" if next == "lot" || next == "bit" => used = if after == "of" { 3 } else { 2 },
            "so" if (next == "much"
                || kept
                    .last()
                    .is_some_and(|last| matches!(last.low.as_str(), "am" | "is" | "love" | "do")))
                && next != "that" =>
            {
                used = 1 + usize::from(next == "much");
            }
            "always" | "usually" | "often" | "normally" | "typically" | "generally" | "regularly"
            | "mostly" => {
                hints.often = true;
            }
            "only" | "mainly"
                if kept.last().is_some_and(|last| matches!(last.low.as_str(), "i" | "we" | "am")) => {}
            "also" => hints.also = true,
            "pretty" | "very" | "rather" | "long" | "well" | "soon" | "later" | "even"
                if kept
                    .last()
                    .is_some_and(|last| last.low == "a" || last.low == "the" || last.low == "as") =>
            {
                kept.push(token.clone());
            }
            // A name may be one of them.
            word if is_filler(word) && !token.is_capital => {}
            word if is_filler(word) && kept.is_empty() => {}
            word if is_doubt(word) => hints.doubts = true,
            _ => kept.push(token.clone()),
        }
        at += used;
    }
    while kept.last().is_some_and(Token::is_mark) && kept.last().is_some_and(|last| last.low != "\u{1}") {
        kept.pop();
    }
    kept
}

/// Whether a piece ends here: how many tokens stand between, how the next one hangs on, and whether it counts at all.
fn boundary(tokens: &[Token], from: usize, at: usize, progressive: bool) -> Option<(usize, Link, bool)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let here = word(at);
    let comma = usize::from(matches!(here, "," | "-" | "—" | "–" | "(" | ")" | ":" | "…" | "." | "!"));
    let joint = word(at + comma);
    let starts = |skip: usize| starts_clause(&tokens[(at + skip).min(tokens.len())..], progressive);
    match joint {
        "if" | "unless" | "whether" => return Some((comma, Link::Main, true)),
        "but" | "because" | "though" | "although" | "whereas" | "yet" if at > 0 || comma > 0 => {
            let not = usize::from(word(at + comma + 1) == "not" && joint == "but");
            return (not == 0 && !(joint == "but" && comma == 0 && is_not_but(tokens, at))
                || starts(comma + 1))
            .then_some((comma + 1, Link::Main, false));
        }
        "who" | "which" if at > 0 => return Some((comma + 1, Link::Relative, false)),
        "when" | "while" | "where"
            if (at > 0 || joint == "when")
                && starts(comma + 1)
                && !(joint == "where" && comma == 0 && matches!(word(at.wrapping_sub(1)), "is" | "was")) =>
        {
            let link = if joint == "when" { Link::When } else { Link::Main };
            return Some((comma + 1, link, false));
        }
        "so" | "then" | "since" | "after" | "before" | "until" | "plus" | "cause" | "once"
            if at > 0 && starts(comma + 1) =>
        {
            return Some((comma + 1, Link::Main, false));
        }
        "as" if at > 0 && matches!(word(at + comma + 1), "i" | "we" | "he" | "she" | "they") => {
            return Some((comma + 1, Link::Main, false));
        }
        "and" | "or" if at > 0 => {
            // `Tom and his wife moved`: two who do one thing.
            if joint == "and"
                && comma == 0
                && !tokens[from..at].iter().any(|token| is_finite(&token.low))
                && matches!(word(at + 1), "his" | "her" | "i" | "my" | "their" | "our")
            {
                return None;
            }
            let mut skip = comma + 1;
            while matches!(word(at + skip), "then" | "so" | "also" | "now" | "because" | "that" | "since") {
                skip += 1;
            }
            return starts(skip).then_some((skip, Link::Main, false));
        }
        _ => {}
    }
    if comma == 0
        || at == 0
        || (here == ":"
            && (word(at - 1) == "name" || tokens[from..at].iter().any(|token| token.low == "favourite"))
            && !starts(1))
    {
        return None;
    }
    let hard = here != ",";
    if hard || starts(1) {
        return Some((1, Link::Main, false));
    }
    None
}

/// `not Lyon but Paris` is one thing.
fn is_not_but(tokens: &[Token], at: usize) -> bool {
    tokens[at.saturating_sub(4)..at].iter().any(|token| token.low == "not")
}

/// Whether a clause could begin here.
fn starts_clause(tokens: &[Token], progressive: bool) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let has_verb = |from: usize| {
        tokens
            .iter()
            .skip(from)
            .take(6)
            .take_while(|token| !token.is_mark() || token.low == ",")
            .any(|token| is_finite(&token.low))
    };
    match word(0) {
        "i" | "we" | "he" | "she" | "they" | "you" => true,
        "it" | "that" | "this" | "there" => is_finite(word(1)),
        "my" | "our" | "his" | "her" | "their" | "its" | "the" => has_verb(1),
        "not" => false,
        "let" | "please" | "any" | "do" | "does" | "did" | "can" | "could" | "would" | "should" | "what"
        | "how" | "will" => true,
        "" => false,
        first => {
            if let Some((_, form)) = verbs::lemma(first) {
                let object = word(1);
                return match form {
                    Form::Past | Form::Third | Form::Participle => {
                        !matches!(first, "left" | "plans" | "plays" | "works" | "drives" | "runs" | "dates")
                    }
                    Form::Base => {
                        !object.is_empty()
                            && !tokens.get(1).is_some_and(Token::is_mark)
                            && lexicon::family(first).is_none()
                            && !matches!(object, "and" | "or")
                    }
                    Form::Gerund => {
                        progressive
                            && matches!(
                                first,
                                "working" | "living" | "studying" | "starting" | "moving" | "having"
                            )
                    }
                };
            }
            tokens[0].is_capital
                && (matches!(word(1), "is" | "has" | "was")
                    || verbs::lemma(word(1)).is_some_and(|(_, form)| form == Form::Third))
        }
    }
}

fn is_finite(word: &str) -> bool {
    matches!(
        word,
        "is" | "are"
            | "was"
            | "were"
            | "am"
            | "has"
            | "have"
            | "had"
            | "will"
            | "can"
            | "does"
            | "did"
            | "do"
            | "would"
            | "'s"
    ) || verbs::lemma(word).is_some_and(|(_, form)| matches!(form, Form::Third | Form::Past | Form::Base))
}
