//! Words with an emotional value. Words of work and of machines ("error", "kill", "dead", "fail") are left out on
//! purpose.

use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feeling {
    /// The valence, from -3 to 3.
    pub valence: f32,
    /// The arousal, from 0 to 1.
    pub arousal: f32,
}

const fn feeling(valence: f32, arousal: f32) -> Feeling {
    Feeling { valence, arousal }
}

const WORDS: [(Feeling, &str); 12] = [
    (
        feeling(3.0, 0.9),
        "ecstatic overjoyed thrilled elated euphoric woohoo yay yess yippee hooray hurray amazing awesome incredible \
         fantastic phenomenal mindblowing magnificent woot stoked hyped pumped",
    ),
    (
        feeling(2.6, 0.6),
        "love loves loved loving adore wonderful excellent brilliant superb delighted delightful perfect excited \
         exciting outstanding marvelous marvellous fabulous terrific best gorgeous beautiful blessed joy joyful \
         hilarious epic splendid stunning spectacular",
    ),
    (
        feeling(2.0, 0.5),
        "happy happier happiest great glad cheerful proud fun enjoy enjoying enjoyed celebrate celebrating celebration \
         sweet lovely cute charming cool smile smiling smiled laugh laughing laughed wow congrats congratulations \
         won win winning yum delicious adorable impressive impressed funny lucky lucked thrill passionate sunny \
         promoted graduated engaged married aced optimistic inspired",
    ),
    (
        feeling(1.4, 0.2),
        "good nice better pleased pleasant relaxed calm peaceful content grateful thankful thanks thank relieved relief \
         comfortable helpful safe hopeful warm cozy cosy friendly interesting satisfied enjoyable kind gentle useful \
         refreshed rested appreciate appreciated welcome sunshine neat rocks smart clever wise healthy",
    ),
    (feeling(0.6, 0.1), "fine okay alright decent yes yeah yep sure agreed solid fair"),
    (
        feeling(-0.6, 0.2),
        "meh boring bored dull sorry unsure slow odd weird strange tricky confusing confused busy",
    ),
    (
        feeling(-1.3, 0.2),
        "tired exhausted sad sadly unhappy lonely gloomy disappointed disappointing sick ill unwell weak miss \
         missing regret guilty ashamed embarrassed embarrassing tough rough difficult unfortunately worse annoying \
         annoyed drained homesick uncomfortable unfair bummed bummer lousy poor upsetting insecure nauseous headache \
         jealous rejected ignored cried",
    ),
    (
        feeling(-1.9, 0.5),
        "bad worry worried worries worrying anxious nervous afraid scared stress stressed stressful upset hurt hurts \
         hurting crying cry pain painful frustrated frustrating frustration irritated irritating ugly stupid dumb \
         useless wrong broken lost overwhelmed overwhelming struggling ugh argh yikes sucks suck crap crappy rubbish \
         nonsense lame rude unbearable fired dumped bullied cheated betrayed grief grieving mourning",
    ),
    (
        feeling(-2.5, 0.6),
        "awful terrible horrible worst miserable depressed depressing depression hopeless worthless heartbroken \
         devastated devastating hate hates hated hating despise disgusting pathetic agony nightmare tragic tragedy \
         abandoned suicidal helpless desperate despair dreadful loathe garbage shit shitty bullshit ruined",
    ),
    (
        feeling(-2.6, 0.95),
        "furious angry mad rage raging enraged livid outraged pissed terrified terrifying panic panicking horrified wtf \
         ffs infuriating fuming seething screaming",
    ),
    (feeling(-1.2, 0.8), "damn dammit goddamn fuck fucking fucked hell"),
    (feeling(0.0, 0.6), "omg whoa wild crazy insane unbelievable urgent asap hurry"),
];

const FACES: [(Feeling, &str); 7] = [
    (feeling(2.6, 0.8), "🎉🥳🤩😂🤣🔥💃🙌🎊"),
    (feeling(2.2, 0.4), "😀😃😄😁😆😊🙂😍🥰😘❤💕💖💗💛💚💙💜🧡♥😻😹☺🤗😇😎👏✨🌞😋😺"),
    (feeling(1.2, 0.2), "👍😉😌🙏👌💪🤝😏😜😝🤪😅☀"),
    (feeling(-0.8, 0.2), "😐😑😕🙄😒😬😴🥱💤😪🤷😶🫤🥴🤒🤢"),
    (feeling(-1.8, 0.4), "😢😞😔😟🙁☹😥😓😰😨😣😖😩😫🥺👎"),
    (feeling(-2.4, 0.8), "😭💔😱🤮"),
    (feeling(-2.4, 0.95), "😡😠🤬👿💢🖕"),
];

const EMOTICONS: [(Feeling, &str); 5] = [
    (feeling(2.2, 0.6), ":D :-D xD XD =D :'D ^^ ^_^ \\o/"),
    (feeling(1.8, 0.3), ":) :-) (: =) :3 <3 :] ;) ;-) :P :-P ;P :p :))"),
    (feeling(-0.8, 0.2), ":/ :-/ :| :-| -_- :\\ :S"),
    (feeling(-1.9, 0.4), ":( :-( ): =( :'( :[ ;( ;_; T_T </3 :(("),
    (feeling(-2.2, 0.9), ">:( >:-( >:["),
];

pub fn word(text: &str) -> Option<Feeling> {
    static INDEX: LazyLock<HashMap<&str, Feeling>> = LazyLock::new(|| {
        WORDS
            .iter()
            .flat_map(|(feeling, words)| words.split_whitespace().map(|word| (word, *feeling)))
            .collect()
    });
    INDEX.get(text).copied()
}

pub fn face(text: &str) -> Option<Feeling> {
    let drawn = FACES.iter().find(|(_, faces)| faces.contains(text));
    let typed = || EMOTICONS.iter().find(|(_, faces)| faces.split(' ').any(|face| face == text));
    drawn.or_else(typed).map(|(feeling, _)| *feeling)
}

pub fn is_face(character: char) -> bool {
    FACES.iter().any(|(_, faces)| faces.contains(character))
}

pub fn is_emoticon(text: &str) -> bool {
    EMOTICONS.iter().any(|(_, faces)| faces.split(' ').any(|face| face == text))
}

/// Returns the usual spelling of a word, and whether it was drawn out: “sooo”, “yesss”, “goood”.
pub fn plain(text: &str) -> (String, bool) {
    let at_most = |most: usize| {
        let mut kept = String::with_capacity(text.len());
        let mut run = 0;
        for character in text.chars() {
            run = if kept.ends_with(character) { run + 1 } else { 1 };
            if run <= most {
                kept.push(character);
            }
        }
        kept
    };
    let twice = at_most(2);
    if twice == text || text.chars().all(char::is_numeric) {
        (text.to_owned(), false)
    } else if word(&twice).is_some() || ["too", "good", "all", "see"].contains(&twice.as_str()) {
        (twice, true)
    } else {
        (at_most(1), true)
    }
}

/// Returns true for “haha”, “bahahaha”, “hehe”, “jajaja” and their equivalents.
pub fn is_laughter(word: &str) -> bool {
    const SHORT: [&str; 13] = [
        "lol", "lmao", "lmfao", "rofl", "roflmao", "hah", "lolol", "mdr", "kekw", "lul", "xd", "lolz",
        "teehee",
    ];
    let bare = word.strip_prefix("mw").or_else(|| word.strip_prefix('b')).unwrap_or(word);
    let is_made_of = |one: char, other: char| {
        bare.len() >= 4
            && bare.chars().all(|letter| letter == one || letter == other)
            && bare.contains(one)
            && bare.contains(other)
    };
    SHORT.contains(&word)
        || [('h', 'a'), ('h', 'e'), ('h', 'i'), ('j', 'a')].iter().any(|(h, a)| is_made_of(*h, *a))
}
