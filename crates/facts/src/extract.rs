//! Extracts findings about the user and other people from a message.

use jiff::civil::Date;

use super::capitals::{capitalise, with_is};
use super::clause::{self, Clause, SentencePiece, Tense};
use super::clause_link::ClauseLink;
use super::combining;
use super::figures_of_speech::is_figure;
use super::finding::{Finding, Polarity};
use super::lexicon;
use super::mentions::{ClauseSubject, Mentions};
use super::names::KnownNames;
use super::own_words;
use super::question_forms::{is_inverted, is_quiet, is_saying, is_tag, is_your_report, tells_by_asking};
use super::rules;
use super::sentence::{self, MessageSentence, Seriousness};
use super::slot::SlotKind;
use super::split;
use super::time::TimeKind;
use super::token::WordToken;
use super::value_first::upside_down;
use super::verbs::{self, VerbForm};

/// The maximum length in bytes; longer messages are pasted text, and only their beginning is read.
const LONGEST_MESSAGE: usize = 16_000;

const MOST_FINDINGS: usize = 40;

/// Returns the findings about the user and people around the user, without a model.
pub fn extract(text: &str, said_on: Date, names: &KnownNames) -> Vec<Finding> {
    let text = shortened(text);
    let mut reader = MessageReader::new(text, said_on, names);
    let mut before = 0;
    for sentence in &sentences(text, names) {
        let start = reader.found.len();
        match sentence::seriousness(sentence) {
            Seriousness::Yes => {
                reader.sentence(sentence);
                reader.presume(sentence, start);
                reader.remember(sentence);
            }
            Seriousness::Laughing => {
                reader.sentence(sentence);
                reader.keep_plain(start);
                reader.read_whole_sentence(sentence, start);
                reader.remember(sentence);
            }
            Seriousness::No => {}
            Seriousness::NorBefore => {
                reader.found.truncate(before);
                reader.statements.pop();
            }
            Seriousness::Nothing => return Vec::new(),
        }
        before = start.min(reader.found.len());
        if reader.found.len() >= MOST_FINDINGS {
            break;
        }
    }
    reader.message();
    combining::combine(&mut reader.found);
    reader.found
}

pub(super) fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(text.len().min(LONGEST_MESSAGE))]
}

/// Returns the user's own sentences, with names capitalised.
pub(super) fn sentences(text: &str, names: &KnownNames) -> Vec<MessageSentence> {
    let own = own_words::own_words(text, names);
    let mut sentences = sentence::sentences(&own);
    let is_small = !text.chars().any(char::is_uppercase);
    for sentence in &mut sentences {
        drop_asides(&mut sentence.tokens);
        let is_loud = is_loud(text.get(sentence.range.clone()).unwrap_or_default());
        if is_loud {
            sentence.tokens.iter_mut().for_each(|token| token.is_capital = false);
        }
        capitalise(&mut sentence.tokens, names, is_small || is_loud);
    }
    sentences
}

/// Removes asides after a statement: *… by the way*. At the start of a sentence the words stay, and in *judged by the
/// way he walks* they have a meaning.
fn drop_asides(tokens: &mut Vec<WordToken>) {
    let mut at = 1;
    while at < tokens.len() {
        let words: Vec<&str> = tokens[at..].iter().take(3).map(|token| token.low.as_str()).collect();
        let length = match words.as_slice() {
            ["by", "the", "way"] => 3,
            ["btw" | "fyi", ..] => 1,
            _ => 0,
        };
        let is_behind = tokens.get(at + length).is_none_or(WordToken::is_mark) && !tokens[at - 1].is_mark();
        if length > 0 && is_behind {
            tokens.drain(at..at + length);
        } else {
            at += 1;
        }
    }
}

/// The state of reading a message.
pub struct MessageReader<'a> {
    pub(super) text: &'a str,
    pub(super) today: Date,
    pub(super) names: &'a KnownNames,
    pub(super) mentions: Mentions,
    pub(super) found: Vec<Finding>,
    /// The thing that the previous clause liked or disliked: *but now I love it*.
    pub(super) topic: Vec<WordToken>,
    /// A name that was mentioned before the thing that it names.
    pub(super) name: Vec<WordToken>,
    /// A short question that the next sentence may answer.
    pub(super) asked: Vec<WordToken>,
    /// True if the message tells of a move.
    pub(super) has_moved: bool,
    /// The last place named in the message, for *I live there now*.
    pub(super) place: Vec<WordToken>,
    /// The sentences that state something, or ask a question that the next one answers.
    pub(super) statements: Vec<Vec<WordToken>>,
}

impl<'a> MessageReader<'a> {
    fn new(text: &'a str, today: Date, names: &'a KnownNames) -> Self {
        Self {
            text,
            today,
            names,
            mentions: Mentions::of(names),
            found: Vec::new(),
            topic: Vec::new(),
            name: Vec::new(),
            asked: Vec::new(),
            has_moved: false,
            place: Vec::new(),
            statements: Vec::new(),
        }
    }

    fn sentence(&mut self, sentence: &MessageSentence) {
        let words: Vec<&str> = sentence.tokens.iter().map(|token| token.low.as_str()).collect();
        if self.answers_itself(sentence) {
            return;
        }
        if words.len() < 2 || sentence::is_elsewhere(&sentence.tokens) {
            return;
        }
        let supposes = words.iter().find(|word| !is_quiet(word)) == Some(&"if")
            && !words.windows(4).any(|window| {
                matches!(
                    window,
                    ["if", "you", "ask" | "asked", "me"]
                        | ["i", "had" | "have", "to", "choose" | "pick"]
                        | ["if", "there", "is", "one" | "anything"]
                        | [_, "count", "me", "in" | "out"]
                )
            });
        if supposes {
            // *If I'd married him I'd be living in Rome*: none of it happened.
            if !sentence.is_question && !is_unreal(&words) {
                self.read_whole_sentence(sentence, self.found.len());
            }
            return;
        }
        // *Can you call me Gus?*
        let asks_for_name =
            words.iter().take(5).any(|word| matches!(*word, "can" | "could" | "would" | "will"));
        if asks_for_name && let Some(draft) = rules::asked_name(self.text, &sentence.tokens) {
            let whole = SentencePiece {
                tokens: Vec::new(),
                whens: Vec::new(),
                hints: clause::ClauseHints::default(),
                link: ClauseLink::Main,
                range: sentence.tokens[0].range.start..sentence.tokens[sentence.tokens.len() - 1].range.end,
            };
            self.keep(draft, &bare(self.text, whole, self.today));
            return;
        }
        let telling = tells_by_asking(&words);
        let asks = sentence.is_question && !telling;
        let introduces = words.windows(4).any(|window| window == ["when", "it", "comes", "to"]);
        if !telling && !introduces && is_inverted(&sentence.tokens, self.names) {
            return;
        }
        let sentence = &with_is(sentence);
        let mut pieces = split::pieces(sentence, self.today);
        if asks {
            // `I moved to Lyon, any tips?` is a statement followed by a question.
            let last = pieces.pop();
            let tag = last.is_none_or(|last| is_tag(&last.tokens));
            if tag {
                return;
            }
        }
        self.mentions.begin();
        self.has_moved |= words.windows(2).any(|pair| pair == ["the", "move"]);
        if self.farewell(sentence) {
            return;
        }

        let start = self.found.len();
        self.pieces(pieces, sentence);
        // *I would have called my son Oscar*: there is no son.
        if !asks && !is_unmade(&sentence.tokens) {
            self.beside(sentence);
            self.read_whole_sentence(sentence, start);
        }
    }

    /// Keeps findings from a sentence with a laugh only if they are meant anyway: relatives, pets and allergies, as in
    /// *My sister Anna hates it lol*.
    fn keep_plain(&mut self, start: usize) {
        let is_plain = |finding: &Finding| {
            finding.confidence >= 0.8
                && finding.polarity == Polarity::Holds
                && finding.slot.as_ref().is_some_and(|slot| {
                    matches!(slot.kind, SlotKind::Relative | SlotKind::Pet | SlotKind::Allergy)
                })
        };
        let laughed = self.found.split_off(start.min(self.found.len()));
        self.found.extend(laughed.into_iter().filter(is_plain));
    }

    fn pieces(&mut self, pieces: Vec<SentencePiece>, sentence: &MessageSentence) {
        let limited = limited(&pieces);
        for (number, piece) in pieces.into_iter().enumerate() {
            if limited == Some(number) {
                continue;
            }
            if piece.tokens.iter().any(|token| split::is_thought(&token.low)) {
                return;
            }
            if !self.piece(piece, number == 0, &sentence.tokens) {
                return;
            }
        }
    }

    /// Reads a piece. Returns false if the rest of the sentence is reported speech or a supposition.
    pub(super) fn piece(&mut self, mut piece: SentencePiece, is_first: bool, sentence: &[WordToken]) -> bool {
        piece.hints.asked &= is_first || self.found.is_empty();
        if piece.tokens.len() > 3 && piece.tokens[0].low == "i" && piece.tokens[1].low == "mean" {
            piece.tokens.drain(..2);
        }
        let words: Vec<&str> = piece.tokens.iter().map(|token| token.low.as_str()).collect();
        let supposes = matches!(words.first(), Some(&("if" | "let" | "lets"))) && words.get(1) != Some(&"me");
        if is_your_report(&words) || supposes {
            return false;
        }
        if is_figure(&words) {
            return true;
        }
        // `3 May is my birthday`
        if matches!(words.as_slice(), ["is", "my", "birthday", ..])
            && let Some(draft) =
                piece.whens.iter().find(|when| when.kind == TimeKind::At).and_then(rules::born_on)
        {
            let clause = bare(self.text, piece, self.today);
            self.keep(draft, &clause);
            return true;
        }
        if let Some(draft) = rules::call_me(self.text, &piece.tokens) {
            let clause = bare(self.text, piece, self.today);
            self.keep(draft, &clause);
            return true;
        }
        if let Some(draft) = upside_down(self.text, &piece.tokens) {
            let clause = bare(self.text, piece, self.today);
            self.keep(draft, &clause);
            return true;
        }
        let aside = [
            rules::of_tastes(self.text, &piece.tokens),
            rules::done_to_me(self.text, &piece.tokens, sentence),
        ]
        .concat();
        if !aside.is_empty() {
            let clause = bare(self.text, piece, self.today);
            for draft in aside {
                self.keep(draft, &clause);
            }
            return true;
        }
        let met = self.mentions.met.len();
        let saved = piece.clone();
        let Some(clause) = clause::read(self.text, piece, self.names, &mut self.mentions, self.today) else {
            self.guess_topic(&saved);
            self.note_place(&saved);
            if saved.hints.asked && saved.tokens.first().is_some_and(|token| token.low != "about") {
                self.note(saved);
            } else {
                self.passing(&saved);
                self.note_topic(&saved);
                self.met(&bare(self.text, saved, self.today), met);
            }
            return true;
        };
        // *Once I have a dog*, *when I'm sober*: it may not hold at other times.
        let at_times =
            clause.link == ClauseLink::Once || clause.link == ClauseLink::When && clause.verb == "be";
        if at_times && clause.tense == Tense::Present {
            return true;
        }
        let knows = clause.verb == "know"
            && clause.rest.first().is_some_and(|token| lexicon::is_language(&token.low));
        // `I've discovered that I like olives`
        let finds = clause.subject == ClauseSubject::Me
            && matches!(clause.verb, "discover" | "realise" | "realize" | "notice" | "find" | "learn")
            && !clause.negated;
        let skip =
            clause.rest.iter().take_while(|token| matches!(token.low.as_str(), "that" | "out")).count();
        if finds && clause.rest.get(skip).is_some_and(|token| token.low == "i") {
            let inner = SentencePiece { tokens: clause.rest[skip..].to_vec(), ..saved };
            return self.piece(inner, is_first, sentence);
        }
        if is_saying(clause.verb) && !knows {
            return self.report(&clause, met);
        }
        // `It's Rusty now, we renamed the cat`
        if clause.subject == ClauseSubject::Somebody
            && clause.verb == "be"
            && clause.hints.is_now
            && clause.rest.len() == 1
            && clause.rest[0].is_capital
        {
            self.name = clause.rest.clone();
        }
        if self.restated(&clause, &saved) {
            return true;
        }
        let mut clause = self.with_topic(clause);
        // `When it comes to films, my favourite is Alien`
        if let ClauseSubject::Thing { words, .. } = &mut clause.subject
            && words.len() == 1
            && words[0].low == "favourite"
        {
            words.extend(self.topic.iter().cloned());
        }
        if clause.verb == "rename"
            && !self.name.is_empty()
            && !clause.rest.iter().any(|token| token.is_capital)
        {
            clause.rest.append(&mut self.name);
        }
        let clause = self.with_place(clause, &saved);
        let before = self.found.len();
        self.clause(&clause, met);
        if self.found.len() == before {
            for draft in rules::works_there(&clause) {
                self.keep(draft, &clause);
            }
        }
        if self.found.len() == before {
            self.guess_topic(&saved);
        }
        if self.found.len() == before && !clause.is_ahead() && !clause.is_over() && !clause.wishes {
            self.passing(&saved);
        }
        if saved.hints.asked
            && !self.found.iter().any(|finding| {
                clause.text.get(clause.range.clone()).is_some_and(|quote| quote.contains(&finding.quote))
            })
        {
            self.note(saved);
        }
        true
    }

    fn clause(&mut self, clause: &Clause<'_>, met: usize) {
        // *When I get married* refers to the future.
        if clause.link == ClauseLink::When && clause.tense == Tense::Present && is_change(clause.verb) {
            return;
        }
        let drafts = rules::drafts(clause, self.names, &mut self.mentions);
        for draft in drafts {
            self.keep(draft, clause);
        }
        self.met(clause, met);
    }

    /// Reads reported speech: *Anna told me she's moving to Rome* is about Anna; *my boss says I'm slow* gives no
    /// finding.
    fn report(&mut self, clause: &Clause<'_>, met: usize) -> bool {
        let mut rest = clause.rest.clone();
        let mut dropped = 0;
        while matches!(rest.first().map(|token| token.low.as_str()), Some("me" | "us" | "that" | "to"))
            && dropped < 3
        {
            rest.remove(0);
            dropped += 1;
        }
        let doctor = matches!(&clause.subject, ClauseSubject::Person(label) if matches!(label.split(' ').next(), Some("doctor" | "dentist" | "therapist")))
            || matches!(&clause.subject, ClauseSubject::Thing { words, .. } if words.iter().any(|token| matches!(token.low.as_str(), "gp" | "doctor" | "doctors" | "nurse")));
        let own = rest.first().is_some_and(|token| {
            matches!(token.low.as_str(), "he" | "she" | "they" | "her" | "his" | "their")
        });
        let mine = rest.first().is_some_and(|token| token.low == "i");
        let whole = SentencePiece {
            tokens: rest,
            whens: clause.whens.clone(),
            hints: clause.hints,
            link: ClauseLink::Main,
            range: clause.range.clone(),
        };
        let about_other = matches!(clause.subject, ClauseSubject::Person(_)) && own;
        if clause.negated || !(about_other || doctor && mine) {
            self.met(clause, met);
            // *I said hello* can be passed over; words after *he said* are another person's.
            return matches!(clause.subject, ClauseSubject::Me) && !mine && clause.verb != "pretend";
        }
        if let Some(mut inner) = clause::read(self.text, whole, self.names, &mut self.mentions, self.today) {
            inner.hints.doubts = !doctor;
            self.clause(&inner, met);
        }
        doctor
    }
}

/// Returns the index of a piece that only holds at times: *I'm not a smoker when I'm sober*.
fn limited(pieces: &[SentencePiece]) -> Option<usize> {
    let is_state = |piece: &SentencePiece| {
        matches!(piece.tokens.as_slice(), [who, be, ..]
            if matches!(who.low.as_str(), "i" | "we") && matches!(be.low.as_str(), "am" | "are"))
    };
    pieces.windows(2).position(|pair| pair[1].link == ClauseLink::When && pair.iter().all(is_state))
}

/// Returns true for *If … I would …*.
pub(super) fn is_unreal(words: &[&str]) -> bool {
    let supposes = words.iter().find(|word| !is_quiet(word)) == Some(&"if");
    supposes && words.iter().any(|word| matches!(*word, "would" | "could" | "might"))
}

/// Returns true for *I would have …*, which did not happen; *who would have thought* did.
fn is_unmade(tokens: &[WordToken]) -> bool {
    tokens.windows(3).any(|window| {
        matches!(window[0].low.as_str(), "would" | "could" | "should" | "might")
            && window[1].low == "have"
            && !matches!(window[2].low.as_str(), "thought" | "guessed" | "believed" | "known")
            && verbs::lemma(&window[2].low)
                .is_some_and(|(_, form)| matches!(form, VerbForm::Past | VerbForm::Participle))
    })
}

/// Returns true if the text is mostly in capitals, which then do not mark names.
fn is_loud(text: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let small = text.chars().filter(|letter| letter.is_lowercase()).count();
    letters > 8 && small * 4 < letters
}

fn is_change(verb: &str) -> bool {
    words!("get marry move become start retire turn buy adopt leave quit switch go have join").contains(verb)
}

/// Returns a clause with no content for a piece that was already understood.
pub(super) fn bare(text: &str, piece: SentencePiece, today: Date) -> Clause<'_> {
    Clause {
        text,
        subject: ClauseSubject::Me,
        verb: "be",
        form: VerbForm::Base,
        tense: Tense::Present,
        negated: false,
        progressive: false,
        able: false,
        wishes: false,
        elided: false,
        rest: Vec::new(),
        whens: piece.whens,
        hints: piece.hints,
        link: piece.link,
        range: piece.range,
        today,
    }
}
