//! Determines whether a finding was stated plainly: in the first person, with the usual words, and with the whole value
//! in its place. Everything else is a guess, however confident the pattern: *They're really awesome* names no dog, and
//! *I work in Python* no employer. Guesses are not stated to the user as facts.

mod limits;

use self::limits::limit;
use super::finding::{Finding, Polarity};
use super::lexicon;
use super::slot::SlotKind;
use super::wordlists::{PRODUCTS, WordList};

/// Patterns with less confidence only guess.
const SURE: f32 = 0.77;
/// The maximum number of words of a named thing; longer values are descriptions.
const LONGEST_NAME: usize = 6;

impl Finding {
    /// Returns true if the finding may be stated as a fact.
    pub fn is_plain(&self) -> bool {
        let said = QuotedWords::new(&self.quote);
        // A message that names the replaced value is a statement in any person: *his name is Bruno*.
        let is_own =
            said.has(first_person()) || self.replaces.as_ref().is_some_and(|before| !before.is_empty());
        if self.confidence < SURE || !is_own || said.has(unreal()) || said.is_shouted || self.is_misread() {
            return false;
        }
        let Some(slot) = &self.slot else { return !said.reminds_everybody() };
        let content = self.content.trim_end_matches(['.', '!', '?']);
        let thing = content.split_once(' ').map_or(content, |(_, thing)| thing);
        let holds = self.polarity == Polarity::Holds;
        match slot.kind {
            SlotKind::Taste => said.has(liking()) && said.names_whole(thing, holds),
            SlotKind::Favourite => said.names_favourite(&slot.of, content),
            SlotKind::Pet | SlotKind::Relative => said.names_one_of(&slot.of, content, slot.kind, holds),
            SlotKind::Name | SlotKind::Nickname => said.names_me(content),
            SlotKind::Employer if holds => said.names_employer(content),
            SlotKind::Employer => said.has(leaving()) && !said.says(&["get", "laid"]),
            SlotKind::Job if holds => said.names_job(),
            SlotKind::Thing if holds => said.names_thing(content),
            SlotKind::Home if holds => said.has(living()),
            SlotKind::Household if holds => !said.says(&["live", "in"]),
            SlotKind::Study => !said.says(&["student", "from"]),
            SlotKind::Property if holds => {
                slot.of == "death" || content.split(' ').count() < LONGEST_NAME && !said.is_about_a_thing()
            }
            SlotKind::Habit | SlotKind::Goal | SlotKind::Skill | SlotKind::Plan if holds => names_deed(thing),
            _ => true,
        }
    }

    /// Returns true if the words mean something else, so that the finding is not even a guess: *I work with Python*
    /// does not contradict any employer.
    pub fn is_misread(&self) -> bool {
        let Some(slot) = &self.slot else { return false };
        let said = QuotedWords::new(&self.quote);
        let content = self.content.trim_end_matches(['.', '!', '?']);
        let holds = self.polarity == Polarity::Holds;
        let says_else = match slot.kind {
            SlotKind::Employer if holds => {
                said.names_tool(content) || said.tells_once("worked") || !is_named(content)
            }
            SlotKind::Job if holds => self.value != "retired" && said.names_other_trade(),
            SlotKind::Thing if holds => names_part(&slot.of, content),
            SlotKind::Home if holds => !self.is_past() && said.tells_once("lived") || !is_named(content),
            SlotKind::Habit | SlotKind::Taste => said.has_never_tried(),
            _ => false,
        };
        says_else || self.is_of_a_while(&said, slot.kind) || self.is_of_the_dead(&said, slot.kind)
    }

    /// Returns true for a temporary way of living: *I gave up meat for Lent*, *I'm vegan on weekdays*. A finding with
    /// an end date, or whose content names the time, is kept.
    fn is_of_a_while(&self, said: &QuotedWords, kind: SlotKind) -> bool {
        let words: Vec<&str> = said.words.iter().map(|word| word.low.as_str()).collect();
        let limit = limit(&words).filter(|_| self.expires.is_none() && !self.is_past());
        limit.is_some_and(|limit| match kind {
            SlotKind::Diet | SlotKind::Habit | SlotKind::Taste | SlotKind::Skill if limit.is_once => true,
            SlotKind::Diet | SlotKind::Habit if self.polarity == Polarity::Holds => {
                let content = self.content.to_lowercase();
                !content.split([' ', '.']).any(|word| word == limit.word)
            }
            _ => false,
        })
    }

    /// Returns true if the finding is about a dead person or pet: *My late husband Carl*.
    fn is_of_the_dead(&self, said: &QuotedWords, kind: SlotKind) -> bool {
        let ends = !matches!(
            kind,
            SlotKind::Birthday
                | SlotKind::Origin
                | SlotKind::Nationality
                | SlotKind::Name
                | SlotKind::Property
        );
        let is_theirs = !self.subject.is_empty() || matches!(kind, SlotKind::Pet | SlotKind::Relative);
        ends && is_theirs && self.polarity == Polarity::Holds && !self.is_past() && said.mourns()
    }
}

/// The words of a quote.
struct QuotedWords {
    words: Vec<Word>,
    is_shouted: bool,
}

struct Word {
    low: String,
    is_capital: bool,
    /// The punctuation mark after the word.
    mark: Option<char>,
}

impl QuotedWords {
    fn new(quote: &str) -> Self {
        let words = quote.split_whitespace().map(Word::new).filter(|word| !word.low.is_empty());
        let letters = quote.chars().filter(|letter| letter.is_alphabetic());
        let is_shouted = letters.clone().count() > 8 && !letters.clone().any(char::is_lowercase);
        Self { words: words.collect(), is_shouted }
    }

    fn has(&self, list: &WordList) -> bool {
        self.words.iter().any(|word| list.contains(word.low.as_str()))
    }

    fn low(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.low.as_str())
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.low(at))
    }

    fn says(&self, phrase: &[&str]) -> bool {
        self.words
            .windows(phrase.len())
            .any(|window| window.iter().zip(phrase).all(|(word, wanted)| word.low == *wanted))
    }

    /// Returns true for general advice: *Just remember that we're all the same*.
    fn reminds_everybody(&self) -> bool {
        self.low(0) == "just" || self.low(0) == "note" || self.low(1) == "just"
    }

    fn mourns(&self) -> bool {
        self.words.windows(3).any(|window| {
            matches!(window[0].low.as_str(), "my" | "our")
                && matches!(window[1].low.as_str(), "late" | "deceased")
                && {
                    let whose = window[2].low.trim_end_matches("'s");
                    lexicon::relation(whose).is_some() || lexicon::animal(whose).is_some()
                }
        })
    }

    /// Returns true for an experience: *I've lived in Florida* is over, *for ten years* continues.
    fn tells_once(&self, verb: &str) -> bool {
        let has = |word: &str| words!("i've we've he's she's they've have has").contains(word);
        let once =
            self.words.iter().position(|word| word.low == verb).is_some_and(|at| {
                (1..=3).any(|back| at.checked_sub(back).is_some_and(|at| has(self.low(at))))
            });
        once && !self.has(words!(
            "for since always ever life ages still now long years year decades months weeks career forever"
        ))
    }

    /// Returns true if something was never tried: *I've never been fishing before* is not a habit of not fishing.
    fn has_never_tried(&self) -> bool {
        self.words.windows(3).any(|window| {
            window[0].low == "never" && window[1].low == "been" && window[2].low.ends_with("ing")
        })
    }

    /// Returns true for statements about a thing and not about the user: *The wait is hard*, *our team is devoid of
    /// both*.
    fn is_about_a_thing(&self) -> bool {
        matches!(self.low(0), "the" | "our")
    }

    /// Returns the position of a thing in the words; *my* matches *their*.
    fn find(&self, thing: &str) -> Option<(usize, usize)> {
        let wanted: Vec<Word> =
            thing.split_whitespace().map(Word::new).filter(|word| !word.low.is_empty()).collect();
        let at = self.words.windows(wanted.len().max(1)).position(|window| {
            !wanted.is_empty() && window.iter().zip(&wanted).all(|(word, wanted)| word.is_same(wanted))
        })?;
        Some((at, at + wanted.len()))
    }

    /// Returns true if a thing is named in full and unambiguously: not *it*, not *the support*, and not the first half
    /// of *a safe, inviting place*.
    fn names_whole(&self, thing: &str, holds: bool) -> bool {
        let Some((start, end)) = self.find(thing) else { return false };
        let first = self.low(start);
        let several = end - start > 1;
        let is_idiom = self.has(words!("to"))
            && words!("hoping thinking saying believing getting trying").contains(low_of(thing));
        if holds && is_vague(thing)
            || words!(
                "in on at how when what where why that if because is are being to from with about as not no"
            )
            .contains(first)
            || self.is_definite(start)
            || is_idiom
            || deictic().contains(self.before(start))
        {
            return false;
        }
        match self.words[end - 1].mark {
            Some(',') => !several || !holds,
            Some(_) => true,
            None => end == self.words.len() || goes_on().contains(self.low(end)),
        }
    }

    /// Returns true for a reference without context, *the support*. *The Canucks* and *the sea* are clear.
    fn is_definite(&self, at: usize) -> bool {
        let Some(next) = self.words.get(at + 1) else { return self.low(at) == "the" };
        self.low(at) == "the" && !next.is_capital && !everybodys().contains(next.low.as_str())
    }

    fn names_favourite(&self, of: &str, content: &str) -> bool {
        let of: Vec<&str> = of.split(' ').collect();
        let is_kind = of.len() <= 2
            && of.iter().all(|word| {
                !words!("thing out far three one part way time").contains(*word)
                    && !word.is_empty()
                    && word.chars().all(char::is_alphabetic)
            });
        let told = [" is ", " was ", " are "].iter().find_map(|be| content.split_once(be));
        let Some((_, value)) = told.filter(|_| is_kind) else { return false };
        let is_short = value.split(' ').count() <= LONGEST_NAME;
        is_short
            && self.find(value).is_some_and(|(start, _)| {
                !deictic().contains(self.low(start))
                    && !words!("they he she when how what").contains(self.low(start))
                    && !self.is_definite(start)
            })
    }

    /// Returns true if the name is stated next to its bearer: *My dog Max*, *a cat named Bailey*, *Oscar, my guinea
    /// pig*.
    fn names_one_of(&self, of: &str, content: &str, kind: SlotKind, holds: bool) -> bool {
        let Some((_, name)) = content.split_once(" called ") else {
            return !holds
                || kind == SlotKind::Relative
                || self.has(words!("have got we've i've adopted own died dead passed married husband wife"));
        };
        let Some((start, end)) = self.find(name) else { return false };
        let before = self.before(start).trim_end_matches("'s");
        let is_named = matches!(before, "called" | "named");
        if !self.words[start].is_capital && !is_named {
            return false;
        }
        let whose = content.split(' ').next().unwrap_or_default().to_lowercase();
        let is_kind = |word: &str| {
            let word = word.trim_end_matches("'s");
            word == whose || of.split(' ').any(|of| of == word)
        };
        let beside = start.checked_sub(2).map_or("", |at| self.low(at));
        is_named
            || matches!(before, "is" | "name" | "naming")
            || is_kind(before)
            || is_kind(beside)
            || before == "and" && self.words[start].is_capital
            || self.low(end) == "my"
            || self.low(end) == "is" && self.low(end + 1) == "my"
    }

    fn names_me(&self, content: &str) -> bool {
        let Some((_, name)) = content.split_once(" called ") else { return true };
        let Some((start, _)) = self.find(name) else { return false };
        words!("is name's me by am i'm im called named name").contains(self.before(start))
    }

    /// Returns true for tools: *I work with Python* names a tool, *I work with Deloitte* an employer.
    fn names_tool(&self, content: &str) -> bool {
        let Some((_, name)) = content.split_once(" at ") else { return false };
        let is_beside = self.find(name).is_some_and(|(start, _)| self.before(start) == "with");
        let name = name.to_lowercase();
        is_beside
            && self.has(words!("work works working worked"))
            && (PRODUCTS.contains(low_of(&name)) || !lexicon::is_company(&name))
    }

    fn names_employer(&self, content: &str) -> bool {
        let told = [" at ", " for ", " with "].iter().find_map(|link| content.split_once(link));
        let found = told.and_then(|(_, name)| self.find(name));
        let Some((start, _)) = found else { return false };
        self.words[start].is_capital
            && !self.is_definite(start)
            && words!("at for with by joined join joining to from is of").contains(self.before(start))
            && self.has(words!(
                "work works working worked job employed hired joined join joining start started starting position role \
                employer"
            ))
    }

    /// Returns true for work that need not be current: *I'm a teacher by training*, *an aspiring actor*, *I've been a
    /// nurse*.
    fn names_other_trade(&self) -> bool {
        let is_not_worked = |pair: &[Word]| {
            matches!(
                (pair[0].low.as_str(), pair[1].low.as_str()),
                ("by", "training" | "education" | "qualification" | "degree")
                    | ("at", "heart")
                    | ("on", "paper")
                    | ("in", "theory")
                    | ("bit", "of")
            )
        };
        self.has(words!("former ex failed aspiring amateur wannabe would-be trained qualified retired"))
            || self.words.windows(2).any(is_not_worked)
            || self.tells_once("been")
            || self.tells_once("worked")
    }

    fn names_job(&self) -> bool {
        let is_told = [
            "i'm a",
            "i'm an",
            "im a",
            "im an",
            "i am a",
            "i am an",
            "i'm the",
            "work as",
            "works as",
            "working as",
            "worked as",
            "been a",
            "been an",
            "job is",
            "i teach",
            "i drive",
            "i run",
            "we run",
            "i own",
            "i opened",
            "we opened",
            "i cook",
            "promoted to",
            "trained as",
            "is a",
            "is an",
            "was a",
            "was an",
            "became a",
            "became an",
            "become a",
            "become an",
            "for a living",
            "retired",
        ];
        is_told.iter().any(|told| self.says(&told.split(' ').collect::<Vec<_>>()))
    }

    /// Returns true if the words state ownership: *I drive a Skoda*, but not *I have my phone*.
    fn names_thing(&self, content: &str) -> bool {
        let owns = words!("drive own have got bought ride i've we've");
        let has_one = self.words.windows(2).any(|pair| {
            owns.contains(pair[0].low.as_str())
                && words!("a an two three got another some").contains(pair[1].low.as_str())
        });
        has_one && !content.contains(" their ") && !content.contains(" the ")
    }
}

impl Word {
    fn new(text: &str) -> Self {
        let core = text.trim_matches(|letter: char| !letter.is_alphanumeric());
        let after = text.rsplit_once(core).map_or("", |(_, after)| after);
        Self {
            low: core.to_lowercase().replace('\u{2019}', "'"),
            is_capital: core.starts_with(char::is_uppercase),
            mark: after.chars().next().filter(|_| !core.is_empty()),
        }
    }

    fn is_same(&self, told: &Self) -> bool {
        let of = |word: &Self| word.low.trim_end_matches("'s").to_owned();
        of(self) == of(told) || told.low == "their" && matches!(self.low.as_str(), "my" | "our")
    }
}

/// Returns true if the word is only part of a compound: *A car problem* is not a car.
fn names_part(of: &str, content: &str) -> bool {
    let mut behind = content.split(' ').skip_while(|word| *word != of).skip(1);
    let next = behind.next();
    next.is_some_and(|next| !goes_on().contains(next) && !words!("called named of").contains(next))
}

/// Returns true if the value reads like a name; *Go There* and *Like Career Type Jobs* do not.
fn is_named(content: &str) -> bool {
    let mut words = content.split(' ').skip(2).map(Word::new);
    !words.any(|word| {
        words!("there here like go going type types kind sort jobs careers stuff things someday")
            .contains(word.low.as_str())
    })
}

/// Returns true if an activity is named in full: *Wants to visit Rome*, but not *does not play the game*.
fn names_deed(deed: &str) -> bool {
    let vague = is_vague(deed);
    let words: Vec<&str> = deed.split(' ').take(4).collect();
    let the = words.iter().position(|word| *word == "the").and_then(|at| words.get(at + 1));
    let is_definite = the.is_some_and(|next| {
        let next = Word::new(next);
        !next.is_capital && !everybodys().contains(next.low.as_str()) && next.low != "week"
    });
    !vague && !is_definite
}

/// Returns true if the thing is not specified or the phrase is incomplete.
fn is_vague(thing: &str) -> bool {
    let mut words = thing.split_whitespace().map(Word::new).filter(|word| !word.low.is_empty());
    let last = words.clone().next_back().is_none_or(|word| ending().contains(word.low.as_str()));
    last || words.any(|word| deictic().contains(word.low.as_str()))
}

fn low_of(thing: &str) -> &str {
    thing.split(' ').next().unwrap_or_default()
}

fn first_person() -> &'static WordList {
    words!("i im i'm ive i've i'd id i'll my mine me we we're we've our ours us myself")
}

fn unreal() -> &'static WordList {
    words!(
        "if would would've could wish imagine pretend suppose might maybe perhaps almost dreamt dreamed joke joking kidding"
    )
}

fn liking() -> &'static WordList {
    words!(
        "like likes liked love loves loved loving enjoy enjoys enjoyed enjoying adore adores adored hate hates hated hating \
        dislike dislikes disliked prefer prefers preferred fan into keen passionate obsessed stand bear fond favourite \
        favorite detest loathe stopped"
    )
}

fn deictic() -> &'static WordList {
    words!(
        "it this that these those them him her you one ones something anything nothing everything someone anyone stuff \
        here there"
    )
}

/// Words that cannot end the name of a thing: the phrase continues or addresses someone.
fn ending() -> &'static WordList {
    words!(
        "sometimes though too also dude man guys bro lol tho haha would could should much the a an of to in on at by way and or \
        before btw"
    )
}

/// Words that may follow a thing that is named in full.
fn goes_on() -> &'static WordList {
    words!(
        "and but because since so when whenever if that which who where in on at with for to as lately especially too now \
        very really more than though although while after before or every these again most best better instead also \
        just during by from about either tbh lol haha it's its i i'm i've my we our"
    )
}

/// Things that are unique, or understood without naming which one.
fn everybodys() -> &'static WordList {
    words!(
        "ocean sea sun beach mountains mountain rain snow outdoors cinema theatre theater gym countryside city dark cold \
        heat sauna seaside woods forest violin piano cello guitar drums clarinet flute trumpet saxophone accordion ukulele \
        harp bass banjo bagpipes"
    )
}

fn leaving() -> &'static WordList {
    words!("job work working quit left leave leaving fired sacked resigned redundant retired laid longer")
}

fn living() -> &'static WordList {
    words!("live lived lives living moved moving based settled home flat house place apartment")
}

#[cfg(test)]
#[path = "explicit_tests.rs"]
mod tests;
