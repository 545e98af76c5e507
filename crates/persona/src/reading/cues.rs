//! Cues in a message: laughter, thanks, distress, and its style.

use std::sync::LazyLock;

use super::phrase::{self, PhrasePattern};
use super::signals::Cue;
use super::user_words::{MessageWord, UserWords};
use super::{lexicon, sentiment};

const LAUGHTER: &[&str] = &[
    "ha ha",
    "made|makes|making me laugh|giggle|chuckle",
    "you|they|these|those|i|we ~ make me laugh|giggle|chuckle",
    "you|that|this cracked|crack|cracks me up",
    "that|this|it|you is|was|are ~ hilarious|funny",
    "so|too|very|really funny|hilarious",
    "^ good|nice one $",
    "^ hilarious|funny",
    "i laughed|giggled|chuckled",
    "i am dying|dead ?of|from laughing|laughter",
    "can not stop laughing",
];

const THANKS: &[&str] = &[
    "can not thank you enough",
    "thank|thanks|thankyou !god|for",
    "thank|thanks ?you for !nothing",
    "ty|tysm|tyvm|cheers|merci|danke|gracias|grazie|obrigado|obrigada|arigato",
    "much appreciated",
    "i ~ appreciate",
    "^ appreciate it|that|you|this|your",
    "i am ~ grateful|thankful",
    "i owe you",
    "you ~ saved me|my",
    "a lifesaver|life-saver|godsend",
];

const PRAISE: &[&str] = &[
    "good|great|nice|excellent|amazing|fantastic|awesome|brilliant|perfect|wonderful|lovely \
     job|work|answer|point|idea|call|thinking|explanation|advice|girl|reply|response|suggestion|summary",
    "well done|said|put",
    "^ ?oh|wow ?that|this|it ?is|was ~ perfect|brilliant|excellent|amazing|awesome|wonderful|fantastic $",
    "you are ~ ?the|an best|awesome|amazing|great|wonderful|brilliant|fantastic|sweet|kind|lovely|smart|clever|helpful|\
     funny|cute|perfect|nice|good|star|genius|angel|legend|gem",
    "i ~ love|adore|like|trust you !to",
    "^ love you|it|this|that",
    "i ~ love|like|enjoy talking|chatting|how|your|when",
    "miss|missed you",
    "that|this|you ~ helped|helps",
    "very|so|super|really|most|incredibly helpful|useful",
    "exactly what i needed|wanted|meant",
    "you rock|rule",
    "proud of you",
    "happy|glad i have|found you",
    "you always know|make|cheer",
    "best answer|friend|companion|assistant ever",
];

const IRRITATION: &[&str] = &[
    "ugh|argh|grr|gah|ffs|wtf|smh",
    "shut up|it",
    "thanks ?you for nothing",
    "you are ~ useless|stupid|annoying|dumb|terrible|wrong|hopeless|pathetic|ridiculous|idiot|moron",
    "you are an idiot|embarrassment",
    "you are not ~ listening|helping|helpful|reading|paying",
    "that|this|it is|was ~ wrong|nonsense|useless|bullshit|rubbish|garbage|ridiculous|stupid",
    "that|this|it is ~ frustrating|annoying|irritating",
    "not what i ~ asked|meant|said|wanted|need|needed|wrote",
    "i ~ already|literally told|said|asked|explained|answered",
    "i just told|asked you",
    "how many times",
    "stop it|that|this|saying|repeating|doing|apologizing|apologising|ignoring",
    "^ stop $",
    "you keep ~ asking|saying|repeating|forgetting|making|doing|ignoring|getting|telling",
    "you never listen|understand|learn|remember|get",
    "you do not ~ listen|understand|get",
    "are you even|still listening|reading|trying|there",
    "did you even|not read|listen|look|hear",
    "^ so|really|very annoying|frustrating|irritating",
    "annoyed|irritated|frustrated|pissed|angry|mad|furious|fed ?off|up with|at|by you|this",
    "not ~ helpful|useful|helping",
    "did|does not ~ help $",
    "i am ~ sick|tired of this|that|you|your",
    "leave me alone",
    "for the last time",
    "you misunderstood",
    "^ ?no that|this is not it $",
    "that|this|it is not ~ right|correct|true $",
    "you did not ~ answer|read|listen|hear|understand|get",
    "for god|fuck|heaven|heavens|christ sake|sakes",
    "you got|get it|that|this wrong",
    "^ wrong ?again|answer $",
    "what is wrong with you",
    "i hate you|this answer",
    "you ~ suck|annoy",
    "you are wasting|getting on",
    "waste of time",
    "^ no no no",
    "did i ask|not i tell|say",
    "why do you always|keep",
];

const DISTRESS: &[&str] = &[
    "i ?have am|feel|felt|been|was|feeling ~ sad|depressed|lonely|hopeless|anxious|stressed|overwhelmed|heartbroken|\
     miserable|devastated|broken|empty|worthless|scared|terrified|ashamed|numb|awful|terrible|horrible|helpless|\
     desperate|panicking|crying|grieving|struggling|low|upset|worried|hurt|alone|unloved|afraid|nervous|\
     homesick|unhappy|guilty|drowning|hurting|suffering|burned|burnt|shit|shitty",
    "i ?have am|feel|felt|been|was|feeling ~ down !for|to|with",
    "^ ~ sad|depressed|lonely|anxious|stressed|overwhelmed|heartbroken|miserable $",
    "feel|feeling|feels like ~ crap|shit|failure|idiot|loser|fraud|burden|garbage|nothing|crying|giving|nobody|everyone|\
     everything",
    "i am ~ failure|burden|mess|loser|wreck|disappointment",
    "can not stop|keep crying",
    "i ~ cried|cry",
    "crying !of|laughing|with",
    "hard|rough|tough|bad|terrible|awful|horrible|shit|shitty|difficult|crappy|miserable \
     day|time|week|night|month|year|morning|weekend|patch",
    "had|having|been|going ~ through ~ tough|rough|hard|bad|lot",
    "my dog|cat|mom|mum|mother|dad|father|grandma|grandmother|grandpa|grandfather|brother|sister|friend|wife|husband|\
     partner|son|daughter|uncle|aunt|baby|boyfriend|girlfriend|pet * died|passed|dying|dead|gone",
    "lost my ~ job|dad|mom|mum|mother|father|dog|cat|wife|husband|friend|baby|brother|sister|grandma|grandpa|son|\
     daughter|partner|home|house",
    "broke up",
    "dumped|left|cheated ?on me",
    "i ~ got|was|been fired|dumped|rejected|laid|bullied|abused|assaulted|diagnosed",
    "nobody|everyone loves|likes|cares|understands|wants|hates|left|leaves ?about|me",
    "no one loves|likes|cares|understands|wants",
    "panic attack|attacks",
    "my anxiety|depression|grief|panic|stress",
    "i ?have am|feel|feeling|been ~ blue",
    "i ~ had|have|got ~ fight|argument|falling with|out",
    "i hate myself|my ?life|body",
    "i can not ~ cope|breathe",
    "i can not ~ take|handle|do it|this|that anymore|any",
    "i can not ~ take|handle|do it|this|that $",
    "falling|fell|fall apart",
    "everything is|goes|keeps ~ falling|going|gone|wrong|terrible|awful|hopeless|pointless|broken",
    "need|want a hug",
    "breaking|broke down !my|the",
    "nervous|mental breakdown",
    "at my limit|wits",
    "burned|burnt out",
    "i miss him|her|them|my",
    "i do not ~ know what to do ?anymore $",
    "i am not ~ ok|okay|well|alright",
    "i am not ~ doing|feeling ~ well|good|ok|okay|great",
    "do not feel ~ ok|okay|well|good|great",
    "i ~ need|want someone|somebody to talk|listen|hold",
    "worst day|week|month|year",
];

const CRISIS: &[&str] = &[
    "want|wanted|wanting to die",
    "wish i was|were dead|gone",
    "kill|killing|hang|drown|shoot myself",
    "end|ending|take|taking my ?own life",
    "end it all",
    "i am|feel|feeling|been ~ suicidal",
    "suicidal thoughts",
    "nobody|one would miss|notice|care ?about ?me ?if ?i",
    "if i was|were dead|gone",
    "thinking|thoughts|thought about|of suicide|killing|dying",
    "hurt|harm|cut|cutting|harming|hurting myself",
    "self harm|harming",
    "better off without me|dead",
    "do not want to live|exist",
    "do not want to be alive|here anymore",
    "can not ~ go on|live ?like|anymore",
    "no reason|point to|in|of live|living|going|go",
];

const TIRED: &[&str] = &[
    "i am|feel|feeling|was|been|so|too|very|dead ~ tired|exhausted|sleepy|knackered|drained|drowsy|fatigued|groggy|\
     pooped|wiped|beat|wrecked|spent !of",
    "^ ~ tired|exhausted|sleepy|knackered $",
    "worn|wiped out",
    "need|could|want ?use ?to ?some|a|more|my sleep|rest|nap|bed",
    "going|heading|off|time|ready|want ?to ?for|go ?to bed|sleep",
    "my eyes ?are open|closing|heavy",
    "fall|falling|half|fell asleep",
    "long day|shift|night $",
    "^ good night|goodnight|gn|nighty|nite|night",
    "goodnight|yawn|yawning",
    "slept badly|poorly|terribly",
    "did|have|can not sleep|slept",
    "barely|hardly slept|sleep",
    "no sleep",
    "up|awake all night",
    "keep my eyes open",
    "it is ~ late",
    "no energy",
];

const COURTESY: &[&str] = &[
    "dear|greetings luna|madam|sir|assistant|ms|miss",
    "^ greetings",
    "^ good morning|afternoon|evening|day ?luna",
    "kind|best|warm|with regards",
    "yours|sincerely|faithfully ?faithfully|sincerely|truly",
    "would|could you ~ kindly|be so kind",
    "would you mind",
    "^ may i",
    "i would|should be ~ grateful|obliged|thankful|delighted",
    "i would ~ appreciate|like to request|inquire|enquire|know",
    "would it be possible",
    "i beg your pardon",
    "with all due respect",
    "at your ~ convenience|earliest",
    "be so kind",
    "pardon me",
    "much obliged",
    "sir|madam",
    "i look forward to",
];

const CURIOSITY: &[&str] = &[
    "^ ?but|and|so|ok|okay|hm|hmm why !do|are|is|not",
    "^ ?but|and|so why do|does|did|is|are|was|would|can !you|so|not",
    "how come",
    "how|why exactly",
    "how does|do|did|is|are|can * work|works|possible|happen|made",
    "i ~ wonder|wondered|wondering",
    "i am ~ curious|fascinated|interested",
    "what makes|causes|made",
    "what is the reason|difference|idea|point behind|between|of",
    "makes me think|wonder",
];

const SLANG: &str = "bro bruh dude yo nah sup wassup idk omg tbh imo ngl fr gotcha lmao lmfao lol brb \
     btw wyd hbu ikr smh fam lit dope chill lowkey highkey sus bestie homie yall y'all ain't wtf rn nvm \
     jk af bae hella legit cringe yolo";

static TABLE: LazyLock<Vec<(Cue, Vec<PhrasePattern>)>> = LazyLock::new(|| {
    let table: [(Cue, &[&str]); 9] = [
        (Cue::Laughter, LAUGHTER),
        (Cue::Thanks, THANKS),
        (Cue::Praise, PRAISE),
        (Cue::Irritation, IRRITATION),
        (Cue::Distress, DISTRESS),
        (Cue::Crisis, CRISIS),
        (Cue::Tired, TIRED),
        (Cue::Courtesy, COURTESY),
        (Cue::Curiosity, CURIOSITY),
    ];
    let taken_apart =
        |wordings: &[&'static str]| wordings.iter().map(|wording| PhrasePattern::of(wording)).collect();
    table.into_iter().map(|(cue, wordings)| (cue, taken_apart(wordings))).collect()
});

pub fn of(own: &UserWords) -> Vec<Cue> {
    let mut cues: Vec<Cue> = own.sentences.iter().flat_map(|sentence| in_sentence(&sentence.words)).collect();
    cues.extend(own.faces.iter().filter_map(|face| in_a_face(face)));
    if own.casual {
        cues.push(Cue::Slang);
    }
    // Laughter shows that it is not meant, as in “Stop it, I can't breathe, haha”.
    if cues.contains(&Cue::Laughter) {
        cues.retain(|cue| *cue != Cue::Irritation);
    }
    cues.sort_unstable();
    cues.dedup();
    cues
}

fn in_sentence(words: &[MessageWord]) -> Vec<Cue> {
    let is_task = sentiment::is_a_task(words);
    let shows = |pattern: &PhrasePattern| {
        pattern.find(words).is_some_and(|found| !phrase::is_negated(words, found.start, 2))
    };
    let heard = TABLE.iter().filter(|(cue, _)| !is_task || is_meant_in_a_task(*cue));
    let mut cues: Vec<Cue> =
        heard.filter(|(_, patterns)| patterns.iter().any(shows)).map(|(cue, _)| *cue).collect();
    if words.iter().any(|word| lexicon::is_laughter(&word.text)) {
        cues.push(Cue::Laughter);
    }
    if words.iter().any(|word| phrase::is_one_of(SLANG, &word.text)) {
        cues.push(Cue::Slang);
    }
    cues
}

/// Returns true for cues that count even in a task: “Write a sad poem, please” is polite, but not sad. A possible call
/// for help always counts.
fn is_meant_in_a_task(cue: Cue) -> bool {
    matches!(cue, Cue::Thanks | Cue::Crisis | Cue::Courtesy | Cue::Curiosity)
}

fn in_a_face(face: &str) -> Option<Cue> {
    Some(match face {
        "😂" | "🤣" | "😆" | "😹" | "xD" | "XD" => Cue::Laughter,
        "❤" | "😍" | "🥰" | "😘" | "👏" | "💕" | "💖" | "<3" => Cue::Praise,
        "🙏" => Cue::Thanks,
        "😭" | "💔" | "😢" | ":'(" | "T_T" | "</3" => Cue::Distress,
        "😴" | "🥱" | "💤" | "😪" => Cue::Tired,
        "🙄" | "😡" | "😠" | "🤬" | "💢" | "🖕" | ">:(" => Cue::Irritation,
        _ => return None,
    })
}
