//! Clauses: subject, verb, object and time.

use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::Date;

use super::clause_link::ClauseLink;
use super::mentions::{ClauseSubject, Mentions};
use super::names::KnownNames;
use super::subject::{self};
use super::time::{self, TimeExpression, TimeKind};
use super::token::WordToken;
use super::verbs::{self, VerbForm};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tense {
    Present,
    Past,
    Perfect,
    Future,
    /// *Used to*: it was so and no longer is.
    Used,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClauseHints {
    /// True if it corrects or ends something said before: *actually*, *no, …*.
    pub corrects: bool,
    pub is_now: bool,
    /// True for *I think*, *probably*.
    pub doubts: bool,
    /// True for *Remember that …*.
    pub asked: bool,
    /// True for *any more*, *no longer*.
    pub is_over: bool,
    /// True for *again*.
    pub again: bool,
    pub never: bool,
    /// True for *always*, *usually*, *every day*.
    pub often: bool,
    /// True for *another*, *also*: an addition, not a replacement.
    pub also: bool,
}

#[derive(Debug, Clone)]
pub struct Clause<'a> {
    pub text: &'a str,
    pub subject: ClauseSubject,
    /// The base form of the main verb; `be` for *am* and *is*.
    pub verb: &'static str,
    pub form: VerbForm,
    pub tense: Tense,
    pub negated: bool,
    pub progressive: bool,
    /// True for *can*.
    pub able: bool,
    /// True for *would like to*.
    pub wishes: bool,
    /// True if the clause does not name its subject.
    pub elided: bool,
    /// The tokens after the verb.
    pub rest: Vec<WordToken>,
    pub whens: Vec<TimeExpression>,
    pub hints: ClauseHints,
    pub link: ClauseLink,
    pub range: Range<usize>,
    pub today: Date,
}

impl Clause<'_> {
    pub fn words(&self) -> Vec<&str> {
        self.rest.iter().map(|token| token.low.as_str()).collect()
    }

    /// Returns the rest of the clause after its first `tokens` tokens.
    pub fn after(&self, tokens: usize) -> &[WordToken] {
        self.rest.get(tokens..).unwrap_or_default()
    }

    pub fn when(&self, kinds: &[TimeKind]) -> Option<&TimeExpression> {
        self.whens.iter().find(|when| kinds.contains(&when.kind))
    }

    /// Returns true if the clause only makes a comparison: *I'm basically a taxi driver for my kids*.
    pub fn likens(&self) -> bool {
        let said = self.text.get(self.range.clone()).unwrap_or_default().to_lowercase();
        ["basically", "practically", "pretty much", "kind of", "sort of"]
            .iter()
            .any(|words| said.contains(words))
    }

    /// Moves a date without a year into the year that the tense asks for: *I moved in March* means the last one, and
    /// *he retires in June* the next.
    fn date(&mut self) {
        let said = self.text.get(self.range.clone()).unwrap_or_default().to_lowercase();
        let mut words = said.split(|letter: char| !letter.is_alphanumeric());
        let is_weekday = words.clone().any(|word| crate::calendar::weekday(word).is_some());
        let is_open = words
            .clone()
            .any(|word| crate::calendar::month(word).is_some() || time::is_season(word))
            && !words.any(|word| time::is_year(word) || matches!(word, "last" | "this" | "next" | "coming"));
        let years = match self.tense {
            // *I quit in March* looks like the present tense but is not.
            Tense::Present if self.verb == "quit" && !self.progressive => -1,
            Tense::Past | Tense::Perfect | Tense::Used => -1,
            Tense::Present | Tense::Future => 1,
        };
        for when in self.whens.iter_mut().filter(|when| when.kind == TimeKind::At) {
            // *He died on Sunday*
            if is_weekday
                && years < 0
                && when.from == when.to
                && (1..=6).contains(&(when.from - self.today).get_days())
                && let Ok(day) = when.from.checked_sub(7.days())
            {
                (when.from, when.to) = (day, day);
            }
            if !is_open {
                continue;
            }
            let is_wrong = if years < 0 { when.from > self.today } else { when.to < self.today };
            if let (true, Ok(from), Ok(to)) =
                (is_wrong, when.from.checked_add(years.years()), when.to.checked_add(years.years()))
            {
                (when.from, when.to) = (from, to);
            }
        }
    }

    /// Returns true if the clause is about the future.
    pub fn is_ahead(&self) -> bool {
        self.tense == Tense::Future
            || (self.tense == Tense::Present
                && self.whens.iter().any(|when| when.kind == TimeKind::At && when.from > self.today))
    }

    /// Returns true if the clause is only about the past.
    pub fn is_over(&self) -> bool {
        self.tense == Tense::Used
            || (self.link == ClauseLink::When && self.tense != Tense::Present)
            || self.when(&[TimeKind::Past]).is_some()
            || (self.tense == Tense::Past && self.when(&[TimeKind::Throughout]).is_some())
    }
}

/// A piece of a sentence before it is read as a clause.
#[derive(Debug, Clone)]
pub struct SentencePiece {
    pub tokens: Vec<WordToken>,
    pub whens: Vec<TimeExpression>,
    pub hints: ClauseHints,
    pub link: ClauseLink,
    /// The byte range in the message.
    pub range: Range<usize>,
}

/// Reads a piece as a clause: finds the subject and analyses the verb.
pub fn read<'a>(
    text: &'a str,
    piece: SentencePiece,
    names: &KnownNames,
    mentions: &mut Mentions,
    today: Date,
) -> Option<Clause<'a>> {
    let SentencePiece { tokens, whens, mut hints, link, range } = piece;
    let (subject, used) = subject::read(&tokens, names, mentions, link).or_else(|| after_preface(&tokens))?;
    let mut at = used;
    let is_of_person = matches!(subject, ClauseSubject::Person(_));
    let mut clause = Clause {
        text,
        subject,
        verb: "be",
        form: VerbForm::Base,
        tense: Tense::Present,
        negated: false,
        progressive: false,
        able: false,
        wishes: false,
        // *Anna lives in Rome and works as a nurse*: the subject is in the clause before.
        elided: used == 0 && link != ClauseLink::Relative && !is_of_person,
        rest: Vec::new(),
        whens,
        hints,
        link,
        range,
        today,
    };
    let mut had_be = false;
    let mut had_have = false;
    let mut verb: Option<(&'static str, VerbForm)> = None;
    while let Some(token) = tokens.get(at) {
        let next = tokens.get(at + 1).map_or("", |token| token.low.as_str());
        let after = tokens.get(at + 2).map_or("", |token| token.low.as_str());
        match token.low.as_str() {
            "not" | "never" => {
                clause.negated = true;
                hints.never |= token.low == "never";
            }
            "no" if next == "longer" => {
                clause.negated = true;
                hints.is_over = true;
                at += 1;
            }
            "will" | "shall" => clause.tense = Tense::Future,
            "would" | "should" if matches!(next, "like" | "love" | "prefer") => clause.wishes = true,
            // `my favourite would have to be Dune`
            "would" if matches!(&clause.subject, ClauseSubject::Thing { words, .. } if words.iter().any(|token| token.low == "favourite")) => {
                if next == "have" && after == "to" {
                    at += 2;
                }
            }
            // *Must not eat* means the same as *cannot eat*.
            "must" | "should" | "may" if next == "not" && matches!(after, "eat" | "have" | "drink") => {
                clause.able = true;
            }
            "would" | "could" | "might" | "may" | "should" | "must" | "ought" => return None,
            "can" => clause.able = true,
            "used" if next == "to" && !had_be => {
                clause.tense = Tense::Used;
                at += 1;
                if after == "be" {
                    had_be = true;
                    verb = Some(("be", VerbForm::Base));
                    at += 1;
                }
            }
            "do" | "does" if next == "not" => {}
            "did" if next == "not" => clause.tense = Tense::Past,
            "do" | "does" | "did" if verbs::lemma(next).is_some_and(|(_, form)| form == VerbForm::Base) => {
                if token.low == "did" {
                    clause.tense = Tense::Past;
                }
            }
            // *He wants to drop out & be a streamer*
            "be" if !had_be && verb.is_none() && at == used && used == 0 => return None,
            "am" | "is" | "are" | "be" | "been" | "being" if !had_be => {
                had_be = true;
                // *Been off coffee a week* omits *I have*.
                if token.low == "been" && clause.tense == Tense::Present {
                    clause.tense = Tense::Perfect;
                }
                verb = Some(("be", VerbForm::Base));
            }
            "was" | "were" if !had_be => {
                had_be = true;
                clause.tense = Tense::Past;
                verb = Some(("be", VerbForm::Past));
            }
            "have" | "has" if !had_have && is_perfect(next, after) => {
                had_have = true;
                clause.tense = Tense::Perfect;
            }
            "had" if next == "to" && verb.is_none() => {
                clause.tense = Tense::Past;
                at += 1;
            }
            "had" if !had_have && is_perfect(next, after) && next != "to" => {
                had_have = true;
                clause.tense = Tense::Past;
            }
            "going"
                if had_be
                    && next == "to"
                    && verbs::lemma(after).is_some_and(|(_, form)| form == VerbForm::Base) =>
            {
                if clause.tense == Tense::Past {
                    return None;
                }
                clause.tense = Tense::Future;
                at += 1;
                verb = None;
                had_be = false;
            }
            "able" if had_be && next == "to" => {
                clause.able = true;
                at += 1;
                verb = None;
                had_be = false;
            }
            "try" | "trying" if next == "to" && after == "avoid" => {
                at += 1;
                verb = None;
                had_be = false;
            }
            "about" if had_be && next == "to" => {
                clause.tense = Tense::Future;
                at += 1;
                verb = None;
                had_be = false;
            }
            // These verbs carry no meaning; the verb after them does.
            "happen" | "happened" | "managed" | "get" | "got" | "tend" | "chose"
                if next == "to" && verb.is_none() =>
            {
                at += 1;
            }
            "finished" if next == "moving" && verb.is_none() => clause.tense = Tense::Perfect,
            "started" | "began"
                if matches!(next, "calling" | "living" | "dating" | "renting") && verb.is_none() =>
            {
                clause.tense = Tense::Perfect;
            }
            "decided"
                if next == "to"
                    && matches!(after, "call" | "name" | "rename" | "go" | "become" | "live" | "turn")
                    && verb.is_none() =>
            {
                clause.tense = Tense::Past;
                at += 1;
            }
            "ended" | "wound" | "ending" if next == "up" => at += 1,
            // *I can't wait to move to Porto* is about the future.
            "wait" if clause.able && clause.negated && next == "to" => {
                clause.tense = Tense::Future;
                clause.able = false;
                clause.negated = false;
                at += 1;
            }
            // *Barely* and the like all but negate the verb.
            "barely" | "scarcely" | "rarely" | "seldom" => return None,
            "let" | "almost" | "nearly" | "hardly" | "seem" | "seems" | "pretend" | "tried" | "forgot" => {
                return None;
            }
            word => {
                if word.ends_with("ly") && word.len() > 4 && !had_be && verbs::lemma(next).is_some() {
                    at += 1;
                    continue;
                }
                let Some((lemma, form)) = verbs::lemma(word) else { break };
                if had_be && !matches!(form, VerbForm::Gerund | VerbForm::Past | VerbForm::Participle) {
                    break;
                }
                let names = matches!(clause.subject, ClauseSubject::Thing { .. })
                    || clause.subject == ClauseSubject::Somebody && at + 1 == tokens.len();
                if had_be && form == VerbForm::Gerund && names {
                    break;
                }
                if had_be && form == VerbForm::Gerund {
                    clause.progressive = true;
                } else if had_be {
                    // `am tired`, `was bitten`: a participle like these is no action.
                    if !words!(
                        "move settle base employ call name bear marry engage diagnose promote hire fire \
                        raise retire divorce put know lay let make rename enrol relocate separate split \
                        obsess do go convert transfer sack locate bring base-d house date give hand drop \
                        replace run cancel postpone reschedule book schedule train break sign appoint use \
                        head switch"
                    )
                    .contains(lemma)
                    {
                        break;
                    }
                } else if !had_have
                    && !had_be
                    && clause.tense == Tense::Present
                    && matches!(form, VerbForm::Past | VerbForm::Participle)
                {
                    clause.tense = Tense::Past;
                }
                verb = Some((lemma, form));
                at += 1;
                break;
            }
        }
        at += 1;
    }
    let (lemma, form) = verb?;
    clause.verb = lemma;
    clause.form = form;
    clause.hints = hints;
    clause.date();
    clause.rest = tokens[at.min(tokens.len())..].to_vec();
    // `terribly allergic`
    if lemma == "be"
        && clause.rest.len() > 1
        && clause.rest[0].low.len() > 4
        && clause.rest[0].low.ends_with("ly")
        && !clause.rest[0].is_capital
    {
        clause.rest.remove(0);
    }
    Some(clause)
}

/// Finds the subject after an introductory phrase: `After months of searching we moved`.
fn after_preface(tokens: &[WordToken]) -> Option<(ClauseSubject, usize)> {
    let opens = words!(
        "after before in at on with without since for thanks due despite during following as by from over \
        besides apart instead like contrary much thankfully starting ever here these believe to believing \
        not"
    )
    .contains(tokens.first()?.low.as_str());
    let at = tokens.iter().take(10).position(|token| matches!(token.low.as_str(), "i" | "we"))?;
    let plain = !tokens[..at]
        .iter()
        .any(|token| words!("if that what who you whether says said told").contains(token.low.as_str()));
    (opens && plain).then_some((ClauseSubject::Me, at + 1))
}

/// Returns true if *have* is an auxiliary, that is, before a participle.
fn is_perfect(next: &str, after: &str) -> bool {
    let word = if matches!(next, "not" | "never" | "also") { after } else { next };
    word == "been"
        || (word != "to"
            && verbs::lemma(word)
                .is_some_and(|(_, form)| matches!(form, VerbForm::Past | VerbForm::Participle))
            && (!matches!(word, "read" | "put" | "cut" | "set" | "let")
                || matches!(after, "out" | "off" | "up" | "down")))
        || matches!(word, "come" | "become" | "run" | "quit" | "split")
        || matches!(word, "cut" | "put" | "set" | "let") && matches!(after, "out" | "off" | "up" | "down")
}

/// Takes the times out of a clause's tokens and replaces each with a single mark.
pub fn take_times(tokens: &[WordToken], today: Date) -> (Vec<WordToken>, Vec<(usize, TimeExpression)>) {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut whens = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        // *Every Tuesday* and *Tuesday evenings* are no specific day.
        let of_week = |token: &WordToken| {
            matches!(token.low.as_str(), "mornings" | "evenings" | "nights" | "afternoons")
        };
        let again = at > 0 && matches!(tokens[at - 1].low.as_str(), "every" | "each")
            || tokens[at + 1..].iter().take(2).any(of_week);
        let is_subordinate =
            again || tokens[at].low == "now" && tokens.get(at + 1).is_some_and(|next| next.low == "that");
        match time::read(&tokens[at..], today) {
            Some((length, when)) if !is_subordinate => {
                whens.push((tokens[at].at, when));
                at += length.max(1);
            }
            _ => {
                kept.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    (kept, whens)
}
