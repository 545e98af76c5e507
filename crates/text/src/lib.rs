//! Reduces a text to words that can be compared: in lower case, without endings, and with irregular forms and everyday
//! synonyms mapped to one word.
//!
//! Pure, and for English only. This is what recall, facts and the choice of tools count as a word. Full-text search and
//! the index of code have rules of their own, which are in `store` and `workspace`.
//!
//! Start with [`terms`].

use std::collections::HashMap;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

/// Words without meaning of their own.
const STOP: &str = "a about above after again against all also am an and any are arent as at be been before being \
    below between both but by can cant could couldnt did didnt do does doesnt doing dont down during each few for from \
    further get got had has have having he her here hers herself hes him himself his how i id if ill im in into is isnt \
    it its itself ive just lets may me might more most must my myself no nor not now of off on once only or other ought \
    our ours ourselves out over own same shall she shes should so some such than that thats the their theirs them \
    themselves then there these they theyre theyve this those through to too under up us very was wasnt we were werent \
    what whats when where which who whom whose why will with wont would wouldnt you your youre yours yourself yourselves \
    youve";

/// Groups of words that belong together although the stemmer separates them: irregular forms and everyday synonyms. The
/// first word of a line represents the group.
const GROUPS: &[&str] = &[
    "go went gone goes",
    "buy bought purchase",
    "make made",
    "take took taken",
    "see saw seen",
    "win won",
    "write wrote written",
    "meet met",
    "begin began begun start",
    "find found",
    "give gave given",
    "teach taught",
    "think thought",
    "bring brought",
    "catch caught",
    "fight fought",
    "seek sought",
    "sell sold",
    "tell told",
    "say said",
    "feel felt",
    "keep kept",
    "leave left",
    "lose lost",
    "send sent",
    "spend spent",
    "build built",
    "lend lent",
    "hear heard",
    "hold held",
    "stand stood",
    "understand understood",
    "run ran",
    "swim swam swum",
    "sing sang sung",
    "drink drank drunk",
    "ring rang rung",
    "come came",
    "become became",
    "grow grew grown",
    "know knew known",
    "throw threw thrown",
    "fly flew flown",
    "draw drew drawn",
    "drive drove driven",
    "ride rode ridden",
    "rise rose risen",
    "speak spoke spoken",
    "break broke broken",
    "choose chose chosen",
    "steal stole stolen",
    "wake woke woken",
    "wear wore worn",
    "tear tore torn",
    "eat ate eaten",
    "fall fell fallen",
    "forget forgot forgotten",
    "hide hid hidden",
    "bite bit bitten",
    "shake shook shaken",
    "sleep slept",
    "sweep swept",
    "dream dreamt",
    "learn learnt",
    "burn burnt",
    "pay paid",
    "lay laid",
    "lead led",
    "feed fed",
    "sit sat",
    "shoot shot",
    "light lit",
    "hang hung",
    "stick stuck",
    "strike struck",
    "swing swung",
    "dig dug",
    "deal dealt",
    "mean meant",
    "bend bent",
    "show shown",
    "child children kid",
    "man men",
    "woman women",
    "person people",
    "wife wives",
    "life lives",
    "foot feet",
    "tooth teeth",
    "mouse mice",
    "good better best",
    "bad worse worst",
    "mom mum mother",
    "dad father",
    "photo pic picture photograph",
    "favorite fave favourite",
    "business biz",
    "movie film",
    "bike bicycle",
    "tv television",
    "grandma grandmother granny",
    "grandpa grandfather",
    "family fam",
    "brother bro",
    "sister sis",
    "birthday bday",
    "doctor doc",
    "store shop",
    "education edu",
    "information info",
    "husband hubby",
    "vacation holiday",
    "gift present",
    "car automobile",
];

struct Language {
    stemmer: Stemmer,
    stop: std::collections::HashSet<&'static str>,
    groups: HashMap<String, String>,
}

static ENGLISH: LazyLock<Language> = LazyLock::new(|| {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut groups = HashMap::new();
    for group in GROUPS {
        let mut words = group.split(' ');
        let first = words.next().map_or_else(String::new, |word| stemmer.stem(word).into_owned());
        for word in group.split(' ') {
            groups.insert(word.to_owned(), first.clone());
            groups.insert(stemmer.stem(word).into_owned(), first.clone());
        }
    }
    Language { stemmer, stop: STOP.split_whitespace().collect(), groups }
});

/// Returns the words of a text in lower case, without possessive endings.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().flat_map(char::to_lowercase).peekable();
    while let Some(letter) = rest.next() {
        if !is_apostrophe(letter) {
            plain.push(letter);
            continue;
        }
        // `Nate's` becomes *nate*; `don't` becomes *dont*.
        if rest.peek() == Some(&'s') {
            rest.next();
            if rest.peek().is_some_and(char::is_ascii_lowercase) {
                plain.push('s');
            } else {
                plain.push(' ');
            }
        }
    }
    let words: Vec<String> = plain
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(ToOwned::to_owned)
        .collect();
    words.into_iter()
}

fn is_apostrophe(letter: char) -> bool {
    letter == '\'' || letter == '\u{2019}'
}

/// Returns the stem that all forms of a word share.
pub fn stem(word: &str) -> String {
    let english = &*ENGLISH;
    if let Some(first) = english.groups.get(word) {
        return first.clone();
    }
    let stem = english.stemmer.stem(word);
    english.groups.get(stem.as_ref()).cloned().unwrap_or_else(|| stem.into_owned())
}

/// Returns the stems of the significant words in a text, in order and with repetitions.
pub fn terms(text: &str) -> Vec<String> {
    words(text).filter(|word| !ENGLISH.stop.contains(word.as_str())).map(|word| stem(&word)).collect()
}
