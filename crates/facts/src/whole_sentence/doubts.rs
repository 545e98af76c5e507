//! Finds the facts that a message puts in doubt: it speaks of a change in words from which nothing could be extracted.
//!
//! *The nameplate at Renault is somebody else's now* matches no rule, and yet the companion should stop stating that
//! the user works at Renault. A doubted fact is no longer stated; the message is quoted instead. The words are
//! therefore examined as a whole, regardless of phrasing.

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::Date;
use protocol::FactId;
use text::terms;

use super::name_mention::{NameKind, NameMention, is_left};
use super::name_spans::spans;
use super::{cues, is_idiom};
use crate::extract::{sentences, shortened};
use crate::finding::Finding;
use crate::lexicon;
use crate::names::{KnownNames, same_person, split_subject};
use crate::question_forms::opens_a_telling;
use crate::reconcile::KnownFact;
use crate::same::same_value;
use crate::sentence::{MessageSentence, Seriousness, is_elsewhere, seriousness};
use crate::slot::{FactSlot, SlotKind};
use crate::token::WordToken;
use crate::wordlists::WordList;

/// The maximum number of words; a longer message has many subjects, and a change in it may concern any of them.
const MOST_WORDS: usize = 70;

/// Returns the facts that a message puts in doubt, apart from those that its findings settle.
pub fn facts_in_doubt(
    text: &str,
    said_on: Date,
    names: &KnownNames,
    known: &[KnownFact],
    found: &[Finding],
) -> Vec<FactId> {
    let text = shortened(text);
    let sentences = sentences(text, names);
    if sentences.iter().any(|sentence| matches!(seriousness(sentence), Seriousness::Nothing)) {
        return Vec::new();
    }
    let told: Vec<&MessageSentence> =
        sentences.iter().filter(|sentence| may_tell(sentence, sentences.len())).collect();
    let tokens: Vec<WordToken> = told.iter().flat_map(|sentence| sentence.tokens.clone()).collect();
    if tokens.is_empty() || tokens.len() > MOST_WORDS || is_idiom(&tokens) {
        return Vec::new();
    }
    let message = MessageWords::new(text, &tokens, names);
    if !message.changes {
        return Vec::new();
    }
    let is_doubted = |fact: &&KnownFact| {
        let Some(slot) = &fact.slot else { return false };
        fact.holds_on(said_on)
            && fact.learned <= said_on
            && !is_read(fact, slot, found)
            && message.is_about(fact)
            && DoubtCheck { message: &message, fact, slot }.is_raised()
    };
    known.iter().filter(is_doubted).map(|fact| fact.id).collect()
}

/// Returns true if a sentence may tell of a change. A question alone does not; *Who would have thought that I …* does.
fn may_tell(sentence: &MessageSentence, of: usize) -> bool {
    let words: Vec<&str> = sentence.tokens.iter().map(|token| token.low.as_str()).collect();
    let wonders = sentence.is_question
        && matches!(words.first(), Some(&("what" | "how" | "should" | "could" | "can" | "do")));
    let supposes = wonders || matches!(words.first(), Some(&("if" | "imagine" | "suppose")));
    let asks = sentence.is_question && of == 1 && !opens_a_telling(&sentence.tokens);
    let marvels = matches!(
        words.as_slice(),
        ["who" | "would" | "guess" | "remember" | "know" | "have" | "is", ..] | ["you" | "did", "know", ..]
    );
    !supposes
        && (!asks || marvels)
        && !is_elsewhere(&sentence.tokens)
        && !matches!(seriousness(sentence), Seriousness::No)
}

/// Returns true if a finding of the message settles the slot's value or shows that it is another person's.
fn is_read(fact: &KnownFact, slot: &FactSlot, found: &[Finding]) -> bool {
    found.iter().any(|finding| {
        let same = |other: &FactSlot| {
            other.kind == slot.kind && (other.of == slot.of || slot.kind == SlotKind::Thing)
        };
        let beside = |other: &FactSlot| {
            matches!(
                (slot.kind, other.kind),
                (SlotKind::Employer, SlotKind::Job) | (SlotKind::Taste, SlotKind::Favourite)
            )
        };
        let anothers = fact.subject.is_empty() && !finding.subject.is_empty();
        finding.slot.as_ref().is_some_and(|other| {
            same(other) && (anothers || same_person(&finding.subject, &fact.subject))
                || beside(other) && same_person(&finding.subject, &fact.subject)
        })
    })
}

/// Words for people in the user's life other than relatives.
static SOMEBODY: WordList = LazyLock::new(|| {
    "boss colleague neighbour neighbor ex flatmate roommate housemate teacher doctor landlord manager client guests kids     parents family best old"
        .split_whitespace()
        .collect()
});

/// The words of a message as a whole.
struct MessageWords<'a> {
    words: Vec<&'a str>,
    names: Vec<NameMention>,
    changes: bool,
    is_mine: bool,
    /// True if another person is mentioned.
    names_somebody: bool,
}

impl<'a> MessageWords<'a> {
    fn new(text: &str, tokens: &'a [WordToken], names: &KnownNames) -> Self {
        let words: Vec<&str> = tokens.iter().map(|token| token.low.as_str()).collect();
        let is_small = !text.chars().any(char::is_uppercase);
        let mut found = spans(text, tokens, names, is_small);
        for name in &mut found {
            name.is_left = is_left(&words, &name.range);
        }
        let mut message = Self {
            names: found,
            changes: cues::is_change(&words),
            is_mine: false,
            names_somebody: false,
            words,
        };
        // *My boss has switched to tea* is about the boss.
        let owns = message.words.windows(2).any(|pair| {
            matches!(pair[0], "my" | "our")
                && lexicon::relation(pair[1]).is_none()
                && !SOMEBODY.contains(pair[1])
        });
        message.names_somebody = message.words.iter().any(|word| {
            lexicon::relation(word).is_some() || SOMEBODY.contains(word) || names.person(word).is_some()
        }) || message.names.iter().any(|name| {
            name.kind == NameKind::Person || lexicon::is_given_name(message.words[name.range.start])
        });
        let is_terse = message.words.len() <= 8 && !message.names_somebody;
        message.is_mine = owns || is_terse || message.has(words!("i we me us mine myself"));
        message.changes |= message.has(words!(
            "settling settle unpacked unpacking overtaken overtook dethroned toppled beaten history retired behind back \
            over last final promotion promote made picked registered round recently packed growth past bought abandon \
            relocating turning switch face once never until move change transferred swapped residence suddenly citizen post raise ever forty \
            died nothing off before"
        ));
        message
    }

    fn has(&self, list: &WordList) -> bool {
        self.words.iter().any(|word| list.contains(word))
    }

    fn says(&self, phrase: &[&str]) -> bool {
        self.words.windows(phrase.len()).any(|window| window == phrase)
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.words[at])
    }

    /// Returns true if the message may be about the person that a fact describes.
    fn is_about(&self, fact: &KnownFact) -> bool {
        match split_subject(&fact.subject) {
            None => self.is_mine,
            Some((_, "")) => false,
            Some((_, name)) => self.place_of(name).is_some(),
        }
    }

    /// Returns the position of the given words.
    fn place_of(&self, words: &str) -> Option<Range<usize>> {
        let words = words.to_lowercase();
        let words: Vec<&str> = words.split([' ', '-']).filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return None;
        }
        let at = self.words.windows(words.len()).position(|window| window == words)?;
        Some(at..at + words.len())
    }

    fn speaks_of(&self, term: &str) -> bool {
        self.words.iter().any(|word| terms(word).iter().any(|own| own == term))
    }

    /// Returns true if the message is about something unreal or still to come.
    fn is_unreal(&self) -> bool {
        self.has(words!(
            "if should might maybe perhaps plan plans planning want wants wish hope hoping imagine interview offered offer \
            thinking almost nearly tempted wonder pretend dreamt dreamed dream"
        )) && !self.says(&["do", "not", "want"])
    }
}

struct DoubtCheck<'a> {
    message: &'a MessageWords<'a>,
    fact: &'a KnownFact,
    slot: &'a FactSlot,
}

impl DoubtCheck<'_> {
    fn is_raised(&self) -> bool {
        if self.message.is_unreal() {
            return false;
        }
        match self.slot.kind {
            SlotKind::Home => self.home(),
            SlotKind::Employer => self.employer(),
            SlotKind::Job => self.job(),
            SlotKind::Pet => self.pet(),
            SlotKind::Favourite => self.favourite(),
            SlotKind::Taste => self.taste(),
            SlotKind::Diet => self.diet(),
            SlotKind::Thing => self.car(),
            SlotKind::Property => self.slot.of == "preferred drink" && self.drink(&self.fact.value),
            SlotKind::Habit => self.slot.of.strip_prefix("drink ").is_some_and(|drink| self.drink(drink)),
            _ => false,
        }
    }

    fn is_known(&self, name: &NameMention) -> bool {
        same_value(self.slot.kind, &name.text, &self.fact.value)
    }

    fn names_value(&self) -> bool {
        self.message.place_of(&self.fact.value).is_some()
            || self.message.names.iter().any(|name| self.is_known(name))
    }

    fn is_left(&self) -> bool {
        self.message.place_of(&self.fact.value).is_some_and(|range| is_left(&self.message.words, &range))
            || self.message.names.iter().any(|name| name.is_left && self.is_known(name))
    }

    /// Returns true if the message contains another name that may fill the slot.
    fn names_another(&self, fits: impl Fn(&NameMention) -> bool) -> bool {
        let subject = split_subject(&self.fact.subject).map_or("", |(_, name)| name);
        self.message.names.iter().any(|name| {
            !self.is_known(name)
                && (!name.is_left || !self.names_value())
                && !name.text.eq_ignore_ascii_case(subject)
                && fits(name)
        })
    }

    fn home(&self) -> bool {
        let message = self.message;
        let travels = message.has(words!(
            "visit visiting visited trip holiday holidays vacation flight flights flew fly conference airport tickets \
            weekend meeting honeymoon tour match concert server servers game won lost beat"
        ));
        let moves = message.has(words!(
            "moved move moving relocated relocating unpacked unpacking boxes settled settling flat apartment house home \
            lease keys neighbours neighbors landlord living live lives kitchen packed inhabitant found leaving off good van residence transferred swapped citizen"
        )) || message.says(&["new", "address"]) || message.says(&["address", "book"]);
        let mine = self.fact.subject.is_empty();
        let anothers =
            mine && message.has(words!("he she his her their friend sister brother cousin mum dad parents"));
        let place = |name: &NameMention| name.kind == NameKind::Place;
        if travels || anothers {
            return false;
        }
        if self.names_value() {
            return self.is_left() || self.names_another(place);
        }
        !(mine && message.names_somebody) && self.names_another(place) && moves
    }

    fn employer(&self) -> bool {
        let message = self.message;
        let company = |name: &NameMention| matches!(name.kind, NameKind::Company | NameKind::Unknown);
        let mine = self.fact.subject.is_empty();
        let anothers = mine
            && !message.has(words!("i me we"))
            && message.has(words!("he she his her their friend sister brother cousin mum dad neighbour"));
        let deals = message
            .has(words!("supplier account shares stock subscription insurance sharing parcel order"))
            || message.says(&["phone", "contract"]);
        if anothers || deals {
            return false;
        }
        let begins = message.says(&["first", "day"])
            || message.says(&["new", "job"])
            || message.says(&["new", "employer"])
            || message.has(words!("hired joined payroll onboarding switched quit resigned notice left"));
        if self.names_value() {
            return self.is_left() || self.names_another(company);
        }
        !(mine && message.names_somebody)
            && self.names_another(|name| name.kind == NameKind::Company)
            && begins
    }

    /// Returns true if the message contains another job title and words of a promotion.
    fn job(&self) -> bool {
        let message = self.message;
        let another = message.words.iter().enumerate().any(|(at, word)| {
            lexicon::is_occupation(&[word])
                && !self.fact.value.split(' ').any(|own| own == *word)
                && !words!("my our his her with by from saw met your").contains(message.before(at))
        });
        let raised = message
            .has(words!("promoted promotion promote title nameplate signature badge linkedin"))
            || message.says(&["made", "me"])
            || message.says(&["been", "made"])
            || message.says(&["talking", "to", "the", "new"])
            || message.says(&["under", "my", "name"])
            || message.says(&["post", "of"])
            || message.says(&["told", "me", "i"])
            || message.says(&["guess", "who"])
            || message.says(&["you", "are", "talking", "to"])
            || message.says(&["now", "?", "me"]);
        another && raised
    }

    fn pet(&self) -> bool {
        let (message, kind) = (self.message, self.slot.of.as_str());
        let renames = message.has(words!(
            "name named names renamed rename renaming rechristened registered answers responds listens suit suits fit \
            tag collar"
        )) || message.says(&["is", "now"])
            || message.says(&["from", "now", "on"]);
        let mine = message
            .words
            .windows(2)
            .any(|pair| matches!(pair[0], "my" | "our" | "the" | "old") && pair[1] == kind);
        let name = |name: &NameMention| {
            matches!(name.kind, NameKind::Unknown | NameKind::Pet | NameKind::Person | NameKind::Vehicle)
        };
        self.fact.value != kind && (mine || self.names_value()) && renames && self.names_another(name)
    }

    fn favourite(&self) -> bool {
        let message = self.message;
        let of =
            message.speaks_of(&self.slot.of) || self.slot.of.split(' ').all(|term| message.speaks_of(term));
        let best = message.has(words!(
            "favourite favorite fave best top throne crown champion overtaken overtook dethroned toppled"
        ));
        best && of
            && (self.names_value()
                || message.has(words!("now these lately new anymore longer nowadays suddenly")))
            || best && self.names_value() && self.is_left()
    }

    fn taste(&self) -> bool {
        let (message, slot) = (self.message, self.slot);
        let thing: Vec<&str> = slot.of.split(' ').filter(|term| !term.is_empty()).collect();
        if thing.is_empty() || !thing.iter().all(|term| message.speaks_of(term)) {
            return false;
        }
        let turned = message.has(words!(
            "now anymore lately nowadays longer turned changed converted once grown stopped lost gone since finally until \
            recently round take face past last growth never changes off died before ever forty"
        )) || message.says(&["used", "to"])
            || message.says(&["these", "days"])
            || message.says(&["any", "more"]);
        let feels = if self.fact.value == "likes" {
            message.has(words!(
                "hate hates off over stand bear tired sick enough done not never less lost dislike disgusting awful avoid \
                stopped longer anymore boring bored pass nope rolling away nothing died"
            ))
        } else {
            message.has(words!(
                "love like enjoy enjoying fan great amazing delicious good obsessed hooked addicted crave craving into \
                converted won taste again favourite adore happily pleasure forward enough yay round liking liked enjoyed right"
            ))
        };
        turned && feels
    }

    fn diet(&self) -> bool {
        let (message, fact) = (self.message, self.fact);
        let meatless =
            words!("vegetarian vegan pescatarian plant-based veggie").contains(fact.value.as_str());
        let meat = message.has(words!(
            "meat steak steaks burger burgers bacon beef chicken sausage sausages pork ham lamb kebab ribs roast butcher \
            carnivore omnivore"
        ));
        let back = message.has(words!(
            "again back anymore longer over caved cracked return returned omnivore carnivore now"
        )) || message.says(&["once", "more"]);
        let without = message.has(words!("without vegan-friendly meat-free substitute fake plant"));
        let another = message.words.iter().any(|word| lexicon::is_diet(word) && *word != fact.value);
        let turned = message
            .has(words!("now since turned turning gone went become became switched switch from joined"));
        let anothers = message.has(words!(
            "he she his her their friend sister brother cousin restaurant recipe recipes guests"
        )) && !message.says(&["i", "have"])
            && !message.says(&["i", "am"]);
        !anothers && (meatless && meat && back && !without || another && turned)
    }

    fn car(&self) -> bool {
        let message = self.message;
        let own = self.fact.value.to_lowercase();
        let another = message
            .words
            .iter()
            .any(|word| lexicon::is_make(word) && !own.split(' ').any(|part| part == *word));
        let mine = message.has(words!("my our mine")) && message.has(words!("new now finally bought"));
        let lent = message.has(words!("rental rented hire borrowed taxi neighbour his her toy advert"));
        self.slot.of == "car"
            && !lent
            && (self.names_value() && (self.is_left() || another) || another && mine)
    }

    fn drink(&self, drink: &str) -> bool {
        let message = self.message;
        let named = message.place_of(drink).is_some() || drink.split(' ').all(|term| message.speaks_of(term));
        let left = message.place_of(drink).is_some_and(|range| is_left(&message.words, &range));
        named
            && (left || message.has(words!(
                "instead switched swapped replaced abandon abandoned anymore longer quit up changed before"
            )) || message.says(&["used", "to"]))
    }
}

#[cfg(test)]
#[path = "doubts_tests.rs"]
mod tests;
