//! The user's wishes: fixed phrases here, style words in [`style_words`](super::style_words).

use std::ops::Range;
use std::sync::LazyLock;

use protocol::Dimension::{
    self, Depth, Energy, Formality, Humor, Mood, QuestionFrequency, SupportNeed, Verbosity,
};

use super::phrase::{self, PhrasePattern};
use super::signals::{Direction, Wish};
use super::style_words::{addresses_companion, wish_at};
use super::user_words::{MessageWord, UserWords};
use Direction::{Down, Up};

type Wordings = (&'static [(Dimension, Direction)], &'static [&'static str]);

/// Phrases for each wish: with `@` they match anywhere in a sentence, otherwise only in the position of a command.
static WORDINGS: [Wordings; 19] = [
    (
        &[(Verbosity, Down)],
        &[
            "get|come|cut ?straight|right to the point|chase",
            "@ tldr",
            "@ tl dr",
            "^ ?that|this|it|there ?is|was|are ?way too many|much words|text|talking|information|info|\
             chatter",
            "@ ?no ~ wall|walls of text",
            "you talk|write|wrote|say|said|ramble ~ much",
            "do not talk|write|say|explain ~ much",
            "do not give|send|write ?me ~ long|lengthy|huge",
            "you ramble|rambled",
            "@ less|fewer words|text|talking|talk|chatter|blah|rambling|filler",
            "@ in|with|use one|a|two|1|2|few ?short|single|few sentence|sentences|word|words|line|lines",
            "just|only ?give|tell ?me the answer|facts|result|code",
            "^ ?a yes or no ?answer ?please|only|will $",
            "^ ?please skip|drop|cut|spare|leave ?me ?out the intro|introduction|explanation|preamble|\
             fluff|rest|small|filler|crap",
            "no ?more fluff|essays|essay|novel|novels|lecture|lectures|preamble|filler|rambling|monologues",
            "?can|could|let ?we|us no|skip|enough ?the ?with ?the small|chit|chitchat ?talk|chat",
            "?i did|do not ask|need|want ?for ?a|an|another|your essay|novel|lecture|speech",
            "?i do not have time|patience|energy for|to ~ long|lengthy|essays|read|novels",
            "stop ~ rambling|waffling|lecturing|babbling|blabbering|talking",
            "do not ramble|lecture|babble|waffle|blabber",
            "shorten|trim your|the answers|replies|responses|messages|answer|reply|response|it|that|this|\
             them",
            "long story short please",
            "blah|bla blah|bla",
            "sum it up|that",
            "nobody|not ?one|going|gonna ?is ?going ?to reads|read|reading all that|this",
        ],
    ),
    (
        &[(Verbosity, Up), (Depth, Up)],
        &[
            "tell me ~ more",
            "^ ?please|could|can ?you ?please elaborate",
            "elaborate on|a|more|further|please|that|this",
            "expand on|upon",
            "tell|explain|describe|give ?to ?me everything",
            "i ~ want|need|would|love ?like ?love to hear|know|read|learn more|everything",
            "explain|describe|go|walk|tell * ?some ?more|great|greater|full|real|much detail|details|depth",
            "?i ~ ?give|want|need|tell|like ?me|to ?hear|know the long|full|whole|entire version|story|\
             picture",
            "say|explain ~ more ?about|on|please",
        ],
    ),
    (
        &[(Verbosity, Up)],
        &[
            "^ ?please|ok|okay|yes|and go on",
            "keep talking",
            "write|talk ~ more !formally|casually|formal|casual|calmly|slowly|simply|briefly|quietly|like|\
             about",
            "more words",
            "feel free to say|write|talk",
            "do not hold back",
            "you can|may|could|should say|write|talk ~ more",
            "tell me all|everything about",
            "do not be shy",
            "you are|seem ~ quiet",
        ],
    ),
    (
        &[(Depth, Up)],
        &[
            "^ ?please in ?more|greater|full|great|much ?more detail|depth",
            "answer|write|talk|discuss|show|cover * in|into ~ detail|depth",
            "?give|show|tell|add|use|with|include ?me|us ~ more detail|details|depth|background|context|\
             examples|specifics|explanation",
            "i ~ need|want|would|like ?like ~ more detail|details|depth|background|examples $",
            "go|dig|dive|look ~ deeper",
            "go ~ deep",
            "give|show|add|include ?me ~ example|examples",
            "@ deep dive",
            "?walk|explain|show|tell|take|guide|go|do * step by step",
            "nerd out",
            "give|tell|want|need ?me ?all the ?all details|specifics|background",
            "@ not ~ enough detail|details|depth",
            "do not dumb|simplify",
            "why exactly|specifically",
            "explain ?it|that|this ?to ?me why|how|properly|thoroughly|better|again",
        ],
    ),
    (
        &[(Depth, Down)],
        &[
            "@ eli5",
            "@ like i am|was|were ?a|an ?just 5|five|child|kid|idiot|beginner|dummy|toddler|12|10|ten",
            "dumb it|this|that down",
            "@ in|use|with|speak|talk ~ simple|simpler|plain|easy|easier|normal|everyday words|terms|english|language",
            "^ ?please|can|could ?you ?please simplify",
            "simplify it|that|this|things",
            "@ less|fewer|without|no|spare|skip ?me ?the ?all ?the ?technical detail|details|jargon|\
             technicalities|background",
            "^ ?that|this|it|there ?is|was|are ?way too many|much detail|details|jargon",
            "@ layman|laymans|layperson terms",
            "@ the big picture",
            "explain * so ?that a|my|even|any child|kid|grandma|grandmother|beginner|idiot|anyone",
            "just|only ?give|tell ?me the basics|gist|overview|summary|essentials|headline|highlights",
            "@ over my head",
            "?i do not ~ need|want|care ?to|about ?know ?all ?the|every|that|about detail|details|background|\
             theory",
            "?i am not a|an expert|scientist|programmer|engineer|specialist",
        ],
    ),
    (
        &[(QuestionFrequency, Down)],
        &[
            "stop|quit asking|questioning",
            "stop|quit|enough ?it ?with ?all ?the|your questions",
            "^ ?that|this|it|there ?is|was|are ?way too many questions",
            "@ no ?more|further|follow ?up questions ?please",
            "do not ~ ask ~ ?me !you|out|for",
            "you ask ~ many|lot|much",
            "@ less|fewer questions",
            "^ not ~ many questions",
            "i ~ hate|dislike it when you ask",
            "without asking|questions",
            "@ do|are|must you ~ ?have ?to ?keep ~ ?keep asking|ask ?me ~ questions|much|many",
            "?do not|never|stop end|finish|ending|finishing * with|on|in ?a|another question|questions",
            "stop|quit interrogating|quizzing|interviewing|probing|prying",
            "is this|it an interrogation|interview|exam",
            "this is not ?an interrogation|interview|exam",
            "^ ?please just ?please answer !in",
            "i ~ will|would ask|asking the questions",
            "why do you ~ ask|asking ?me ~ many|questions",
            "you do not need|have to ask",
            "none of your business",
        ],
    ),
    (
        &[(QuestionFrequency, Up)],
        &[
            "ask me ~ something|anything|questions|question|about|back|things|stuff|some|how|what|more",
            "ask ~ questions",
            "you never ask|asked ?me",
            "you do not ~ ask",
            "@ why do|are ?not you ?not|never ~ ?ever ask|asking|curious",
            "you can|may ~ ask",
            "feel free to ask",
            "get to know me",
            "@ do ?not you ?not want to know",
            "@ any questions for me",
            "?ask ?me more questions",
            "@ if you asked|ask ?me ~ questions",
            "i ~ like|love it|that when|you ?you ask|asked",
            "i like|love your questions",
        ],
    ),
    (
        &[(Humor, Up)],
        &[
            "lighten up",
            "joke around|more|with",
            "?make|use|with|tell|be ?me ~ more jokes|humor|humour|puns|fun|sarcasm",
            "be more fun",
            "you are no fun",
            "i ~ like|love your sense of humor|humour",
            "@ where is your sense|humor|humour",
            "get|have|show a|your|some sense|humor|humour",
            "you can|may|should ~ joke|kid|laugh",
            "i ~ like|love your humor|humour|jokes",
            "i ~ like|love it when you joke|tease",
            "use|add|show|have ~ humor|humour",
        ],
    ),
    (
        &[(Humor, Down)],
        &[
            "@ no ?more|time|need ?for jokes|joking|humor|humour|puns|sarcasm|kidding|joke",
            "stop|quit ~ joking|kidding|clowning|laughing|teasing|mocking",
            "stop|quit|enough|drop|cut|less ?it ?making|with ?all ?the|your jokes|joking|humor|humour|\
             comedy|sarcasm|puns|clowning",
            "stop making fun",
            "this|that|it is|was not ~ funny|joke|laughing",
            "your jokes|joke|humor|humour are|is not ~ funny",
            "get ~ serious",
            "that|this|your joke|jokes ?was|is|are ~ bad|terrible|awful|stupid|lame|horrible",
            "^ not ~ funny",
            "i am ~ serious",
            "i am not ~ joking|kidding|laughing",
            "this|it is ~ serious",
            "@ not in ?the mood for|to ~ jokes|joking|joke|laugh|humor|fun|games",
            "@ not the|a ?right time|moment|place for|to jokes|joke|joking",
            "do not ~ joke|kid|laugh|tease|mock",
            "do not ~ tell|give|crack|make ?me ?us ?a|any|your ?more jokes|joke|puns|pun",
            "this is no joke|laughing",
            "take|taking this|it|me|that ~ seriously",
            "on a serious note",
        ],
    ),
    (
        &[(Formality, Up)],
        &[
            "call|address me ?as|only sir|madam|mr|mrs|ms|doctor|dr|professor|master|captain",
            "watch your language|mouth|tone",
            "@ no|without|less|fewer|stop|avoid ?more ?using ?the ?so ?many slang|emojis|emoji|emoticons|\
             swearing|cursing",
            "do not use ~ ?any|so|many|much|the slang|emojis|emoji|emoticons",
            "?do not|stop|never call|calling me bro|dude|buddy|mate|pal|babe|honey|dear|darling|hun|girl|man",
            "?do not|stop ~ swear|swearing|curse|cursing",
            "more respect|manners",
            "mind your manners",
            "use|in|with|speak|write ~ proper|formal|correct|professional english|language|grammar|tone|\
             style",
            "^ ?that|this|it|there|you ?use|is|was|are ?way too many emojis|emoji",
        ],
    ),
    (
        &[(Formality, Down)],
        &[
            "loosen up",
            "drop|skip|forget|no|without|cut|enough ?more|need|with ?for ?all ?the formalities|formality|\
             politeness|pleasantries|titles",
            "talk|speak|text|write ?to|with|me ?me like|as ~ ?if ?you ?are ?were ?my ?an|best|normal|old|\
             real friend|friends|buddy|bro|human|person|people|mate|pal",
            "use|add|with|want|like ?some|more|your ?more slang|emojis|emoji",
            "call me bro|dude|buddy|mate|by",
            "?do not|stop|never|no ?need ?to call|calling me sir|madam|mr|mrs|ms|miss",
            "you sound|talk|write|speak|are ?being ?just like ~ ?an robot|lawyer|machine|textbook|butler|\
             manual|computer|bot|encyclopedia|wikipedia|email|professor|teacher|brochure|corporate",
            "you sound|talk|write like ~ customer|call service|center|support",
            "^ ?just chill",
        ],
    ),
    (
        &[(SupportNeed, Up)],
        &[
            "i ~ want|need|wanted|needed ?just to vent|cry|rant|talk !about|with|to",
            "i ~ want|need|wanted|needed to be heard",
            "i ~ want|need|wanted|needed someone|somebody|you to listen|talk|care|understand|comfort",
            "^ ?please just ?please listen",
            "comfort|console|reassure|encourage|support|hug|hold me",
            "cheer me up",
            "?i ~ need|want|give|send|could ?me ?use ~ hug|hugs|cuddle",
            "be there for me",
            "i ~ ?could ~ need|want|use ~ support|comfort|encouragement|company|kindness|friend|reassurance|\
             empathy|warmth|sympathy",
            "do not judge|lecture|scold|blame ?me",
            "do not be mad|angry ?at|with",
            "stop judging|lecturing|scolding|blaming me",
            "tell me ?that it|everything is|will ?be ?going ?to ?be ok|okay|fine|alright|better",
            "say something nice|kind|comforting",
            "motivate|inspire me",
            "you do not ~ care",
            "go easy on me",
        ],
    ),
    (
        &[(SupportNeed, Down)],
        &[
            "?do not|stop ~ sugarcoat|sugarcoating|coddle|coddling|baby|babying|patronize|patronise|\
             patronizing|patronising|pity|pitying|comforting|console|consoling|fussing|fuss|flatter|\
             flattering",
            "?do not|stop ~ sugar coat|coating",
            "?do not|stop ~ comfort|treat|treating ?me ?like ?a child|baby|fragile|me",
            "no|spare|enough|skip ?me ?the|with ?more ?the sympathy|pity|pep|sugarcoating|flattery|\
             comforting|therapy",
            "@ brutally honest",
            "@ brutal honesty",
            "@ tough love",
            "honest|straight|upfront|frank|direct with me",
            "?i do not ~ need|want ?your|any|a ~ sympathy|pity|comfort|therapist|therapy|encouragement|\
             comforting|pep",
            "@ not my|a|your therapist|mom|mum|mother|nurse|counselor",
            "@ straight answer",
            "tell|say it like|as it is",
            "give|tell|say ?it ?to ?me straight",
            "not ~ worry about my ?me feelings",
            "i can take|handle it|the truth",
            "just be honest",
        ],
    ),
    (
        &[(Energy, Down)],
        &[
            "^ ?please|ok|okay|luna|whoa|hey|just calm|slow|settle|simmer|cool down",
            "you ~ need|have to calm|slow|cool|settle down",
            "can|could you ~ calm|slow|settle down",
            "^ ?please relax $",
            "tone it|that|down ?down !for",
            "^ easy|steady there|tiger",
            "^ ?that|this|it|there ?is|was ?way too much energy|enthusiasm|excitement|hype",
            "less|no|stop|fewer|without ?more|the|all|so|using ?many|the|with|all ?the enthusiasm|\
             excitement|energy|exclamation|shouting|yelling|hype",
            "do not shout|yell|scream ?at",
            "why are you shouting|yelling",
        ],
    ),
    (
        &[(Energy, Up)],
        &[
            "?show|use|with|bring|put ?me ~ more energy|enthusiasm|excitement|pep|passion|spirit",
            "^ ?please|come|hey|luna ?on wake up $",
            "liven|perk up",
            "show some|more|a ?bit|little ?of enthusiasm|energy|excitement|life|passion",
            "hype|pump|psych me up",
            "you sound|seem|are|look ~ bored|tired|flat|lifeless|sleepy|robotic|monotone|lethargic",
            "get me pumped|hyped|excited|going|motivated",
        ],
    ),
    (
        &[(Mood, Up)],
        &[
            "^ ?please|oh|aw|luna|hey|come ?on cheer up",
            "do not be|feel ~ sad|sorry|grumpy|gloomy|down|upset|negative|moody",
            "you sound|seem|are|look ~ sad|down|gloomy|grumpy|depressed|unhappy|moody|upset",
            "^ smile $",
        ],
    ),
    (
        &[(Mood, Down)],
        &["@ toxic|fake|forced|false positivity|cheerfulness|happiness", "less cheerfulness|positivity"],
    ),
    (&[(SupportNeed, Up), (Humor, Down)], &["this is ~ hard for me", "be gentle with me"]),
    (&[(Verbosity, Down), (QuestionFrequency, Down)], &["less talk|talking more"]),
];

/// A single request for a joke is no wish, but repeated ones are.
const JOKES: &[&str] = &[
    "tell|give|crack|know|want|hear|make ?me ?to ?hear ?us ?a|an|another|some|any|your|the ?best|good|funny|dad|\
     bad|silly joke|jokes|pun|puns",
    "make me laugh|smile|giggle",
    "roast me",
    "entertain me",
    "say|tell|do ?me something funny",
];

/// Returns true if the message asks for a joke.
pub fn asks_for_a_joke(own: &UserWords) -> bool {
    static TABLE: LazyLock<Vec<Wording>> = LazyLock::new(|| {
        let wording =
            |text: &&'static str| Wording { pattern: PhrasePattern::of(text), anywhere: false, wishes: &[] };
        JOKES.iter().map(wording).collect()
    });
    own.sentences.iter().any(|sentence| {
        let words = &sentence.words;
        let asked = |found: &Found| !phrase::is_negated(words, found.place.start, 3);
        TABLE.iter().filter_map(|wording| wording.found(words)).any(|found| asked(&found))
    })
}

struct Found {
    place: Range<usize>,
    wishes: Vec<Wish>,
}

/// Returns the wishes of a message. Of overlapping phrases the longest counts, and of several wishes for a dimension
/// the last.
pub fn of(own: &UserWords) -> Vec<Wish> {
    let mut wishes: Vec<Wish> = Vec::new();
    for sentence in &own.sentences {
        for wish in in_sentence(&sentence.words) {
            wishes.retain(|known| known.dimension != wish.dimension);
            wishes.push(wish);
        }
    }
    wishes.sort_unstable();
    wishes
}

fn in_sentence(words: &[MessageWord]) -> Vec<Wish> {
    let mut found: Vec<Found> = set_wordings(words);
    let styles = (0..words.len()).filter_map(|at| wish_at(words, at));
    found.extend(styles.map(|(place, wish)| Found { place, wishes: vec![wish] }));
    found.sort_by_key(|found| std::cmp::Reverse(found.place.len()));
    let mut kept: Vec<Found> = Vec::new();
    for one in found {
        let is_free =
            |other: &Found| other.place.end <= one.place.start || one.place.end <= other.place.start;
        if kept.iter().all(is_free) {
            kept.push(one);
        }
    }
    kept.sort_by_key(|found| found.place.start);
    kept.into_iter().flat_map(|found| found.wishes).collect()
}

fn set_wordings(words: &[MessageWord]) -> Vec<Found> {
    static TABLE: LazyLock<Vec<Wording>> = LazyLock::new(|| WORDINGS.iter().flat_map(Wording::all).collect());
    TABLE.iter().filter_map(|wording| wording.found(words)).collect()
}

struct Wording {
    pattern: PhrasePattern,
    anywhere: bool,
    wishes: &'static [(Dimension, Direction)],
}

impl Wording {
    fn all((wishes, texts): &'static Wordings) -> impl Iterator<Item = Self> {
        texts.iter().map(|text| {
            let (pattern, anywhere) = text.strip_prefix("@ ").map_or((*text, false), |text| (text, true));
            Self { pattern: PhrasePattern::of(pattern), anywhere, wishes }
        })
    }

    fn found(&self, words: &[MessageWord]) -> Option<Found> {
        let place = self.pattern.find(words)?;
        // A pronoun already makes clear who is meant.
        let is_said = phrase::is_one_of("i you your this that it we why", &words.get(place.start)?.text);
        if !self.anywhere && !is_said && !addresses_companion(words, place.start) {
            return None;
        }
        let negated = phrase::is_negated(words, place.start, 3);
        let meant = |(dimension, direction): &(Dimension, Direction)| Wish {
            dimension: *dimension,
            direction: if negated { direction.reversed() } else { *direction },
        };
        Some(Found { place, wishes: self.wishes.iter().map(meant).collect() })
    }
}
