//! Whether something is liked, by what is said around a thing that can be.

use std::ops::Range;

use super::Told;
use super::sight::Sight;
use crate::facts::lexicon;
use crate::facts::names::Names;
use crate::facts::rules;
use crate::facts::slot::Kind;
use crate::recall::terms;

/// How words speak of a thing. The one that comes last counts: *I used to love it, not any more*.
const FOR: &[&str] = &[
    "love", "loved it", "like", "enjoy", "adore", "great", "amazing", "brilliant", "delicious", "fantastic",
    "wonderful", "awesome", "fan", "into", "fond", "keen", "my thing", "my jam", "up for", "yes please",
    "can not get enough", "won me over", "grown on", "grew on", "convert", "converted", "appeal", "sucker",
    "soft spot", "thing for", "taste for", "favourite", "obsessed", "addicted", "hooked", "craving", "crave",
    "can not resist", "happy place", "right up my street", "warmed", "came round", "came around", "come round",
    "come around", "big on", "looking forward", "good after all", "not bad", "not so bad", "not that bad", "partial",
    "mad about", "crazy about", "weakness", "any day", "my cup of tea", "delight", "all about", "sold on", "tasty", "yum",
    "nothing beats", "can not live without", "thumbs up", "fallen for", "fell for", "passionate", "joy", "heaven",
    "changed my mind", "was wrong about", "give me", "count me in", "sign me up", "live for", "never say no",
    "not say no", "pleasure", "good mood", "makes my day", "make my day", "makes me happy", "cheers me up", "floats my boat",
    "rocks", "the best", "lovely", "beautiful", "divine", "heavenly", "perfect", "superb", "excellent", "marvellous",
    "irresistible", "fun", "exciting", "relaxing", "addictive", "in love", "smitten", "enthusiast", "buff", "lover",
    "aficionado", "fanatic", "junkie", "can not wait", "gets me going", "does it for me", "hits the spot", "appreciate",
    "treasure", "cherish", "dig", "swear by", "rave about", "thrilled", "my passion", "here for", "comfort food",
    "learned to love", "learnt to love", "is good", "are good", "pretty good", "rather good", "tastes good", "worth it",
    "underrated", "bring on", "bring it on", "more please", "hooray", "spot on", "melts my heart", "calms me",
];
const AGAINST: &[&str] = &[
    "hate", "dislike", "can not stand", "can not bear", "detest", "loathe", "despise", "sick of", "tired of", "bored",
    "boring", "fed up", "had enough", "done with", "finished with", "over it", "went off", "gone off", "right off",
    "no thanks", "no thank you", "lost its charm", "lost its appeal", "lost interest", "lost my taste", "that is over",
    "does nothing for", "did nothing for", "do nothing for", "gross", "disgusting", "awful", "horrible", "yuck", "the worst",
    "avoid", "turns my stomach", "makes me gag", "bores me", "not any more", "put off", "puts me off", "can not look at",
    "no longer", "any more", "too much", "less i like", "not my cup", "no interest", "nope", "never again", "ruined",
    "overrated", "meh", "drives me", "not a fan", "no fan", "not into", "not big on", "not my thing", "not for me",
    "not keen", "could never", "never liked", "never got", "never get", "never been", "not care for", "not like",
    "not enjoy", "not love", "not fond", "not do it for", "not do anything for", "not thrilled", "used to love",
    "used to like", "used to enjoy", "used to adore", "used to be into", "off the menu", "out of love", "not touch",
    "not a big", "stay away", "keep away", "steer clear", "rather not", "not the same", "lost me", "turned against",
    "no joy", "outgrown", "outgrew", "stopped", "quit", "through with", "nose up", "put me off", "had my fill", "fill of",
    "moved on from", "no more", "ugh", "pass on", "i pass", "can not face", "kills me", "shudder", "do without",
    "leaves me cold", "left me cold", "grown out of", "fell out", "falling out", "gone sour", "lost the taste", "cringe",
    "away from me", "can not be doing with", "idea of hell", "hell", "unbearable", "intolerable", "terrible", "dreadful",
    "tedious", "dull", "annoying", "annoys me", "irritates me", "painful", "nauseating", "nauseous", "revolting", "vile",
    "nasty", "torture", "nightmare", "count me out", "is gone", "are gone", "worn off", "wore off", "tire of", "weary of",
    "overdosed", "sucks", "stinks", "rubbish", "garbage", "trash", "crap", "unpleasant", "repulsive", "run a mile",
    "never understood", "not understand", "not get the", "not see the point", "pointless", "waste of time", "turn off",
    "icky", "lost its", "lost the love", "chore", "a drag", "bores", "not what it was", "makes me sick", "makes me ill",
    "can not deal", "not a chance", "no way", "hard pass", "not happening", "gives me the", "allergic reaction to",
    "cooled on", "cooled off", "burnt out", "burned out", "not great", "not good", "not nice", "not fun", "not interested",
    "anything but", "rather starve", "rather eat", "never cared", "not stomach", "can not stomach", "not abide",
    "can not abide", "goodbye", "bye", "giving up on", "gave up on", "given up on", "nothing but trouble", "hard to like",
];

pub fn opinion(sight: &Sight<'_>, names: &Names) -> Vec<Told> {
    let idle = &[
        "should", "would", "might", "maybe", "if", "tonight", "everyone", "people", "dinner", "lunch", "yesterday", "today",
        "ate", "cooked",
    ];
    let thought = sight.has(&["thought", "count"]) || sight.phrase(&["would", "rather"]);
    if !sight.is_mine() || sight.is_of_family || sight.has(idle) && !thought {
        return Vec::new();
    }
    let Some(range) = thing(sight, names) else { return Vec::new() };
    let text = sight.words[range.clone()].join(" ");
    let known = names.held("", Kind::Taste, &rules::topic(&text));
    let Some(likes) = feeling(sight, &range) else {
        // Something changed about it, and what is not plain: better no answer than an old one.
        return match known.as_deref() {
            Some(known) if sight.is_change && sight.says_me() && !sight.is_idle && sight.names.is_empty() => {
                vec![Told::new(rules::taste(&text, known == "likes").ended().sure(0.55))]
            }
            _ => Vec::new(),
        };
    };
    let held = if likes { "likes" } else { "dislikes" };
    let draft = rules::taste(&text, likes).sure(0.65);
    vec![match known.as_deref() {
        Some(known) if known == held => return Vec::new(),
        Some(_) => Told::changed(draft),
        None => Told::new(draft),
    }]
}

/// What the sentence is about: something of which the taste is known, else the first thing that people like or not.
fn thing(sight: &Sight<'_>, names: &Names) -> Option<Range<usize>> {
    let known = |length: usize| {
        sight.words.windows(length).position(|window| {
            let ends = [window[0], window[window.len() - 1]];
            !ends.iter().any(|word| word.len() < 3 || terms(word).is_empty())
                && names.held("", Kind::Taste, &rules::topic(&window.join(" "))).is_some()
        })
    };
    if let Some((at, length)) = [3, 2, 1].into_iter().find_map(|length| known(length).map(|at| (at, length))) {
        let one = matches!(sight.before(at, 1), "the" | "this" | "that" | "some" | "your")
            && sight.has(&["was", "were", "last", "today"]);
        return (!one).then_some(at..at + length);
    }
    let at = sight.words.iter().position(|word| lexicon::is_likeable(word))?;
    let two = lexicon::is_likeable(sight.word(at + 1));
    let end = at + 1 + usize::from(two);
    let start = at - usize::from(at > 0 && lexicon::describes_likeable(sight.words[at - 1]));
    // *The pizza was great* is of one pizza.
    let is_one = |word: &str| matches!(word, "the" | "this" | "that" | "some" | "a" | "your" | "his" | "her" | "my");
    if is_one(sight.before(start, 1)) || is_one(sight.before(start, 2)) && sight.has(&["had", "was", "were"]) {
        return None;
    }
    Some(start..end)
}

/// Whether the words speak for it or against it; what is said last counts.
fn feeling(sight: &Sight<'_>, thing: &Range<usize>) -> Option<bool> {
    let mut words: Vec<&str> = sight.words.iter().copied().filter(|word| *word != ",").collect();
    // `I went right off olives`: the thing itself must not part a phrase.
    words.retain(|word| !matches!(*word, "really" | "so" | "just" | "quite" | "all" | "totally" | "completely" | "at"));
    let joined = format!(" {} ", words.join(" "));
    let text = sight.words[thing.clone()].join(" ");
    let joined = joined.replacen(&format!(" {text} "), " ~ ", 1);
    let last = |list: &[&str]| {
        list.iter()
            .filter_map(|phrase| joined.rfind(&format!(" {phrase} ")).map(|at| (at + phrase.len(), at)))
            .max_by_key(|(end, at)| (*end, std::cmp::Reverse(*at)))
    };
    let negated = |at: usize| {
        let mut before = joined[..at].split_whitespace().rev().take(3);
        before.any(|word| matches!(word, "not" | "never" | "no" | "hardly"))
    };
    match (last(FOR), last(AGAINST)) {
        (None, None) => None,
        (Some((_, at)), None) => Some(!negated(at)),
        // *I never get tired of it*
        (None, Some((_, at))) => {
            Some(joined[..at].split_whitespace().rev().take(2).any(|word| matches!(word, "not" | "never")))
        }
        (Some((good, at)), Some((bad, _))) => Some(good > bad && !negated(at)),
    }
}
