//! From a message to what it says about somebody.

use jiff::civil::Date;
use protocol::FactCategory;

use super::clause::{self, Clause, Link, Piece, Tense};
use super::clean;
use super::finding::{Finding, Polarity};
use super::lexicon;
use super::names::Names;
use super::rules::{self, Draft};
use super::sentence::{self, Earnest, Sentence};
use super::slot::{Kind, Slot};
use super::split;
use super::subject::{Mentions, Subject};
use super::time::Sort;
use super::token::Token;
use super::verbs::{self, Form};

/// Beyond it a message is pasted text, and only its beginning is read.
const LONGEST_MESSAGE: usize = 16_000;
const MOST_FINDINGS: usize = 40;

/// What a message of the user says about the user and the people around, with no model.
pub fn extract(text: &str, said_on: Date, names: &Names) -> Vec<Finding> {
    let text = &text[..text.floor_char_boundary(text.len().min(LONGEST_MESSAGE))];
    let own = clean::own_words(text);
    let mut sentences = sentence::sentences(&own);
    let is_small = !text.chars().any(char::is_uppercase);
    for sentence in &mut sentences {
        capitalise(&mut sentence.tokens, names, is_small);
    }
    let mut reader = Reader {
        text,
        today: said_on,
        names,
        mentions: Mentions::of(names),
        found: Vec::new(),
        topic: Vec::new(),
        name: Vec::new(),
        asked: Vec::new(),
        has_moved: false,
        place: Vec::new(),
    };
    let mut before = 0;
    for sentence in &sentences {
        let start = reader.found.len();
        match sentence::earnest(sentence) {
            Earnest::Yes => reader.sentence(sentence),
            Earnest::No => {}
            Earnest::NorBefore => reader.found.truncate(before),
            Earnest::Nothing => return Vec::new(),
        }
        before = start.min(reader.found.len());
        if reader.found.len() >= MOST_FINDINGS {
            break;
        }
    }
    reader.found
}

/// How an animal may be, rather than be called.
fn is_condition(word: &str) -> bool {
    matches!(word, "fine" | "ok" | "okay" | "better" | "sick" | "old" | "gone" | "dead" | "asleep" | "home" | "here" | "happy" | "well" | "big" | "back" | "ill" | "hungry" | "tired" | "safe" | "calm" | "healthy" | "lost" | "free" | "blind" | "deaf" | "alive" | "quiet" | "good" | "huge" | "clean" | "outside" | "inside" | "three" | "pregnant")
}

/// `Favourite colour: teal` says *is*.
fn with_is(sentence: &Sentence) -> Sentence {
    let mut tokens = sentence.tokens.clone();
    let favourite = tokens.iter().position(|token| token.low == "favourite").unwrap_or(tokens.len());
    let told = (favourite..tokens.len().min(favourite + 5)).find(|at| {
        tokens[*at].low == ":" && tokens.get(at + 1).is_some_and(|next| next.low.starts_with(char::is_alphanumeric))
    });
    if let Some(colon) = told.and_then(|at| tokens.get_mut(at)) {
        "is".clone_into(&mut colon.low);
        // `my favourite film: it's Alien`
        if let Some(at) = tokens.windows(3).position(|window| window[0].low == "is" && window[1].low == "it" && window[2].low == "is") {
            tokens.drain(at + 1..at + 3);
        }
    }
    Sentence { tokens, range: sentence.range.clone(), is_question: sentence.is_question }
}

/// Names are known by their capitals. Where people write without, by where they stand and by what is known.
fn capitalise(tokens: &mut [Token], names: &Names, is_small: bool) {
    let relation = tokens.iter().any(|token| lexicon::relation(&token.low).is_some());
    let work = tokens.iter().any(|token| {
        matches!(token.low.as_str(), "job" | "work" | "working" | "employed" | "started" | "hired" | "notice")
    });
    let renames = tokens.iter().any(|token| token.low == "renamed");
    let low: Vec<String> = tokens.iter().map(|token| token.low.clone()).collect();
    let word = |at: usize| low.get(at).map_or("", String::as_str);
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).map_or("", |at| tokens[at].low.as_str());
        let token = &tokens[at];
        let plain = token.low.len() > 2
            && token.low.chars().all(char::is_alphabetic)
            && verbs::lemma(&token.low).is_none()
            && !super::subject::is_function(&token.low)
            && lexicon::family(&token.low).is_none()
            && !lexicon::is_diet(&token.low);
        let stands = match before {
            "joined" | "join" | "joining" | "quit" | "dating" | "called" | "named" | "renamed" => !matches!(
                token.low.as_str(),
                "him"
                    | "her"
                    | "them"
                    | "it"
                    | "my"
                    | "our"
                    | "the"
                    | "this"
                    | "off"
                    | "because"
                    | "two"
                    | "forces"
                    | "smoking"
                    | "alcohol"
            ),
            "to" => at > 1 && matches!(tokens[at - 2].low.as_str(), "married" | "engaged"),
            "in" => {
                relation
                    && !matches!(
                        token.low.as_str(),
                        "bed"
                            | "love"
                            | "law"
                            | "town"
                            | "hospital"
                            | "school"
                            | "general"
                            | "touch"
                            | "trouble"
                            | "charge"
                            | "fact"
                    )
            }
            "at" => work,
            "met" => true,
            "is" if at > 1 && (lexicon::animal(word(at - 2)).is_some() || word(at - 2) == "it" && renames) => {
                word(at + 1) == "now" && !is_condition(&token.low)
            }
            "is" => at == 2 && word(0) == "home",
            _ if at > 1 && lexicon::relation(before).is_some() && matches!(word(at - 2), "my" | "our") => {
                !matches!(
                    token.low.as_str(),
                    "group"
                        | "today"
                        | "again"
                        | "yesterday"
                        | "tomorrow"
                        | "too"
                        | "party"
                        | "time"
                        | "circle"
                        | "situation"
                        | "tongue"
                        | "law"
                )
            }
            "," => {
                at > 1
                    && lexicon::animal(word(at - 2)).is_some()
                    && !tokens[at + 1..].iter().any(|token| token.low.chars().all(char::is_alphabetic))
            }
            // `left berlin for lyon`, where Berlin is known.
            "for" => {
                at > 2
                    && names.is_value(word(at - 2))
                    && matches!(
                        word(at - 3),
                        "left" | "quit" | "swapped" | "traded" | "exchanged" | "ditched" | "leaving"
                    )
            }
            "left" | "swapped" | "traded" | "exchanged" | "ditched" | "leaving" => names.is_value(&token.low),
            _ => false,
        };
        let presents = word(at + 1) == "is"
            && matches!(word(at + 2), "my" | "our")
            && (lexicon::animal(word(at + 3)).is_some() || lexicon::relation(word(at + 3)).is_some());
        let stands = stands
            || presents
                && !matches!(
                    token.low.as_str(),
                    "this" | "that" | "she" | "he" | "what" | "who" | "where" | "there" | "here"
                );
        let known = names.is_proper(&token.low);
        let plain = plain
            || names.is_value(&token.low)
                && matches!(before, "left" | "swapped" | "traded" | "exchanged" | "ditched");
        if known || (is_small && plain && stands) {
            tokens[at].is_capital = true;
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    today: Date,
    names: &'a Names,
    mentions: Mentions,
    found: Vec<Finding>,
    /// What was liked or not in the clause before: *but now I love it*.
    topic: Vec<Token>,
    /// A name that was said before what it is of.
    name: Vec<Token>,
    /// A few words with a question mark, which the next sentence may answer.
    asked: Vec<Token>,
    /// The message tells of a move.
    has_moved: bool,
    /// The last place that the message names: *I live there now*.
    place: Vec<Token>,
}

impl Reader<'_> {
    fn sentence(&mut self, sentence: &Sentence) {
        let words: Vec<&str> = sentence.tokens.iter().map(|token| token.low.as_str()).collect();
        if self.answers_itself(sentence) {
            return;
        }
        if words.len() < 2
            || sentence::is_elsewhere(&sentence.tokens)
            || words.iter().find(|word| !is_quiet(word)) == Some(&"if")
                && !words.windows(4).any(|window| window == ["if", "you", "ask", "me"])
        {
            return;
        }
        let telling = tells_by_asking(&words);
        let asks = sentence.is_question && !telling;
        let introduces = words.windows(4).any(|window| window == ["when", "it", "comes", "to"]);
        if !telling && !introduces && is_inverted(&sentence.tokens) {
            return;
        }
        let sentence = &with_is(sentence);
        let mut pieces = split::pieces(sentence, self.today);
        if asks {
            // `I moved to Lyon, any tips?` tells, and then asks.
            let last = pieces.pop();
            let tag = last.is_none_or(|last| is_tag(&last.tokens));
            if tag {
                return;
            }
        }
        self.mentions.last = None;
        self.mentions.thing = None;
        if self.farewell(sentence) {
            return;
        }

        self.pieces(pieces, sentence);
        if !asks {
            self.beside(sentence);
        }
    }

    fn pieces(&mut self, pieces: Vec<Piece>, sentence: &Sentence) {
        for (number, piece) in pieces.into_iter().enumerate() {
            if piece.tokens.iter().any(|token| split::is_thought(&token.low)) {
                return;
            }
            if !self.piece(piece, number == 0, &sentence.tokens) {
                return;
            }
        }
    }

    /// `Olives? Can't stand them.`, `My favourite colour? Teal.`
    fn answers_itself(&mut self, sentence: &Sentence) -> bool {
        let opened = sentence
            .tokens
            .iter()
            .rposition(|token| matches!(token.low.as_str(), ":" | ","))
            .map_or(0, |at| at + 1);
        let words: Vec<Token> =
            sentence.tokens[opened..].iter().filter(|token| !token.is_mark()).cloned().collect();
        let asked = std::mem::take(&mut self.asked);
        if sentence.is_question {
            let plain = words.len() <= 4
                && (opened == 0
                    || matches!(words.first().map(|token| token.low.as_str()), Some("my" | "our")))
                && !words.iter().any(|token| {
                    verbs::lemma(&token.low).is_some()
                        || matches!(
                            token.low.as_str(),
                            "what"
                                | "who"
                                | "where"
                                | "why"
                                | "when"
                                | "how"
                                | "which"
                                | "you"
                                | "right"
                                | "really"
                                | "ok"
                        )
                });
            if plain && !words.is_empty() {
                let kind = words.iter().find_map(|token| lexicon::animal(&token.low));
                if let Some(kind) = kind.filter(|_| matches!(words[0].low.as_str(), "my" | "our" | "the")) {
                    self.mentions.pet = Some(super::names::Named::new(kind, ""));
                }
                self.topic.clone_from(&words);
                self.asked = words;
            }
            return plain;
        }
        // What it asks, and what it says: read as one.
        if !asked.is_empty()
            && words.len() <= 3
            && matches!(asked[0].low.as_str(), "my" | "favourite")
            && !words.iter().any(|token| verbs::lemma(&token.low).is_some())
        {
            let mut is = asked[asked.len() - 1].clone();
            "is".clone_into(&mut is.low);
            is.is_capital = false;
            let mut tokens = asked;
            tokens.push(is);
            tokens.extend(words);
            let range = sentence.range.clone();
            let piece =
                Piece { tokens, whens: Vec::new(), hints: clause::Hints::default(), link: Link::Main, range };
            self.piece(piece, true, &[]);
            return true;
        }
        false
    }

    /// Reads a piece. False if the rest of the sentence is another's words.
    fn piece(&mut self, mut piece: Piece, is_first: bool, sentence: &[Token]) -> bool {
        piece.hints.asked &= is_first || self.found.is_empty();
        if piece.tokens.len() > 3 && piece.tokens[0].low == "i" && piece.tokens[1].low == "mean" {
            piece.tokens.drain(..2);
        }
        let words: Vec<&str> = piece.tokens.iter().map(|token| token.low.as_str()).collect();
        if is_your_report(&words) {
            return false;
        }
        // `3 May is my birthday`
        if matches!(words.as_slice(), ["is", "my", "birthday", ..])
            && let Some(draft) =
                piece.whens.iter().find(|when| when.sort == Sort::At).and_then(rules::born_on)
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
            if saved.hints.asked && saved.tokens.first().is_some_and(|token| token.low != "about") {
                self.note(saved);
            } else {
                self.passing(&saved);
                self.note_topic(&saved);
                self.note_place(&saved);
                self.met(&bare(self.text, saved, self.today), met);
            }
            return true;
        };
        let knows = clause.verb == "know" && clause.rest.first().is_some_and(|token| lexicon::is_language(&token.low));
        // `I've discovered that I like olives`
        let finds = clause.subject == Subject::Me && matches!(clause.verb, "discover" | "realise" | "realize" | "notice" | "find" | "learn") && !clause.negated;
        let skip = clause.rest.iter().take_while(|token| matches!(token.low.as_str(), "that" | "out")).count();
        if finds && clause.rest.get(skip).is_some_and(|token| token.low == "i") {
            let inner = Piece { tokens: clause.rest[skip..].to_vec(), ..saved };
            return self.piece(inner, is_first, sentence);
        }
        if is_saying(clause.verb) && !knows {
            return self.report(&clause, met);
        }
        // `It's Rusty now, we renamed the cat`
        if clause.subject == Subject::Somebody
            && clause.verb == "be"
            && clause.hints.is_now
            && clause.rest.len() == 1
            && clause.rest[0].is_capital
        {
            self.name = clause.rest.clone();
        }
        if self.restated(&clause) {
            return true;
        }
        let mut clause = self.with_topic(clause);
        // `When it comes to films, my favourite is Alien`
        if let Subject::Thing { words, .. } = &mut clause.subject
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

    /// With the place itself where *there* stands for it.
    fn with_place<'c>(&mut self, mut clause: Clause<'c>, piece: &Piece) -> Clause<'c> {
        let goes = clause.subject == Subject::Me
            && !clause.negated
            && matches!(clause.tense, Tense::Past | Tense::Perfect);
        self.has_moved |=
            goes && matches!(clause.verb, "move" | "relocate" | "emigrate") && !clause.is_over();
        let there = clause.rest.iter().position(|token| matches!(token.low.as_str(), "there" | "here"));
        if let Some(at) = there.filter(|at| {
            *at <= 1
                && !self.place.is_empty()
                && matches!(clause.verb, "live" | "work" | "move" | "settle" | "stay")
        }) {
            let mut joint = clause.rest[at].clone();
            joint.low = match clause.verb {
                "work" => "at",
                "move" => "to",
                _ => "in",
            }
            .to_owned();
            let tail = clause.rest.split_off(at + 1);
            clause.rest.truncate(at);
            clause.rest.push(joint);
            clause.rest.extend(self.place.iter().cloned());
            clause.rest.extend(tail);
        }
        self.note_place(piece);
        clause
    }

    /// The last place or company that was named, for *there*.
    fn note_place(&mut self, piece: &Piece) {
        let animal = piece.tokens.windows(2).find_map(|pair| {
            let own = matches!(pair[0].low.as_str(), "my" | "our" | "the");
            lexicon::animal(&pair[1].low).filter(|_| own)
        });
        if let Some(kind) = animal.filter(|kind| self.mentions.pet.as_ref().is_none_or(|pet| pet.what != *kind)) {
            let known = self.names.pet_of_kind(kind).cloned();
            self.mentions.pet = Some(known.unwrap_or_else(|| super::names::Named::new(kind, "")));
        }
        let named = piece.tokens.iter().enumerate().rev().find(|(at, token)| {
            token.is_capital
                && *at > 0
                && matches!(piece.tokens[at - 1].low.as_str(), "to" | "in" | "at" | "from" | "with")
        });
        if let Some((at, _)) = named {
            let length = super::subject::name_length(&piece.tokens[at..]);
            self.place = piece.tokens[at..at + length].to_vec();
        }
        self.has_moved |= piece.tokens.windows(2).any(|pair| pair[0].low == "the" && pair[1].low == "move");
    }

    /// What a clause was about that no rule understood, by where such words stand.
    fn guess_topic(&mut self, piece: &Piece) {
        let words: Vec<&str> = piece.tokens.iter().map(|token| token.low.as_str()).collect();
        let joint = words.iter().rposition(|word| matches!(*word, "for" | "of" | "against" | "about" | "with"));
        let verb = words.iter().position(|word| verbs::lemma(word).is_some());
        let to = words.iter().rposition(|word| *word == "to");
        let Some(start) = joint.or(to).or(verb).map(|at| at + 1) else { return };
        let start = start + usize::from(matches!(words.get(start), Some(&("me" | "my" | "the"))));
        let stop = |word: &&str| matches!(*word, "is" | "any" | "another" | "every" | "and" | "," | "again" | "all" | "a" | "was" | "because" | "so");
        let end = words[start.min(words.len())..].iter().position(stop).map_or(words.len(), |at| start + at);
        if start < end && end - start <= 3 && !matches!(words[start], "it" | "you" | "him" | "her" | "them" | "that" | "this") {
            self.topic = piece.tokens[start..end].to_vec();
        }
    }

    /// What a clause that tells nothing is about, for *it* in the next: `I could eat pizza every day, I love it`.
    fn note_topic(&mut self, piece: &Piece) {
        let words: Vec<&str> = piece.tokens.iter().map(|token| token.low.as_str()).collect();
        if let ["my", "favourite", ..] = words.as_slice()
            && words.len() <= 4
        {
            self.mentions.thing = Some(Subject::Thing { owner: String::new(), words: piece.tokens[1..].to_vec() });
            return;
        }
        if let ["about", rest @ ..] = words.as_slice()
            && (1..=4).contains(&rest.len())
        {
            self.topic = piece.tokens[1..].to_vec();
            return;
        }
        let could = matches!(words.as_slice(), ["i", "could" | "can" | "would", "eat" | "drink" | "have" | "watch" | "play", ..]);
        let bare = words.len() <= 3 && !words.iter().any(|word| verbs::lemma(word).is_some());
        let (start, end) = if bare {
            (0, words.len())
        } else if could {
            (3, words.iter().position(|word| matches!(*word, "every" | "all" | "for" | "any")).unwrap_or(words.len()))
        } else {
            let is_verb = |word: &&str| verbs::lemma(word).is_some_and(|(_, form)| form != Form::Gerund);
            (0, words.iter().position(is_verb).unwrap_or(0))
        };
        let plain = start < end && end - start <= 3 && !matches!(words[start], "it" | "that" | "this" | "he" | "she" | "they" | "you" | "i" | "we" | "my" | "our" | "there" | "what" | "the");
        if plain {
            self.topic = piece.tokens[start..end].to_vec();
        }
    }

    /// Names that stand beside what they name, anywhere in a sentence.
    fn beside(&mut self, sentence: &Sentence) {
        let drafts = rules::beside(self.text, &sentence.tokens);
        if drafts.is_empty() {
            return;
        }
        let end = sentence.tokens.iter().rev().find(|token| !token.is_mark()).map_or(sentence.range.end, |token| token.range.end);
        let start = sentence.tokens.first().map_or(sentence.range.start, |token| token.range.start);
        let piece = Piece { tokens: Vec::new(), whens: Vec::new(), hints: clause::Hints::default(), link: Link::Main, range: start..end };
        let clause = bare(self.text, piece, self.today);
        for draft in drafts {
            let pet = draft.slot.as_ref().filter(|slot| slot.kind == Kind::Pet).map(|slot| super::names::Named::new(&slot.of, &draft.value));
            if let Some(pet) = pet {
                self.mentions.met.push((pet, true));
            }
            self.keep(draft, &clause);
        }
    }

    /// What the words name by the way: `my new flat in Graz needs paint`.
    fn passing(&mut self, piece: &Piece) {
        let drafts = rules::in_passing(self.text, &piece.tokens);
        let clause = bare(self.text, piece.clone(), self.today);
        for draft in drafts {
            self.keep(draft, &clause);
        }
    }

    /// With the thing itself where *it* stands for what is liked.
    fn with_topic<'c>(&mut self, mut clause: Clause<'c>) -> Clause<'c> {
        let is_taste = matches!(
            clause.verb,
            "like" | "love" | "hate" | "enjoy" | "dislike" | "stand" | "adore" | "detest" | "loathe" | "bear"
        );
        let allergic = clause.verb == "be" && matches!(clause.words().as_slice(), ["allergic", "to", "it" | "them" | "that" | "those"]);
        if allergic && !self.topic.is_empty() {
            clause.rest.truncate(2);
            clause.rest.extend(self.topic.iter().cloned());
        }
        if !is_taste {
            return clause;
        }
        let is_it = clause
            .rest
            .first()
            .is_some_and(|token| matches!(token.low.as_str(), "it" | "them" | "that" | "those"))
            && clause.rest.len() <= 2;
        if is_it {
            if !self.topic.is_empty() {
                clause.rest = self.topic.clone();
            }
        } else {
            self.topic = clause.rest.clone();
        }
        clause
    }

    /// *I don't live in Berlin any more, it's Lyon now*: the slot that was just emptied is filled.
    fn restated(&mut self, clause: &Clause<'_>) -> bool {
        let is_it = clause.subject == Subject::Somebody
            && clause.verb == "be"
            && clause.tense == Tense::Present
            && !clause.negated;
        let Some(before) = self.found.last().filter(|before| is_it && before.valid_to.is_some()) else {
            return false;
        };
        let Some(slot) = before
            .slot
            .clone()
            .filter(|_| clause.rest.first().is_some_and(|token| token.is_capital || clause.hints.is_now))
        else {
            return false;
        };
        let (subject, old) = (before.subject.clone(), before.value.clone());
        let Some(draft) = rules::refilled(clause, &slot) else { return false };
        self.keep(draft.of(&subject).replacing(Some(old)), clause);
        true
    }

    fn clause(&mut self, clause: &Clause<'_>, met: usize) {
        let drafts = rules::drafts(clause, self.names, &mut self.mentions);
        for draft in drafts {
            self.keep(draft, clause);
        }
        self.met(clause, met);
    }

    /// Those who were named by the way: `my sister Anna`.
    fn met(&mut self, clause: &Clause<'_>, met: usize) {
        for (named, is_pet) in self.mentions.met.split_off(met.min(self.mentions.met.len())) {
            let known = if is_pet {
                self.names.pet(&named.name).is_some()
            } else {
                self.names.person(&named.name).is_some_and(|label| label == named.label())
            };
            let told =
                self.found.iter().any(|finding| finding.value == named.name && finding.subject.is_empty());
            if !known && !told && !named.what.contains("'s ") {
                let mut draft = rules::met(&named, is_pet).of("");
                let dead =
                    clause.subject == Subject::Pet(named.clone()) && matches!(clause.verb, "die" | "pass");
                if dead {
                    draft.past = true;
                }
                let mut finding = rules::finish(draft, clause);
                finding.replaces = None;
                if !dead {
                    finding.valid_from = None;
                    finding.valid_to = None;
                    finding.expires = None;
                }
                self.push(finding);
            }
            self.mentions.met.push((named, is_pet));
        }
    }

    fn keep(&mut self, mut draft: Draft, clause: &Clause<'_>) {
        let kind = draft.slot.as_ref().map(|slot| slot.kind);
        // `I moved from Renault to Siemens`, where Renault is known to be a company.
        let moves = matches!(clause.verb, "move" | "transfer" | "swap" | "trade" | "exchange" | "ditch");
        let left_job = self.found.last().is_some_and(|last| last.polarity == Polarity::Ended && last.slot.as_ref().is_some_and(|slot| slot.kind == Kind::Employer));
        let company = kind == Some(Kind::Home) && moves && left_job && !self.names.is_place(&draft.value) || kind == Some(Kind::Home)
            && moves
            && (draft.replaces.as_deref().is_some_and(|old| self.names.is_company(old))
                || draft.gave_way && self.names.is_company(&draft.value));
        // `I left Berlin`, where Berlin is known to be a place.
        if kind == Some(Kind::Employer)
            && draft.polarity == Polarity::Ended
            && self.names.is_place(&draft.value)
        {
            draft.slot = Some(Slot::new(Kind::Home));
            draft.says = draft.says.replacen("works at", "lives in", 1);
        }
        // `Tom left Oslo for Rome`, where Oslo is known to be a place.
        if kind == Some(Kind::Employer)
            && clause.verb == "leave"
            && (draft.replaces.as_deref().is_some_and(|old| self.names.is_place(old)) || draft.gave_way && self.names.is_place(&draft.value))
        {
            draft.slot = Some(Slot::new(Kind::Home));
            draft.says = draft.says.replacen("works at", "lives in", 1).replacen("worked at", "lived in", 1);
        }
        if company {
            draft.slot = Some(Slot::new(Kind::Employer));
            draft.says = draft
                .says
                .replacen("lives in", "works at", 1)
                .replacen("lived in", "worked at", 1)
                .replacen("lives ", "works ", 1);
        }
        // `I relocated, so I'm in Graz now`
        if kind == Some(Kind::Whereabouts) && self.has_moved {
            draft.slot = Some(Slot::new(Kind::Home));
            draft.category = FactCategory::Personal;
            draft.says = format!("lives in {}", draft.value);
            draft.expires = None;
            draft.begins = true;
        }
        let finding = rules::finish(draft, clause);
        self.push(finding);
    }

    fn push(&mut self, finding: Finding) {
        let same = |known: &Finding| {
            known.slot == finding.slot
                && known.subject == finding.subject
                && known.value == finding.value
                && known.polarity == finding.polarity
        };
        if !self.found.iter().any(same) {
            self.found.push(finding);
        }
    }

    /// *Anna told me she's moving to Rome* is about Anna; *my boss says I'm slow* is about nobody.
    fn report(&mut self, clause: &Clause<'_>, met: usize) -> bool {
        let mut rest = clause.rest.clone();
        let mut dropped = 0;
        while matches!(rest.first().map(|token| token.low.as_str()), Some("me" | "us" | "that" | "to"))
            && dropped < 3
        {
            rest.remove(0);
            dropped += 1;
        }
        let doctor = matches!(&clause.subject, Subject::Person(label) if matches!(label.split(' ').next(), Some("doctor" | "dentist" | "therapist")))
            || matches!(&clause.subject, Subject::Thing { words, .. } if words.iter().any(|token| matches!(token.low.as_str(), "gp" | "doctor" | "doctors" | "nurse")));
        let own = rest.first().is_some_and(|token| {
            matches!(token.low.as_str(), "he" | "she" | "they" | "her" | "his" | "their")
        });
        let mine = rest.first().is_some_and(|token| token.low == "i");
        let whole = Piece {
            tokens: rest,
            whens: clause.whens.clone(),
            hints: clause.hints,
            link: Link::Main,
            range: clause.range.clone(),
        };
        let about_other = matches!(clause.subject, Subject::Person(_)) && own;
        if !about_other && !(doctor && mine) || clause.negated {
            self.met(&clause, met);
            // *I said hello* is harmless; what follows *he said* is his.
            return matches!(clause.subject, Subject::Me) && !mine && clause.verb != "pretend";
        }
        if let Some(mut inner) = clause::read(self.text, whole, self.names, &mut self.mentions, self.today) {
            inner.hints.doubts = !doctor;
            self.clause(&inner, met);
        }
        doctor
    }

    /// What was asked to be kept, and no rule understands, as it was said.
    fn note(&mut self, piece: Piece) {
        let said = rules_text(self.text, &piece.tokens);
        if piece.tokens.len() < 3 || said.is_empty() || piece.tokens.iter().any(|token| token.low == "\u{1}")
        {
            return;
        }
        let clause = bare(self.text, piece, self.today);
        let draft = Draft::new(FactCategory::Context, None, said.clone(), "")
            .in_full(rules::sentence("", &of_another(&said)))
            .sure(0.9)
            .important(0.8);
        self.keep(draft, &clause);
    }

    /// `Goodbye Berlin, hello Lyon`; `RIP Max`.
    fn farewell(&mut self, sentence: &Sentence) -> bool {
        let words: Vec<&Token> =
            sentence.tokens.iter().filter(|token| !token.is_mark() && token.low != "and").collect();
        let from = words
            .iter()
            .position(|token| {
                matches!(
                    token.low.as_str(),
                    "goodbye" | "bye" | "farewell" | "bye-bye" | "adieu" | "ciao" | "rip"
                )
            })
            .unwrap_or(0);
        let words = &words[from..];
        let low: Vec<&str> = words.iter().map(|token| token.low.as_str()).collect();
        let name = |at: usize| words.get(at).map(|token| super::subject::capital(&token.low));
        let whole = Piece {
            tokens: sentence.tokens.clone(),
            whens: Vec::new(),
            hints: clause::Hints::default(),
            link: Link::Main,
            range: sentence.range.clone(),
        };
        let clause = bare(self.text, whole, self.today);
        match low.as_slice() {
            [
                "goodbye" | "bye" | "farewell" | "bye-bye" | "adieu" | "ciao",
                _,
                "hello" | "hi" | "hey" | "bonjour" | "welcome",
                _,
                ..,
            ] if words[3].is_capital => {
                let (Some(old), Some(new)) = (name(1), name(3)) else { return false };
                let draft = Draft::new(
                    FactCategory::Personal,
                    Slot::new(Kind::Home),
                    new.clone(),
                    format!("lives in {new}"),
                )
                .sure(0.7)
                .replacing(Some(old))
                .begins();
                let mut finding = rules::finish(draft, &clause);
                finding.valid_from = Some(self.today);
                self.push(finding);
                true
            }
            [_, "here"] if words[0].is_capital && !super::subject::is_function(low[0]) && !matches!(low[0], "nothing" | "everything" | "same" | "over" | "right" | "winter" | "summer" | "spring" | "all" | "rain") => {
                let Some(own) = name(0) else { return false };
                let draft = Draft::new(FactCategory::Personal, Slot::new(Kind::Name), own.clone(), format!("is called {own}")).important(0.9).sure(0.7);
                self.keep(draft, &clause);
                true
            }
            ["rip", pet, ..] if self.names.pet(pet).is_some() => {
                let Some(pet) = self.names.pet(pet).cloned() else { return false };
                let draft = Draft::new(
                    FactCategory::Relationship,
                    Slot::of(Kind::Pet, pet.what.clone()),
                    pet.name.clone(),
                    format!("the {} died", pet.label()),
                )
                .ended();
                self.keep(draft, &clause);
                true
            }
            _ => false,
        }
    }
}

fn rules_text(text: &str, tokens: &[Token]) -> String {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return String::new() };
    text.get(first.range.start..last.range.end).unwrap_or("").trim().to_owned()
}

/// What the user said of themselves, said of a third person.
fn of_another(said: &str) -> String {
    let said = said.replace('’', "'");
    let rest = |prefix: &str| {
        said.get(..prefix.len())
            .filter(|head| head.eq_ignore_ascii_case(prefix))
            .map(|_| &said[prefix.len()..])
    };
    let turned = if let Some(rest) = rest("I'm ").or_else(|| rest("I am ")).or_else(|| rest("im ")) {
        format!("is {rest}")
    } else if let Some(rest) = rest("I've ").or_else(|| rest("I have ")) {
        format!("has {rest}")
    } else if let Some(rest) = rest("I ") {
        let (verb, tail) = rest.split_once(' ').unwrap_or((rest, ""));
        match verbs::lemma(verb) {
            Some((base, Form::Base)) => format!("{} {tail}", verbs::of_another(base)),
            _ => rest.to_owned(),
        }
    } else {
        said.clone()
    };
    turned.replace(" my ", " their ").replace("My ", "Their ").replace("my ", "their ").trim().to_owned()
}

/// A clause that has been understood already.
fn bare(text: &str, piece: Piece, today: Date) -> Clause<'_> {
    Clause {
        text,
        subject: Subject::Me,
        verb: "be",
        form: Form::Base,
        tense: Tense::Present,
        negated: false,
        progressive: false,
        able: false,
        wishes: false,
        rest: Vec::new(),
        whens: piece.whens,
        hints: piece.hints,
        link: piece.link,
        range: piece.range,
        today,
    }
}

/// `Blue is my favourite colour`, `Tom is my name`, `Lyon is home now`.
fn upside_down(text: &str, tokens: &[Token]) -> Option<Draft> {
    let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
    let at = words
        .iter()
        .position(|word| {
            matches!(*word, "is" | "are" | "'s" | "was" | "became" | "become" | "remains" | "been")
        })
        .filter(|at| (1..=6).contains(at))?;
    let end = if matches!(words[at], "become" | "been") && at > 1 && matches!(words[at - 1], "has" | "have") {
        at - 1
    } else {
        at
    };
    // `of all, blue is …`
    let start = words[..end].iter().rposition(|word| *word == ",").map_or(0, |comma| comma + 1);
    let tokens = &tokens[start..];
    let words = &words[start..];
    let (at, end) = (at - start, end - start);
    let value = text.get(tokens.first()?.range.start..tokens.get(end.checked_sub(1)?)?.range.end)?.to_owned();
    let value = value.trim_end_matches("'s").to_owned();
    let first = words[0];
    // `The book I like best is Dune`
    if let ["the", of, "i", "like" | "love" | "enjoy" | "prefer", "best" | "most", "is", ..] = words {
        let value = text.get(tokens.get(6)?.range.start..tokens.iter().skip(6).take_while(|token| token.low != "," && !token.is_mark()).last()?.range.end)?.to_owned();
        let slot = Slot::of(Kind::Favourite, crate::recall::terms(of).join(" "));
        return Some(Draft::new(FactCategory::Preference, slot, value.clone(), format!("favourite {of} is {value}")).important(0.6));
    }
    if matches!(
        first,
        "my" | "it"
            | "this"
            | "that"
            | "she"
            | "he"
            | "what"
            | "where"
            | "which"
            | "there"
            | "i"
            | "his"
            | "her"
            | "our"
            | "here"
            | "you"
            | "your"
            | "who"
    ) {
        return None;
    }
    let is_small = !text.chars().any(char::is_uppercase)
        && (1..=2).contains(&at)
        && !super::subject::is_function(first)
        && lexicon::family(first).is_none();
    let is_name = tokens[0].is_capital
        || (is_small && !matches!(first, "home" | "name" | "work" | "everything" | "nothing"));
    let value = if is_small && is_name {
        value.split(' ').map(super::subject::capital).collect::<Vec<_>>().join(" ")
    } else {
        value
    };
    let skip = words[at + 1..].iter().take_while(|word| matches!(**word, "by" | "far" | "definitely" | "still" | "easily" | "currently" | "probably" | "now" | "always" | "clearly")).count();
    let at = at + skip;
    let past = words[at - skip] == "was" || words[at + 1..].starts_with(&["used", "to"]);
    match words[at + 1..] {
        ["my", "new" | "all-time" | "absolute", "favourite", ref of @ ..]
        | ["my", "favourite", ref of @ ..]
            if !of.is_empty() && of.len() <= 4 =>
        {
            let of = of.join(" ");
            let value = if lexicon::family(first).is_some() { value.to_lowercase() } else { value };
            let slot = Slot::of(Kind::Favourite, crate::recall::terms(&of).join(" "));
            Some(
                Draft::new(
                    FactCategory::Preference,
                    slot,
                    value.clone(),
                    format!("favourite {of} is {value}"),
                )
                .important(0.6)
                .past(past),
            )
        }
        ["my", "second" | "first" | "native" | "third", "language", ..] | ["my", "mother", "tongue", ..]
            if lexicon::is_language(first) =>
        {
            let name = super::subject::capital(first);
            Some(Draft::new(
                FactCategory::Personal,
                Slot::of(Kind::Language, first),
                name.clone(),
                format!("speaks {name}"),
            ))
        }
        ["my", "name"] if tokens[0].is_capital => Some(
            Draft::new(
                FactCategory::Personal,
                Slot::new(Kind::Name),
                value.clone(),
                format!("is called {value}"),
            )
            .important(0.9),
        ),
        ["home"]
        | ["my", "home"]
        | ["my", "new", "home"]
        | ["our", "home"]
        | ["our", "new", "home"]
        | ["where", "i" | "we", "live"]
        | ["where", "i" | "we", "live", "now"]
        | ["where", "i", "am", "living"]
        | ["where", "i" | "we", "am" | "are", "based"]
            if is_name && !past =>
        {
            Some(
                Draft::new(
                    FactCategory::Personal,
                    Slot::new(Kind::Home),
                    value.clone(),
                    format!("lives in {value}"),
                )
                .important(0.8),
            )
        }
        ["my", "employer"]
        | ["my", "new", "employer"]
        | ["where", "i", "work"]
        | ["where", "i", "work", "now"]
            if is_name && !past =>
        {
            Some(
                Draft::new(
                    FactCategory::Personal,
                    Slot::new(Kind::Employer),
                    value.clone(),
                    format!("works at {value}"),
                )
                .important(0.75),
            )
        }
        ["not", "my", "favourite", ..] | ["not", "for", "me"] | ["disgusting"] | ["gross"]
            if lexicon::family(first).is_some() =>
        {
            let slot = Slot::of(Kind::Taste, crate::recall::terms(&value).join(" "));
            Some(Draft::new(FactCategory::Preference, slot, "dislikes", format!("dislikes {value}")))
        }
        _ => None,
    }
}

fn is_saying(verb: &str) -> bool {
    matches!(
        verb,
        "say"
            | "tell"
            | "claim"
            | "think"
            | "ask"
            | "mention"
            | "text"
            | "believe"
            | "hear"
            | "wonder"
            | "suggest"
            | "reckon"
            | "guess"
            | "assume"
            | "know"
            | "explain"
            | "notice"
            | "realise"
            | "realize"
            | "remember"
            | "forget"
            | "pretend"
            | "admit"
            | "figure"
            | "report"
    )
}

/// `You said I live in Rome` is her own word.
fn is_your_report(words: &[&str]) -> bool {
    matches!(words, ["you" | "u", verb, ..] if verbs::lemma(verb).is_some_and(|(base, _)| is_saying(base)))
        || matches!(words, ["you", "have" | "had" | "are" | "were" | "once", verb, ..] if verbs::lemma(verb).is_some_and(|(base, _)| is_saying(base)))
        || matches!(
            words,
            ["according", "to", ..]
                | ["rumour" | "rumor", ..]
                | ["tell" | "ask" | "guess" | "explain" | "say" | "show", ..]
        )
}

fn is_quiet(word: &str) -> bool {
    matches!(
        word,
        "," | "but"
            | "and"
            | "so"
            | "well"
            | "oh"
            | "even"
            | "like"
            | "only"
            | "hey"
            | "-"
            | "…"
            | "."
            | "("
            | "as"
            | "because"
            | "what"
    )
}

/// `Did I tell you that I moved?` tells.
fn tells_by_asking(words: &[&str]) -> bool {
    let words: Vec<&str> =
        words.iter().copied().filter(|word| !matches!(*word, "ever" | "already" | ",")).take(10).collect();
    let phrases: [&[&str]; 7] = [
        &["did", "i", "tell", "you"],
        &["did", "i", "mention"],
        &["have", "i", "told", "you"],
        &["have", "i", "mentioned"],
        &["can", "you", "believe"],
        &["you", "know", "what"],
        &["guess", "what"],
    ];
    let tells = |phrase: &[&str]| {
        words.windows(phrase.len() + 1).any(|window| {
            window.starts_with(phrase)
                && matches!(window[phrase.len()], "that" | "i" | "we" | "my" | "our" | ":" | "?" | "!")
        })
    };
    phrases.iter().any(|phrase| tells(phrase))
}

/// Whether a sentence asks by the order of its words.
fn is_inverted(tokens: &[Token]) -> bool {
    let mut words = tokens.iter().map(|token| token.low.as_str()).skip_while(|word| {
        is_quiet(word) && *word != "what"
            || matches!(
                *word,
                "luna"
                    | "hi"
                    | "ok"
                    | "okay"
                    | "please"
                    | "btw"
                    | "again"
                    | "anyway"
                    | "hmm"
                    | "wait"
                    | "actually"
                    | "also"
                    | "and"
            )
    });
    let low: Vec<&str> = tokens.iter().take(6).map(|token| token.low.as_str()).collect();
    if low.windows(4).any(|window| window == ["who", "would", "have", "thought"]) {
        return false;
    }
    let first = words.next().unwrap_or("");
    let second = words.next().unwrap_or("");
    let person = matches!(
        second,
        "i" | "you"
            | "we"
            | "he"
            | "she"
            | "they"
            | "it"
            | "my"
            | "your"
            | "our"
            | "his"
            | "her"
            | "there"
            | "the"
            | "that"
            | "this"
            | "anyone"
            | "someone"
    );
    match first {
        "what" | "who" | "whose" | "which" | "how" | "why" | "where" | "whom" => {
            first != "what" || second != "a"
        }
        "when" => !matches!(second, "i" | "we" | "my" | "she" | "he" | "they" | "it"),
        "do" | "does" | "did" | "is" | "are" | "am" | "was" | "were" | "can" | "could" | "should"
        | "would" | "will" | "have" | "has" | "shall" | "may" | "isn't" => person,
        _ => false,
    }
}

/// A question that only asks for a yes: `…, right?`
fn is_tag(tokens: &[Token]) -> bool {
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

impl Finding {
    /// Whether it says that something is so today.
    pub fn holds_now(&self) -> bool {
        self.polarity == Polarity::Holds && self.valid_to.is_none()
    }
}
