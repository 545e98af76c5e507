//! Verbs and their inflected forms.

use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerbForm {
    Base,
    Third,
    Past,
    Participle,
    Gerund,
}

/// Regular verbs.
const REGULAR: &str = "live move work start join like love hate adore enjoy dislike prefer detest loathe play study adopt rename name \
    call settle relocate reside stay own want plan hope intend aim decide need switch change turn smoke use watch \
    listen cook bake walk exercise jog cycle train climb collect practise practice visit graduate retire resign \
    marry divorce date pass celebrate return transfer emigrate immigrate rent share bike commute meditate knit paint \
    volunteer suffer diagnose order crave despise fancy avoid promote fire hire land accept earn cover manage code \
    design rescue foster welcome trade swap exchange replace ditch abandon drop dump reject try attend enrol enroll \
    major stop finish end remember wish believe consider look help ask talk mention text claim explain suggest \
    wonder happen tend carry hike camp garden organise organize deliver rehome surf row dance juggle photograph chat \
    skate box wrestle fish sail ski recover upgrade downgrade convert pack unpack gather wander arrive freelance \
    intern lecture tutor nurse bartend miss allow owe save invest invite book schedule reschedule cancel postpone \
    admit realise realize notice discover create found launch open close register apply interview discuss agree \
    argue separate engage propose serve shop clean wash answer respond refer reckon guess assume suppose figure \
    bother care mind matter weigh measure appear seem remain last long download stream subscribe follow support root \
    cheer coach mentor raise base employ locate expect treasure worship tolerate stomach handle skip limit reduce \
    restrict rely depend fast snore nap sprain fracture injure report cross bury exist park resist appoint announce \
    suit offer develop acquire warm bore disgust purchase rock jam pray gamble vape juice sip binge obsess identify \
    rechristen christen dub crash borrow gift donate surrender total scrap bump audition publish perform tour advise \
    consult operate treat heal migrate resettle squat lodge lease nanny babysit step sign hand ship upsize shift \
    score snag hop head pick sack axe hail fail spell appreciate consume dwell imagine kick pretend substitute twist \
    prepare";
/// Irregular verbs: base, past, participle, gerund.
const IRREGULAR: &str = "be was been being; have had had having; do did done doing; go went gone going; get got got getting; buy bought \
    bought buying; bring brought brought bringing; take took taken taking; give gave given giving; leave left left \
    leaving; quit quit quit quitting; run ran run running; eat ate eaten eating; drink drank drunk drinking; drive \
    drove driven driving; ride rode ridden riding; speak spoke spoken speaking; grow grew grown growing; come came \
    come coming; become became become becoming; make made made making; find found found finding; sell sold sold \
    selling; lose lost lost losing; wake woke woken waking; sleep slept slept sleeping; swim swam swum swimming; \
    sing sang sung singing; write wrote written writing; read read read reading; teach taught taught teaching; stand \
    stood stood standing; bear bore born bearing; break broke broken breaking; wear wore worn wearing; feel felt \
    felt feeling; think thought thought thinking; know knew known knowing; say said said saying; tell told told \
    telling; meet met met meeting; see saw seen seeing; keep kept kept keeping; put put put putting; set set set \
    setting; begin began begun beginning; build built built building; cut cut cut cutting; let let let letting; \
    stick stuck stuck sticking; hear heard heard hearing; win won won winning; fly flew flown flying; spend spent \
    spent spending; pay paid paid paying; send sent sent sending; lie lay lain lying; fall fell fallen falling; \
    catch caught caught catching; forget forgot forgotten forgetting; hold held held holding; dig dug dug digging; \
    travel travelled travelled travelling; sit sat sat sitting; throw threw thrown throwing; draw drew drawn \
    drawing; hurt hurt hurt hurting; dream dreamt dreamt dreaming; learn learnt learnt learning; split split split \
    splitting; rid rid rid ridding; swear swore sworn swearing; outgrow outgrew outgrown outgrowing; beat beat \
    beaten beating; tie tied tied tying; die died died dying; program programmed programmed programming; wed wed wed \
    wedding; lay laid laid laying; choose chose chosen choosing; lead led led leading";
const ODD_SPELLINGS: &[(&str, &str, VerbForm)] = &[
    ("am", "be", VerbForm::Base),
    ("is", "be", VerbForm::Third),
    ("are", "be", VerbForm::Base),
    ("were", "be", VerbForm::Past),
    ("has", "have", VerbForm::Third),
    ("does", "do", VerbForm::Third),
    ("goes", "go", VerbForm::Third),
    ("traveled", "travel", VerbForm::Past),
    ("traveling", "travel", VerbForm::Gerund),
    ("learned", "learn", VerbForm::Past),
    ("dreamed", "dream", VerbForm::Past),
    ("woken", "wake", VerbForm::Participle),
    ("quitted", "quit", VerbForm::Past),
    ("enrolled", "enrol", VerbForm::Past),
    ("enrolling", "enrol", VerbForm::Gerund),
    ("transfered", "transfer", VerbForm::Past),
    ("prefered", "prefer", VerbForm::Past),
    ("travelled", "travel", VerbForm::Past),
    ("travelling", "travel", VerbForm::Gerund),
    ("cancelled", "cancel", VerbForm::Past),
    ("cancelling", "cancel", VerbForm::Gerund),
    ("totalled", "total", VerbForm::Past),
];

static FORMS: LazyLock<HashMap<String, (&'static str, VerbForm)>> = LazyLock::new(|| {
    let mut forms = HashMap::new();
    let add = |forms: &mut HashMap<String, (&'static str, VerbForm)>, word: String, base, form| {
        forms.entry(word).or_insert((base, form));
    };
    for line in IRREGULAR.split(';') {
        let mut words = line.split_whitespace();
        if let (Some(base), Some(past), Some(participle), Some(gerund)) =
            (words.next(), words.next(), words.next(), words.next())
        {
            add(&mut forms, base.to_owned(), base, VerbForm::Base);
            add(&mut forms, past.to_owned(), base, VerbForm::Past);
            add(&mut forms, participle.to_owned(), base, VerbForm::Participle);
            add(&mut forms, gerund.to_owned(), base, VerbForm::Gerund);
            add(&mut forms, third(base), base, VerbForm::Third);
        }
    }
    for base in REGULAR.split_whitespace() {
        let stem = stem(base);
        let past = match base.strip_suffix('y') {
            Some(front) if !front.ends_with(['a', 'e', 'o', 'u']) => format!("{front}ied"),
            _ => format!("{stem}ed"),
        };
        add(&mut forms, base.to_owned(), base, VerbForm::Base);
        add(&mut forms, third(base), base, VerbForm::Third);
        add(&mut forms, past, base, VerbForm::Past);
        add(&mut forms, format!("{stem}ing"), base, VerbForm::Gerund);
    }
    for (word, base, form) in ODD_SPELLINGS {
        forms.insert((*word).to_owned(), (*base, *form));
    }
    forms
});

/// Returns the stem before an ending: without a final *e*, or with the last letter doubled.
fn stem(base: &str) -> String {
    let letters: Vec<char> = base.chars().collect();
    let is_vowel = |letter: &char| "aeiou".contains(*letter);
    let vowels =
        letters.chunk_by(|one, other| (is_vowel(one) || *one == 'y') == (is_vowel(other) || *other == 'y'));
    let syllables = vowels.filter(|run| is_vowel(&run[0]) || run[0] == 'y').count();
    let closed = matches!(letters.as_slice(), [.., before, vowel, last]
        if !is_vowel(before) && is_vowel(vowel) && !is_vowel(last) && !"wxy".contains(*last));
    let stressed = matches!(base, "admit" | "refer" | "prefer" | "transfer" | "enrol" | "commit" | "regret");
    match base.strip_suffix('e') {
        Some(stem) => stem.to_owned(),
        None if closed && (syllables == 1 || stressed) => format!("{base}{}", letters[letters.len() - 1]),
        None => base.to_owned(),
    }
}

fn third(base: &str) -> String {
    match base.strip_suffix('y') {
        Some(front) if !front.ends_with(['a', 'e', 'o', 'u']) => format!("{front}ies"),
        _ if base.ends_with(['s', 'x'])
            || base.ends_with("sh")
            || base.ends_with("ch")
            || base.ends_with('o') =>
        {
            format!("{base}es")
        }
        _ => format!("{base}s"),
    }
}

/// Returns the base form of a known verb, and the form of the word.
pub fn lemma(word: &str) -> Option<(&'static str, VerbForm)> {
    FORMS.get(word).copied()
}

/// Returns the third person singular: `lives` for `live`.
pub fn of_another(base: &str) -> String {
    match base {
        "be" => "is".to_owned(),
        "have" => "has".to_owned(),
        _ => third(base),
    }
}

/// Returns the gerund of a verb: `running` for `run`.
pub fn gerund(base: &str) -> String {
    let is_vowel = |letter: &u8| b"aeiou".contains(letter);
    match base.as_bytes() {
        // *Run*, *get* and *shop* double the consonant, but not *play*, *fix* or *read*.
        [start @ .., vowel, last]
            if is_vowel(vowel)
                && !is_vowel(last)
                && !b"wxy".contains(last)
                && !start.is_empty()
                && !start.iter().any(is_vowel) =>
        {
            format!("{base}{}ing", char::from(*last))
        }
        _ => format!("{}ing", base.strip_suffix('e').filter(|_| base != "see").unwrap_or(base)),
    }
}
