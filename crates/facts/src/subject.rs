//! Determines the subject of a clause.

mod phrase;

pub use self::phrase::name_after;
use self::phrase::{phrase, thing};
use super::clause::Link;
use super::lexicon;
use super::names::{Named, Names};
use super::token::Token;
use super::verbs::{self, Form};

#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    /// The user, alone or with others.
    Me,
    /// A person by label: `sister Anna`.
    Person(String),
    Pet(Named),
    /// A possession: `my favourite colour`, `my sister's dog's name`.
    Thing {
        owner: String,
        words: Vec<Token>,
    },
    /// An unresolved pronoun or an unknown person.
    Somebody,
}

/// The people, pets and things mentioned most recently.
#[derive(Debug, Clone, Default)]
pub struct Mentions {
    pub last: Option<Subject>,
    /// The subject of the previous sentence.
    pub before: Option<Subject>,
    /// A person or pet mentioned in the previous clause besides its subject: `a dog, who …`.
    pub object: Option<Subject>,
    pub person: Option<String>,
    pub pet: Option<Named>,
    /// True if the pet is being renamed.
    pub is_renamed: bool,
    /// The last possession: `my favourite film`.
    pub thing: Option<Subject>,
    /// People and pets named in passing, as in `my sister Anna`; true for pets.
    pub met: Vec<(Named, bool)>,
}

impl Mentions {
    pub fn of(names: &Names) -> Self {
        Self {
            // Pronouns across messages are unreliable, except for a pet that has no name yet.
            pet: names.last_pet().filter(|pet| pet.name.is_empty() || pet.name == pet.what).cloned(),
            ..Self::default()
        }
    }

    /// Begins a new sentence.
    pub fn begin(&mut self) {
        self.before = self.last.take();
        self.thing = None;
    }

    fn note(&mut self, subject: &Subject) {
        match subject {
            Subject::Person(label) => {
                self.person = Some(label.clone());
                self.pet = None;
            }
            Subject::Pet(pet) => self.pet = Some(pet.clone()),
            Subject::Thing { .. } => self.thing = Some(subject.clone()),
            _ => {}
        }
        self.last = Some(subject.clone());
        self.object = None;
    }

    fn resolve(&self, pronoun: &str) -> Subject {
        let person = || self.person.clone().filter(|label| may_be(label, pronoun)).map(Subject::Person);
        let pet = || self.pet.clone().map(Subject::Pet);
        let found = match pronoun {
            "it" | "its" => pet().or_else(|| self.thing.clone()),
            _ => pet().or_else(person),
        };
        found.unwrap_or(Subject::Somebody)
    }
}

/// Returns true if the pronoun can refer to the person: an uncle is never *her*.
fn may_be(label: &str, pronoun: &str) -> bool {
    let (what, _) = super::names::parted(label).unwrap_or((label, ""));
    let what = what.rsplit(' ').next().unwrap_or(what);
    match pronoun {
        "she" | "her" => {
            !words!("father brother son uncle nephew husband boyfriend grandfather grandson stepfather")
                .contains(what)
        }
        "he" | "his" => {
            !words!("mother sister daughter aunt niece wife girlfriend grandmother granddaughter stepmother")
                .contains(what)
        }
        _ => true,
    }
}

/// Returns the subject at the beginning of a clause and the number of its tokens. `None` if the clause is about *you*
/// or has no subject.
pub fn read(
    tokens: &[Token],
    names: &Names,
    mentions: &mut Mentions,
    link: Link,
) -> Option<(Subject, usize)> {
    let (subject, used) = find(tokens, names, mentions, link)?;
    mentions.note(&subject);
    Some((subject, used))
}

fn find(tokens: &[Token], names: &Names, mentions: &mut Mentions, link: Link) -> Option<(Subject, usize)> {
    let first = tokens.first()?;
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    if link == Link::Relative {
        let subject = mentions
            .object
            .clone()
            .or_else(|| mentions.last.clone())
            .filter(|last| !matches!(last, Subject::Me | Subject::Somebody));
        return Some((subject.unwrap_or_else(|| mentions.resolve("who")), 0));
    }
    // `there's a new cat in the house`
    if first.low == "there"
        && let Some(kind) = tokens.iter().skip(2).take(4).find_map(|token| lexicon::animal(&token.low))
    {
        mentions.pet = Some(Named::new(kind, ""));
    }
    match first.low.as_str() {
        "i" | "we" => Some((Subject::Me, 1)),
        "me" if word(1) == "and" => {
            let (_, used) = find(&tokens[2..], names, mentions, Link::Main)?;
            Some((Subject::Me, 2 + used))
        }
        "you" | "your" | "u" | "everyone" | "everybody" | "nobody" | "somebody" | "someone" | "people"
        | "some" | "those" | "these" => {
            mentions.last = Some(Subject::Somebody);
            None
        }
        "there" | "let" => None,
        "a" | "an" | "one"
            if lexicon::relation(word(1)).is_some()
                && word(2) == "of"
                && matches!(word(3), "mine" | "ours") =>
        {
            let what = lexicon::relation(word(1)).unwrap_or_default();
            let (name, length) = name_after(tokens, 4);
            let named = Named::new(what, &name.unwrap_or_default());
            if !named.name.is_empty() {
                mentions.met.push((named.clone(), false));
            }
            Some((Subject::Person(named.label()), 4 + length))
        }
        "he" | "she" | "they" | "it" => Some((mentions.resolve(word(0)), 1)),
        "name" if matches!(word(1), "is" | "'s") => {
            Some((Subject::Thing { owner: String::new(), words: vec![first.clone()] }, 1))
        }
        "home" if word(1) == "is" => {
            Some((Subject::Thing { owner: String::new(), words: vec![first.clone()] }, 1))
        }
        // *Wife wants me off the road*: chat messages omit *my*.
        "wife" | "husband" | "girlfriend" | "boyfriend" | "sister" | "brother" | "son" | "daughter"
        | "grandmother" | "grandfather" | "boss" | "roommate" | "flatmate" | "landlord"
            if first.at == 0
                && (matches!(word(1), "is" | "'s" | "has" | "was")
                    || verbs::lemma(word(1))
                        .is_some_and(|(_, form)| matches!(form, Form::Third | Form::Past))) =>
        {
            phrase(tokens, 0, String::new(), names, mentions)
        }
        "favourite" => phrase(tokens, 0, String::new(), names, mentions),
        "my" | "our" if word(1) == "family" && word(2) != "'s" && word(2) != "name" => Some((Subject::Me, 2)),
        "my" | "our" => {
            let (subject, used) = phrase(tokens, 1, String::new(), names, mentions)?;
            if word(used) == "and" && matches!(word(used + 1), "i" | "me") {
                return Some((Subject::Me, used + 2));
            }
            Some((subject, used))
        }
        "his" | "her" | "their" | "its" => match mentions.resolve(word(0)) {
            Subject::Person(owner) => phrase(tokens, 1, owner, names, mentions),
            Subject::Pet(pet) => {
                let (subject, used) = phrase(tokens, 1, String::new(), names, mentions)?;
                match subject {
                    Subject::Thing { mut words, .. } => {
                        let mut kind = first.clone();
                        kind.low.clone_from(&pet.what);
                        words.insert(0, kind);
                        Some((Subject::Thing { owner: String::new(), words }, used))
                    }
                    other => Some((other, used)),
                }
            }
            _ => {
                let (subject, used) = phrase(tokens, 1, String::new(), names, mentions)?;
                match subject {
                    Subject::Thing { words, .. } => {
                        Some((Subject::Thing { owner: "?".to_owned(), words }, used))
                    }
                    _ => Some((Subject::Somebody, used)),
                }
            }
        },
        "the" if word(1) == "name" && word(2) == "is" => {
            Some((Subject::Thing { owner: String::new(), words: vec![tokens[1].clone()] }, 2))
        }
        "the" | "this" | "that" => {
            let which = tokens[1..].iter().take_while(|token| lexicon::is_which(&token.low)).count();
            let noun = word(1 + which);
            // `the name of my dog`
            if noun == "name" && word(2 + which) == "of" && matches!(word(3 + which), "my" | "our" | "the") {
                let (owner, used) = phrase(&tokens[3 + which..], 1, String::new(), names, mentions)?;
                let mut name = tokens[1 + which].clone();
                name.low = "name".into();
                let subject = match owner {
                    Subject::Pet(pet) => {
                        let mut kind = name.clone();
                        kind.low = pet.what;
                        Subject::Thing { owner: String::new(), words: vec![kind, name] }
                    }
                    Subject::Person(owner) => Subject::Thing { owner, words: vec![name] },
                    Subject::Thing { owner, mut words } => {
                        words.push(name);
                        Subject::Thing { owner, words }
                    }
                    other => other,
                };
                return Some((subject, 3 + which + used));
            }
            let known =
                lexicon::animal(noun).is_some() || lexicon::relation(noun).is_some() || word(1) == "best";
            if known && first.low != "that" {
                return phrase(tokens, 1, String::new(), names, mentions);
            }
            if first.low == "the" && !noun.is_empty() {
                let (subject, used) = phrase(tokens, 1, String::new(), names, mentions)?;
                return match subject {
                    Subject::Thing { words, .. } => {
                        Some((Subject::Thing { owner: "the".to_owned(), words }, used))
                    }
                    other => Some((other, used)),
                };
            }
            Some((Subject::Somebody, 1))
        }
        _ => named(tokens, names, mentions).or_else(|| elided(tokens, mentions)),
    }
}

/// Returns the subject of a clause without one: that of the previous clause, or else the user, as in chat messages.
fn elided(tokens: &[Token], mentions: &Mentions) -> Option<(Subject, usize)> {
    let word = tokens.first()?.low.as_str();
    let next = tokens.get(1).map_or("", |token| token.low.as_str());
    let (_, form) = match word {
        "will" | "can" | "not" | "never" | "used" | "no" => ("", Form::Past),
        _ => verbs::lemma(word)?,
    };
    if let Some(last) = &mentions.last {
        return (form != Form::Gerund).then(|| (last.clone(), 0));
    }
    // *She was my hero. Born in Oslo, she …*: the text continues about the same person.
    let of_me = tokens.iter().any(|token| words!("i my me our us myself").contains(token.low.as_str()));
    let of_another = tokens
        .iter()
        .any(|token| words!("his her he she their himself herself").contains(token.low.as_str()));
    let goes_on = matches!(mentions.before, Some(Subject::Person(_) | Subject::Somebody));
    if !of_me && (of_another || goes_on) {
        return None;
    }
    // *We named him Otis, born this morning*: only at the start of a sentence does it refer to the user.
    if word == "born" && next != "in" && tokens.first().is_some_and(|token| token.at > 0) {
        return None;
    }
    let clear = matches!(form, Form::Past | Form::Participle)
        && !words!("read put set cut let beat run hurt come split is used").contains(word)
        || matches!(word, "love" | "hate" | "am" | "adore" | "loving")
        || (word == "quit" && matches!(next, "my" | "smoking" | "the" | "drinking"))
        || (form == Form::Gerund
            && matches!(
                word,
                "living" | "working" | "moving" | "starting" | "feeling" | "going" | "switching"
            ));
    clear.then_some((Subject::Me, 0))
}

/// Reads a named person as the subject of a verb.
fn named(tokens: &[Token], names: &Names, mentions: &mut Mentions) -> Option<(Subject, usize)> {
    let first = tokens.first()?;
    if names.is_companion(&first.low) && names.pet(&first.low).is_none() {
        return None;
    }
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let subject = if let Some(pet) = names.pet(&first.low) {
        Some(Subject::Pet(pet.clone()))
    } else {
        names.person(&first.low).map(Subject::Person)
    };
    let met = mentions.met.iter().rev().find(|(named, _)| named.name.eq_ignore_ascii_case(&first.low));
    let subject = subject.or_else(|| {
        met.map(
            |(named, is_pet)| {
                if *is_pet { Subject::Pet(named.clone()) } else { Subject::Person(named.label()) }
            },
        )
    });
    let length = if subject.is_some() { 1 } else { name_length(tokens) };
    // `Max, my dog, …`, `Anna, my sister, …`
    if word(length) == ","
        && matches!(word(length + 1), "my" | "our")
        && first.is_capital
        && length > 0
        && verbs::lemma(&first.low).is_none()
    {
        let name = text_of(&tokens[..length]);
        let (subject, used) = phrase(&tokens[length + 1..], 1, String::new(), names, mentions)?;
        let closes = word(length + 1 + used) == ",";
        // *Vegan since college, my boyfriend is a butcher*: without a second comma, only a given name can be the
        // boyfriend's.
        if !closes && !lexicon::is_given_name(&first.low) {
            return None;
        }
        let after = length + 1 + used + usize::from(closes);
        let subject = match subject {
            Subject::Pet(mut pet) => {
                pet.name = name;
                mentions.met.push((pet.clone(), true));
                Subject::Pet(pet)
            }
            Subject::Person(label) => {
                let what = super::names::parted(&label).map_or("", |(what, _)| what).to_owned();
                let named = Named::new(&what, &name);
                mentions.met.push((named.clone(), false));
                Subject::Person(named.label())
            }
            other => other,
        };
        return Some((subject, after));
    }
    // `Emma and I`, `Tom and his wife`
    if length > 0 && word(length) == "and" && first.is_capital {
        if matches!(word(length + 1), "i" | "me") {
            return Some((Subject::Me, length + 2));
        }
        let both = tokens[length + 1..].iter().take(4).position(|token| {
            verbs::lemma(&token.low).is_some() || matches!(token.low.as_str(), "is" | "are" | "have" | "has")
        });
        if let Some(both) = both.filter(|_| matches!(word(length + 1), "his" | "her" | "their")) {
            let subject = subject.unwrap_or_else(|| Subject::Person(text_of(&tokens[..length])));
            return Some((subject, length + 1 + both));
        }
    }
    let possessive = word(length) == "'s";
    if let Some(subject) = subject {
        if possessive && let Subject::Pet(pet) = &subject {
            let (thing, used) = thing(tokens, 2, String::new())?;
            let Subject::Thing { owner, mut words } = thing else { return None };
            let mut kind = first.clone();
            kind.low.clone_from(&pet.what);
            words.insert(0, kind);
            return Some((Subject::Thing { owner, words }, used));
        }
        if possessive {
            let owner = match &subject {
                Subject::Person(label) => label.clone(),
                Subject::Pet(pet) => pet.label(),
                _ => String::new(),
            };
            return phrase(tokens, 2, owner, names, mentions);
        }
        return Some((subject, 1));
    }
    if length == 0 || is_no_name(&first.low) {
        return None;
    }
    let name = text_of(&tokens[..length]);
    if possessive {
        return phrase(tokens, length + 1, name, names, mentions);
    }
    let does = words!("is was has will does did had and").contains(word(length))
        || verbs::lemma(word(length)).is_some_and(|(_, form)| matches!(form, Form::Third | Form::Past));
    if !does || word(length) == "and" {
        return None;
    }
    // An unknown name that is not a given name may be a band, a country or a person in the news.
    let is_person =
        length == 1 && lexicon::is_given_name(&first.low) || lexicon::relation(&first.low).is_some();
    Some((if is_person { Subject::Person(name) } else { Subject::Somebody }, length))
}

/// Returns true for capitalised words at the beginning that are not names.
pub(super) fn is_no_name(word: &str) -> bool {
    words!(
        "what where who when how why which work life today yesterday tomorrow everything nothing something \
        here that this dinner lunch breakfast traffic school home then now also another weather christmas \
        summer winter news god google because and but so if as at in on for from to with by of monday \
        tuesday wednesday thursday friday saturday sunday more not no yes please thanks half all most many \
        both"
    )
    .contains(word)
        || verbs::lemma(word).is_some()
}

/// Returns the number of leading tokens that form a name: consecutive capitalised words.
pub fn name_length(tokens: &[Token]) -> usize {
    tokens
        .iter()
        .take(3)
        .take_while(|token| {
            token.is_capital
                && token.low != "i"
                && !token.is_number()
                && !matches!(token.low.as_str(), "my" | "our" | "the")
        })
        .count()
}

/// Joins tokens into a name, each word capitalised and separated by single spaces.
pub fn text_of(tokens: &[Token]) -> String {
    let names: Vec<String> = tokens.iter().map(|token| capital(&token.low)).collect();
    names.join(" ")
}

pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

pub fn is_function(word: &str) -> bool {
    words!(
        "and or but who which that in on at to from with for by of not never always also just still now can \
        will would could should must may might really usually often sometimes only both all finally \
        already actually there here is too currently recently the a an because since does did as him her \
        it me name again she he they about back out over up down away"
    )
    .contains(word)
}
