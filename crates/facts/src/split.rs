//! Splits a sentence into pieces with one statement each.

use std::ops::Range;

use jiff::civil::Date;

use super::clause::{ClauseHints, SentencePiece, take_times};
use super::clause_link::ClauseLink;
use super::lexicon;
use super::openings::{is_filler, openings};
use super::sentence::{MessageSentence, is_laugh};
use super::time::{TimeExpression, TimeKind};
use super::token::WordToken;
use super::verbs::{self, VerbForm};

fn is_doubt(word: &str) -> bool {
    matches!(word, "probably" | "presumably" | "possibly")
}

/// Returns true for words that make the surrounding statement a mere thought.
pub fn is_thought(word: &str) -> bool {
    words!(
        "maybe perhaps whether tempted considering hypothetical supposedly allegedly wondering debating \
        toying"
    )
    .contains(word)
}

/// Splits a sentence into pieces.
pub fn pieces(sentence: &MessageSentence, today: Date) -> Vec<SentencePiece> {
    let mut hints = ClauseHints::default();
    let (tokens, whens) = take_times(&sentence.tokens, today);
    let tokens = openings(tokens, &mut hints);
    let tokens = adverbs(&tokens, &mut hints);
    let mut cuts: Vec<(usize, usize, ClauseLink, bool)> = vec![(0, 0, ClauseLink::Main, false)];
    let mut at = 0;
    let mut progressive = false;
    while at < tokens.len() {
        let token = &tokens[at];
        progressive |= token.low.ends_with("ing");
        // `when I was a student I lived in Rome`
        if let Some(&(_, start, ClauseLink::When, _)) = cuts.last()
            && matches!(token.low.as_str(), "i" | "we")
            && at > start + 1
        {
            cuts.push((at, at, ClauseLink::Main, false));
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
    for (number, &(joint, start, link, dead)) in cuts.iter().enumerate() {
        let end = cuts.get(number + 1).map_or(tokens.len(), |next| next.0);
        if dead || start >= end {
            continue;
        }
        let slice = &tokens[start..end];
        // *…, and since May I live in Rome*: a time between the conjunction and the clause belongs to the clause.
        let first = slice.first().map_or(0, |token| token.at);
        let low = match number {
            0 => 0,
            _ if start > joint => tokens[start - 1].at + 1,
            _ => first,
        };
        let high = tokens.get(end).map_or(usize::MAX, |token| token.at);
        let is_own = |place: usize, when: &TimeExpression| {
            (low..high).contains(&place) && (place >= first || when.kind != TimeKind::Now || number == 0)
        };
        let own: Vec<_> =
            whens.iter().filter(|(place, when)| is_own(*place, when)).map(|(_, when)| *when).collect();
        let own = if is_added(slice, &whens, low..high) { Vec::new() } else { own };
        let mut own_hints = hints;
        own_hints.is_now |= own.iter().any(|when| when.kind == TimeKind::Now);
        let from = sentence.tokens.get(low).map_or(slice[0].range.start, |token| token.range.start);
        let last = sentence.tokens[..high.min(sentence.tokens.len())]
            .iter()
            .rev()
            .find(|token| !token.is_mark() && !is_joint(&token.low));
        let to = last.map_or(from, |token| token.range.end).max(slice[slice.len() - 1].range.end);
        pieces.push(SentencePiece {
            tokens: slice.to_vec(),
            whens: own,
            hints: own_hints,
            link,
            range: from..to,
        });
    }
    pieces
}

/// Returns true if a time belongs to an addition after the state: *I'm autistic, in therapy since spring*.
fn is_added(slice: &[WordToken], whens: &[(usize, TimeExpression)], range: Range<usize>) -> bool {
    let is_state = slice.iter().take(2).any(|token| matches!(token.low.as_str(), "am" | "is" | "are"));
    let Some(comma) = slice.iter().position(|token| token.low == ",").filter(|_| is_state) else {
        return false;
    };
    let after = &slice[comma + 1..];
    let mut own = whens.iter().filter(|(place, _)| range.contains(place)).peekable();
    own.peek().is_some()
        && own.all(|(place, _)| {
            let added = after.iter().filter(|token| token.at < *place && !token.is_mark()).count();
            added >= 2
        })
}

fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "but" | "so" | "because" | "though" | "although" | "while")
}

/// Removes adverbs and records their meaning as hints.
fn adverbs(tokens: &[WordToken], hints: &mut ClauseHints) -> Vec<WordToken> {
    let mut kept: Vec<WordToken> = Vec::with_capacity(tokens.len());
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
                        !words!("a the my this that some favourite what").contains(last.low.as_str())
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
            // A capitalised filler may be a name.
            word if is_filler(word) && !token.is_capital => {}
            word if is_filler(word) && kept.is_empty() => {}
            word if is_doubt(word) => hints.doubts = true,
            _ => kept.push(token.clone()),
        }
        at += used;
    }
    while kept.last().is_some_and(WordToken::is_mark) && kept.last().is_some_and(|last| last.low != "\u{1}") {
        kept.pop();
    }
    kept
}

/// Returns the boundary at a position: the number of tokens to skip, the link to the next piece, and whether that piece
/// is dropped.
fn boundary(
    tokens: &[WordToken],
    from: usize,
    at: usize,
    progressive: bool,
) -> Option<(usize, ClauseLink, bool)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let here = word(at);
    let comma = usize::from(words!(", - — – ( ) : … . !").contains(here) || at > 0 && is_laugh(here));
    if comma == 0 && runs_on(tokens, from, at) {
        return Some((0, ClauseLink::Main, false));
    }
    let joint = word(at + comma);
    let starts = |skip: usize| starts_clause(&tokens[(at + skip).min(tokens.len())..], progressive);
    match joint {
        "if" | "unless" | "whether" => return Some((comma, ClauseLink::Main, true)),
        "but" | "because" | "though" | "although" | "whereas" | "yet" if at > 0 || comma > 0 => {
            let not = usize::from(word(at + comma + 1) == "not" && joint == "but");
            return (not == 0 && !(joint == "but" && comma == 0 && is_not_but(tokens, at))
                || starts(comma + 1))
            .then_some((comma + 1, ClauseLink::Main, false));
        }
        "who" | "which" if at > 0 => return Some((comma + 1, ClauseLink::Relative, false)),
        "when" | "while" | "where"
            if (at > 0 || joint == "when")
                && starts(comma + 1)
                && !(joint == "where" && comma == 0 && matches!(word(at.wrapping_sub(1)), "is" | "was")) =>
        {
            let link = if joint == "when" { ClauseLink::When } else { ClauseLink::Main };
            return Some((comma + 1, link, false));
        }
        "as" if word(at + comma + 1) == "soon" && word(at + comma + 2) == "as" && starts(comma + 3) => {
            return Some((comma + 3, ClauseLink::Once, false));
        }
        "once" | "until" | "till" if starts(comma + 1) => return Some((comma + 1, ClauseLink::Once, false)),
        "so" | "then" | "except" | "since" | "after" | "before" | "plus" | "cause"
            if at > 0 && starts(comma + 1) =>
        {
            return Some((comma + 1, ClauseLink::Main, false));
        }
        "as" if at > 0 && matches!(word(at + comma + 1), "i" | "we" | "he" | "she" | "they") => {
            return Some((comma + 1, ClauseLink::Main, false));
        }
        "and" | "or" if at > 0 => {
            // `Tom and his wife moved`: a joint subject.
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
            return starts(skip).then_some((skip, ClauseLink::Main, false));
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
        return Some((1, ClauseLink::Main, false));
    }
    None
}

/// Returns true for a second clause without a separator: *My brother is 19 he's at uni*.
fn runs_on(tokens: &[WordToken], from: usize, at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let is_told = at >= from + 4
        && matches!(word(from), "my" | "our")
        && lexicon::relation(word(from + 1)).is_some()
        && word(from + 2) == "is";
    // *… the person she is*
    let is_closed =
        word(at.wrapping_sub(1)).parse::<u8>().is_ok() || lexicon::is_occupation(&[word(at.wrapping_sub(1))]);
    is_told && is_closed && matches!(word(at), "he" | "she") && is_finite(word(at + 1))
}

/// Returns true for `not Lyon but Paris`, which is a single statement.
fn is_not_but(tokens: &[WordToken], at: usize) -> bool {
    tokens[at.saturating_sub(4)..at].iter().any(|token| token.low == "not")
}

/// Returns true if a clause can begin here.
fn starts_clause(tokens: &[WordToken], progressive: bool) -> bool {
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
        // *I feel like a boy and also like a traitor*
        "not" | "like" => false,
        "let" | "please" | "any" | "do" | "does" | "did" | "can" | "could" | "would" | "should" | "what"
        | "how" | "will" => true,
        "" => false,
        first => {
            if let Some((_, form)) = verbs::lemma(first) {
                let object = word(1);
                return match form {
                    VerbForm::Past | VerbForm::Third | VerbForm::Participle => {
                        !matches!(first, "left" | "plans" | "plays" | "works" | "drives" | "runs" | "dates")
                            // *… lives in Rome and works as a nurse*
                            || first == "works" && matches!(object, "as" | "at" | "for" | "in" | "with")
                    }
                    VerbForm::Base => {
                        !object.is_empty()
                            && !tokens.get(1).is_some_and(WordToken::is_mark)
                            && lexicon::family(first).is_none()
                            && !matches!(object, "and" | "or")
                    }
                    VerbForm::Gerund => {
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
                    || verbs::lemma(word(1)).is_some_and(|(_, form)| form == VerbForm::Third))
        }
    }
}

fn is_finite(word: &str) -> bool {
    words!("is are was were am has have had will can does did do would 's").contains(word)
        || verbs::lemma(word)
            .is_some_and(|(_, form)| matches!(form, VerbForm::Third | VerbForm::Past | VerbForm::Base))
}
