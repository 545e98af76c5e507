//! Resolves references to earlier words of a message: *it*, *there*, *so I'm in Graz now*.

use super::clause::{self, Clause, SentencePiece, Tense};
use super::clause_link::ClauseLink;
use super::extract::MessageReader;
use super::lexicon;
use super::mentions::ClauseSubject;
use super::names::KnownName;
use super::rules;
use super::sentence::MessageSentence;
use super::token::WordToken;
use super::verbs::{self, VerbForm};

impl MessageReader<'_> {
    /// Reads a question and its own answer: `Olives? Can't stand them.`, `My favourite colour? Teal.`
    pub(super) fn answers_itself(&mut self, sentence: &MessageSentence) -> bool {
        let opened = sentence
            .tokens
            .iter()
            .rposition(|token| matches!(token.low.as_str(), ":" | ","))
            .map_or(0, |at| at + 1);
        let words: Vec<WordToken> =
            sentence.tokens[opened..].iter().filter(|token| !token.is_mark()).cloned().collect();
        let asked = std::mem::take(&mut self.asked);
        if sentence.is_question {
            let plain = words.len() <= 4
                && (opened == 0
                    || matches!(words.first().map(|token| token.low.as_str()), Some("my" | "our")))
                && !words.iter().any(|token| {
                    verbs::lemma(&token.low).is_some()
                        || words!("what who where why when how which you right really ok")
                            .contains(token.low.as_str())
                });
            if plain && !words.is_empty() {
                let kind = words.iter().find_map(|token| lexicon::animal(&token.low));
                if let Some(kind) = kind.filter(|_| matches!(words[0].low.as_str(), "my" | "our" | "the")) {
                    self.mentions.pet = Some(KnownName::new(kind, ""));
                }
                self.topic.clone_from(&words);
                self.asked = words;
            }
            return plain;
        }
        // The question and its answer are read as one clause.
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
            let piece = SentencePiece {
                tokens,
                whens: Vec::new(),
                hints: clause::ClauseHints::default(),
                link: ClauseLink::Main,
                range,
            };
            self.piece(piece, true, &[]);
            return true;
        }
        false
    }

    /// Replaces *there* in a clause with the place that it refers to.
    pub(super) fn with_place<'c>(&mut self, mut clause: Clause<'c>, piece: &SentencePiece) -> Clause<'c> {
        let goes = clause.subject == ClauseSubject::Me
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
            let is_city = self.place.first().is_some_and(|token| lexicon::is_city(&token.low));
            let before = match clause.verb {
                "work" if !is_city => "at",
                "move" => "to",
                _ => "in",
            };
            before.clone_into(&mut joint.low);
            let tail = clause.rest.split_off(at + 1);
            clause.rest.truncate(at);
            clause.rest.push(joint);
            clause.rest.extend(self.place.iter().cloned());
            clause.rest.extend(tail);
        }
        self.note_place(piece);
        clause
    }

    /// Records the last named place or company, for a later *there*.
    pub(super) fn note_place(&mut self, piece: &SentencePiece) {
        let animal = piece.tokens.windows(2).find_map(|pair| {
            let own = matches!(pair[0].low.as_str(), "my" | "our" | "the");
            lexicon::animal(&pair[1].low).filter(|_| own)
        });
        if let Some(kind) =
            animal.filter(|kind| self.mentions.pet.as_ref().is_none_or(|pet| pet.what != *kind))
        {
            let known = self.names.pet_of_kind(kind).cloned();
            self.mentions.pet = Some(known.unwrap_or_else(|| KnownName::new(kind, "")));
        }
        let named = piece.tokens.iter().enumerate().rev().find(|(at, token)| {
            token.is_capital
                && *at > 0
                && matches!(piece.tokens[at - 1].low.as_str(), "to" | "in" | "at" | "from" | "with")
        });
        if let Some((at, _)) = named {
            let length = super::name_text::name_length(&piece.tokens[at..]);
            self.place = piece.tokens[at..at + length].to_vec();
        }
    }

    /// Guesses the topic of a clause that no rule understood, by the position of its words.
    pub(super) fn guess_topic(&mut self, piece: &SentencePiece) {
        let words: Vec<&str> = piece.tokens.iter().map(|token| token.low.as_str()).collect();
        let joint =
            words.iter().rposition(|word| matches!(*word, "for" | "of" | "against" | "about" | "with"));
        let verb = words.iter().position(|word| verbs::lemma(word).is_some());
        let to = words.iter().rposition(|word| *word == "to");
        let Some(start) = joint.or(to).or(verb).map(|at| at + 1) else { return };
        let start = start + usize::from(matches!(words.get(start), Some(&("me" | "my" | "the"))));
        let stop =
            |word: &&str| words!("is any another every and , again all a was because so").contains(*word);
        let end = words[start.min(words.len())..].iter().position(stop).map_or(words.len(), |at| start + at);
        if start < end
            && end - start <= 3
            && !words!("it you him her them that this happy sad angry smile laugh sick")
                .contains(words[start])
        {
            self.topic = piece.tokens[start..end].to_vec();
        }
    }

    /// Records the topic of a clause without findings, for *it* in the next: `I could eat pizza every day, I love it`.
    pub(super) fn note_topic(&mut self, piece: &SentencePiece) {
        let words: Vec<&str> = piece.tokens.iter().map(|token| token.low.as_str()).collect();
        if let ["my", "favourite", ..] = words.as_slice()
            && words.len() <= 4
        {
            self.mentions.thing =
                Some(ClauseSubject::Thing { owner: String::new(), words: piece.tokens[1..].to_vec() });
            return;
        }
        if let ["about", rest @ ..] = words.as_slice()
            && (1..=4).contains(&rest.len())
        {
            self.topic = piece.tokens[1..].to_vec();
            return;
        }
        let could = matches!(
            words.as_slice(),
            ["i", "could" | "can" | "would", "eat" | "drink" | "have" | "watch" | "play", ..]
        );
        let bare = words.len() <= 3 && !words.iter().any(|word| verbs::lemma(word).is_some());
        // `Spicy food slaps, I love it`: the words after the thing are not part of it.
        let thing =
            words.iter().take(2).position(|word| lexicon::is_likeable(word)).map(|at| {
                at + 1 + usize::from(words.get(at + 1).is_some_and(|next| lexicon::is_likeable(next)))
            });
        let (start, end) = if bare {
            (0, thing.unwrap_or(words.len()))
        } else if could {
            (
                3,
                words
                    .iter()
                    .position(|word| matches!(*word, "every" | "all" | "for" | "any"))
                    .unwrap_or(words.len()),
            )
        } else {
            let is_verb = |word: &&str| verbs::lemma(word).is_some_and(|(_, form)| form != VerbForm::Gerund);
            (0, words.iter().position(is_verb).unwrap_or(0))
        };
        let plain = start < end
            && end - start <= 3
            && !words!("it that this he she they you i we my our there what the no yes nope yeah")
                .contains(words[start]);
        if plain {
            self.topic = piece.tokens[start..end].to_vec();
        }
    }

    /// Replaces *it* in a clause about tastes with the topic.
    pub(super) fn with_topic<'c>(&mut self, mut clause: Clause<'c>) -> Clause<'c> {
        let is_taste =
            words!("like love hate enjoy dislike stand adore detest loathe bear").contains(clause.verb);
        let allergic = clause.verb == "be"
            && matches!(clause.words().as_slice(), ["allergic", "to", "it" | "them" | "that" | "those"]);
        let named = self
            .topic
            .first()
            .is_some_and(|first| !lexicon::is_function_word(&first.low) && first.low != "out");
        if allergic && named {
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
                clause.rest.clone_from(&self.topic);
            }
        } else {
            self.topic = clause.rest.clone();
        }
        clause
    }

    /// Fills the slot that was just emptied: *I don't live in Berlin any more, it's Lyon now*.
    pub(super) fn restated(&mut self, clause: &Clause<'_>, piece: &SentencePiece) -> bool {
        let names_nothing =
            piece.tokens.iter().take(3).any(|token| {
                words!("it that this now he she instead there here").contains(token.low.as_str())
            });
        let is_it = names_nothing
            && clause.subject == ClauseSubject::Somebody
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
}
