//! Stores findings, and extracts facts that are only mentioned in passing.

use protocol::FactCategory;

use super::clause::{self, Clause, SentencePiece, Tense};
use super::clause_link::ClauseLink;
use super::extract::{MessageReader, bare};
use super::finding::{Finding, Polarity};
use super::lexicon;
use super::mentions::ClauseSubject;
use super::names::KnownName;
use super::plausible::is_plausible;
use super::rules::wordings;
use super::rules::{self, FactDraft};
use super::sentence::MessageSentence;
use super::slot::{FactSlot, SlotKind};
use super::token::WordToken;
use super::verbs::{self, VerbForm};

impl MessageReader<'_> {
    /// Extracts names that stand next to the thing they name, anywhere in a sentence.
    pub(super) fn beside(&mut self, sentence: &MessageSentence) {
        let mut drafts = rules::beside(self.text, &sentence.tokens);
        // *I broke up with my girlfriend Laura*: the relationship is over.
        let is_over =
            |token: &WordToken| words!("broke broken split divorced dumped ex").contains(token.low.as_str());
        if sentence.tokens.iter().any(is_over) {
            drafts.retain(|draft| {
                !draft
                    .slot
                    .as_ref()
                    .is_some_and(|slot| slot.kind == SlotKind::Relative && is_couple(&slot.of))
            });
        }
        if drafts.is_empty() {
            return;
        }
        let end = sentence
            .tokens
            .iter()
            .rev()
            .find(|token| !token.is_mark())
            .map_or(sentence.range.end, |token| token.range.end);
        let start = sentence.tokens.first().map_or(sentence.range.start, |token| token.range.start);
        let piece = SentencePiece {
            tokens: Vec::new(),
            whens: Vec::new(),
            hints: clause::ClauseHints::default(),
            link: ClauseLink::Main,
            range: start..end,
        };
        let clause = bare(self.text, piece, self.today);
        for draft in drafts {
            let pet = draft
                .slot
                .as_ref()
                .filter(|slot| slot.kind == SlotKind::Pet)
                .map(|slot| KnownName::new(&slot.of, &draft.value));
            if let Some(pet) = pet {
                self.mentions.met.push((pet, true));
            }
            self.keep(draft, &clause);
        }
    }

    /// Extracts facts mentioned in passing: `my new flat in Graz needs paint`.
    pub(super) fn passing(&mut self, piece: &SentencePiece) {
        let drafts = rules::in_passing(self.text, &piece.tokens);
        let clause = bare(self.text, piece.clone(), self.today);
        for draft in drafts {
            self.keep(draft, &clause);
        }
    }

    /// Records people and animals named in passing: `my sister Anna`.
    pub(super) fn met(&mut self, clause: &Clause<'_>, met: usize) {
        for (named, is_pet) in self.mentions.met.split_off(met.min(self.mentions.met.len())) {
            let known = if is_pet {
                self.names.pet(&named.name).is_some()
            } else {
                self.names.person(&named.name).is_some_and(|label| label == named.label())
            };
            let found = self.found.iter().any(|finding| {
                finding.value == named.name
                    && finding.subject.is_empty()
                    && finding.polarity == Polarity::Holds
            });
            let ended = self.found.iter().find(|finding| {
                finding.polarity == Polarity::Ended
                    && finding.value == named.name
                    && finding
                        .slot
                        .as_ref()
                        .is_some_and(|slot| slot.kind == SlotKind::Pet && slot.of == named.what)
            });
            let ended = ended.and_then(|finding| finding.valid_to);
            if !known && !found && !named.what.contains("'s ") {
                let mut draft = rules::met(&named, is_pet).of("");
                let dead = clause.subject == ClauseSubject::Pet(named.clone())
                    && matches!(clause.verb, "die" | "pass")
                    || is_couple(&named.what)
                        && matches!(clause.verb, "break" | "split" | "divorce" | "dump")
                    || has_left(clause, &named)
                    || is_late(clause, &named)
                    || is_pet && ended.is_some();
                if dead {
                    draft.past = true;
                }
                let mut finding = rules::finish(draft, clause);
                finding.replaces = None;
                if dead {
                    // The date of the clause is the end, not the beginning.
                    finding.valid_from = None;
                    finding.valid_to = ended.or(finding.valid_to);
                    finding.content =
                        finding.content.replacen("Has ", "Had ", 1).replacen(" is called", " was called", 1);
                } else {
                    finding.valid_from = None;
                    finding.valid_to = None;
                    finding.expires = None;
                }
                self.push(finding);
            }
            self.mentions.met.push((named, is_pet));
        }
    }

    pub(super) fn keep(&mut self, mut draft: FactDraft, clause: &Clause<'_>) {
        let kind = draft.slot.as_ref().map(|slot| slot.kind);
        // `I moved from Renault to Siemens`, where Renault is a known company.
        let moves = matches!(clause.verb, "move" | "transfer" | "swap" | "trade" | "exchange" | "ditch");
        let left_job = self.found.last().is_some_and(|last| {
            last.polarity == Polarity::Ended
                && last.slot.as_ref().is_some_and(|slot| slot.kind == SlotKind::Employer)
        });
        let company = kind == Some(SlotKind::Home) && moves && left_job && !self.names.is_place(&draft.value)
            || kind == Some(SlotKind::Home)
                && moves
                && (draft.replaces.as_deref().is_some_and(|old| self.names.is_company(old))
                    || draft.gave_way && self.names.is_company(&draft.value));
        // `I left Berlin`, where Berlin is a known place.
        if kind == Some(SlotKind::Employer)
            && draft.polarity == Polarity::Ended
            && self.is_place(&draft.value)
        {
            draft.slot = Some(FactSlot::new(SlotKind::Home));
            draft.says = draft.says.replacen("works at", "lives in", 1);
        }
        // `Tom left Oslo for Rome`, where Oslo is a known place.
        if kind == Some(SlotKind::Employer)
            && clause.verb == "leave"
            && (draft.replaces.as_deref().is_some_and(|old| self.is_place(old))
                || draft.gave_way && self.is_place(&draft.value))
        {
            draft.slot = Some(FactSlot::new(SlotKind::Home));
            draft.says = draft.says.replacen("works at", "lives in", 1).replacen("worked at", "lived in", 1);
        }
        if company {
            draft.slot = Some(FactSlot::new(SlotKind::Employer));
            draft.says = draft
                .says
                .replacen("lives in", "works at", 1)
                .replacen("lived in", "worked at", 1)
                .replacen("lives ", "works ", 1);
        }
        // `I have one rabbit, the name is Ziggy`
        let unnamed =
            self.found.last().and_then(|last| last.slot.as_ref().filter(|slot| slot.of == last.value));
        if kind == Some(SlotKind::Name)
            && !clause.text.to_lowercase().contains("my name")
            && let Some(slot) = unnamed.filter(|slot| slot.kind == SlotKind::Pet)
        {
            draft = rules::pet(&slot.of, &draft.value);
        } else if kind == Some(SlotKind::Name) && is_of_another(clause.text) {
            return;
        }
        // `I relocated, so I'm in Graz now`
        if kind == Some(SlotKind::Whereabouts) && self.has_moved {
            draft.slot = Some(FactSlot::new(SlotKind::Home));
            draft.category = FactCategory::Personal;
            draft.says = format!("lives in {}", draft.value);
            draft.expires = None;
            draft.begins = true;
        }
        let finding = rules::finish(draft, clause);
        self.push(finding);
    }

    /// Returns true if a name is known only as a place.
    fn is_place(&self, value: &str) -> bool {
        let low = value.to_lowercase();
        self.names.is_place(value) || lexicon::is_city(&low) && !self.names.is_company(value)
    }

    pub(super) fn push(&mut self, mut finding: Finding) {
        let Some(slot) = &finding.slot else {
            if !self.found.iter().any(|known| known.content == finding.content) {
                self.found.push(finding);
            }
            return;
        };
        if slot.kind == SlotKind::Thing && slot.of == "car" && finding.value == "car" {
            return;
        }
        // *Moved to Rome way back*: words after a known city or company are not part of the name.
        if matches!(slot.kind, SlotKind::Home | SlotKind::Employer)
            && let Some(name) = known_name(&finding.value)
        {
            finding.content = finding.content.replace(&finding.value, &name);
            finding.value = name;
        }
        if !is_plausible(&finding, self.text, self.names) {
            return;
        }
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

    /// Stores a statement that the user asked to remember and no rule understands, as worded.
    pub(super) fn note(&mut self, piece: SentencePiece) {
        let said = rules_text(self.text, &piece.tokens);
        let first = piece.tokens.first().map_or("", |token| token.low.as_str());
        let tells = piece.tokens.iter().any(|token| {
            matches!(token.low.as_str(), "is" | "are" | "am" | "was" | "has" | "have" | ":")
                || verbs::lemma(&token.low).is_some()
        });
        // *Remember to breathe*, *note how they run*, *don't forget the milk* are advice, not facts.
        let advises = matches!(first, "to" | "how" | "what" | "when" | "why" | "this" | "these")
            || piece
                .tokens
                .iter()
                .any(|token| matches!(token.low.as_str(), "you" | "your" | "yourself" | "\u{1}"));
        if piece.tokens.len() < 3 || said.is_empty() || !tells || advises {
            return;
        }
        let clause = bare(self.text, piece, self.today);
        let draft = FactDraft::new(FactCategory::Context, None, said.clone(), "")
            .in_full(rules::sentence("", &of_another(&said)))
            .sure(0.9)
            .important(0.8);
        self.keep(draft, &clause);
    }

    /// Reads farewells: `Goodbye Berlin, hello Lyon`; `RIP Max`.
    pub(super) fn farewell(&mut self, sentence: &MessageSentence) -> bool {
        let words: Vec<&WordToken> =
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
        let name = |at: usize| words.get(at).map(|token| super::name_text::capital(&token.low));
        let whole = SentencePiece {
            tokens: sentence.tokens.clone(),
            whens: Vec::new(),
            hints: clause::ClauseHints::default(),
            link: ClauseLink::Main,
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
            ] if words[3].is_capital && !self.names.is_company(low[1]) && !lexicon::is_company(low[3]) => {
                let (Some(old), Some(new)) = (name(1), name(3)) else { return false };
                let draft = wordings::lives(&new).sure(0.7).replacing(Some(old)).begins();
                let mut finding = rules::finish(draft, &clause);
                finding.valid_from = Some(self.today);
                self.push(finding);
                true
            }
            [_, "here"] if words[0].is_capital && lexicon::is_given_name(low[0]) => {
                let Some(own) = name(0) else { return false };
                let draft = wordings::called(&own).important(0.9).sure(0.7);
                self.keep(draft, &clause);
                true
            }
            ["rip", pet, ..] if self.names.pet(pet).is_some() => {
                let Some(pet) = self.names.pet(pet).cloned() else { return false };
                let draft = FactDraft::new(
                    FactCategory::Relationship,
                    FactSlot::of(SlotKind::Pet, pet.what.clone()),
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

/// Returns true if the person is called late: *My late husband Carl*.
fn is_late(clause: &Clause<'_>, named: &KnownName) -> bool {
    let said = clause.text.get(clause.range.clone()).unwrap_or_default().to_lowercase();
    let words: Vec<&str> = said.split(|letter: char| !letter.is_alphanumeric() && letter != '-').collect();
    words.windows(2).any(|pair| {
        let whose = lexicon::relation(pair[1]).or_else(|| lexicon::animal(pair[1]));
        matches!(pair[0], "late" | "deceased") && whose == Some(named.what.as_str())
    })
}

/// Returns true if the person left the role: *My boss Ingrid quit*.
fn has_left(clause: &Clause<'_>, named: &KnownName) -> bool {
    let goes = match clause.verb {
        "die" => true,
        "pass" => matches!(clause.words().first(), Some(&("away" | "on" | "peacefully"))),
        "quit" | "resign" | "retire" => is_of_work(&named.what),
        "leave" => is_of_work(&named.what) && clause.words().first().is_none_or(|next| *next != "me"),
        "move" => {
            words!("roommate flatmate housemate").contains(named.what.as_str())
                && clause.words().first() == Some(&"out")
        }
        _ => false,
    };
    goes && clause.subject == ClauseSubject::Person(named.label())
        && !clause.negated
        && (matches!(clause.tense, Tense::Past | Tense::Perfect)
            || clause.verb == "quit" && !clause.progressive)
}

fn is_of_work(what: &str) -> bool {
    words!("boss colleague mentor teacher coach trainer").contains(what)
}

fn is_couple(what: &str) -> bool {
    words!("girlfriend boyfriend partner wife husband fiancé").contains(what)
}

/// Returns the city or company at the start of a value if words in lower case follow it.
fn known_name(value: &str) -> Option<String> {
    let (name, rest) =
        value.match_indices(' ').rev().map(|(at, _)| value.split_at(at)).find(|(name, _)| {
            let low = name.to_lowercase();
            lexicon::is_city(&low) || lexicon::is_company(&low)
        })?;
    rest.trim_start().starts_with(char::is_lowercase).then(|| name.to_owned())
}

fn rules_text(text: &str, tokens: &[WordToken]) -> String {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return String::new() };
    text.get(first.range.start..last.range.end).unwrap_or("").trim().to_owned()
}

/// Turns a statement in the first person into the third person.
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
            Some((base, VerbForm::Base)) => format!("{} {tail}", verbs::of_another(base)),
            _ => rest.to_owned(),
        }
    } else {
        said.clone()
    };
    turned.replace(" my ", " their ").replace("My ", "Their ").replace("my ", "their ").trim().to_owned()
}

/// Returns true if a message names someone else that it mentions: *have I told you about my dog? The name is Rex*.
fn is_of_another(message: &str) -> bool {
    let low = message.to_lowercase();
    let mut words = low.split(|letter: char| !letter.is_alphanumeric());
    low.contains("the name")
        && !low.contains("my name")
        && words.any(|word| lexicon::animal(word).is_some() || lexicon::relation(word).is_some())
}
