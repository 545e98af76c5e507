//! Features of a sentence for the learned model: hashed marks for its words, word pairs and style.
//!
//! `training/emotion.py` reads sentences in exactly the same way; a table of examples keeps the two consistent.
//! Therefore only plain character ranges are used here, and no Unicode tables, which differ between versions.

/// The maximum number of tokens; the rest is ignored.
const MOST_TOKENS: usize = 400;
/// The number of words that a negation affects.
const NEGATED: usize = 3;
/// The lengths of word prefixes, which stand in for the other forms of a word.
const BEGINNINGS: [usize; 4] = [3, 4, 5, 6];

const NEGATIONS: [&str; 34] = [
    "not", "no", "never", "nobody", "nothing", "none", "neither", "nor", "cannot", "cant", "dont", "doesnt",
    "didnt", "isnt", "wasnt", "arent", "werent", "wont", "wouldnt", "couldnt", "shouldnt", "aint", "without",
    "hardly", "havent", "hasnt", "hadnt", "mustnt", "neednt", "nope", "barely", "scarcely", "nowhere",
    "noone",
];

/// Emoticons, each with the one that represents its kind.
const FACES: [(&str, &str); 36] = [
    (":)", ":)"),
    (":-)", ":)"),
    ("(:", ":)"),
    ("=)", ":)"),
    (":]", ":)"),
    (":d", ":d"),
    (":-d", ":d"),
    ("=d", ":d"),
    ("xd", ":d"),
    (";)", ";)"),
    (";-)", ";)"),
    (":(", ":("),
    (":-(", ":("),
    ("):", ":("),
    ("=(", ":("),
    (":'(", ":'("),
    ("t_t", ":'("),
    (":/", ":/"),
    (":-/", ":/"),
    (":\\", ":/"),
    (":|", ":|"),
    (":o", ":o"),
    (":-o", ":o"),
    ("o_o", ":o"),
    (":p", ":p"),
    (":-p", ":p"),
    ("<3", "<3"),
    ("</3", "</3"),
    ("^^", "^^"),
    ("^_^", "^^"),
    (">:(", ">:("),
    (":3", ":3"),
    ("-_-", "-_-"),
    ("/s", "/s"),
    (":'d", ":d"),
    ("x)", ":)"),
];

/// Placeholders for names in the training texts.
const BLANKS: [&str; 2] = ["[name]", "[religion]"];

#[derive(Debug, Default)]
struct Reading {
    tokens: Vec<String>,
    /// The number of words in capitals.
    loud: usize,
    /// True for spellings like “sooo”.
    drawn_out: bool,
}

/// Returns the marks of a sentence, each once, in no particular order.
pub(super) fn marks(sentence: &str) -> Vec<u32> {
    let reading = read(sentence);
    let mut marks = vec![];
    style(&reading, &mut marks);
    let mut before = "^";
    for token in &reading.tokens {
        marks.push(mark(&[token]));
        marks.push(mark(&[before, " ", token]));
        before = token;
        if token.starts_with(is_letter) {
            for length in BEGINNINGS {
                if let Some((end, _)) = token.char_indices().nth(length) {
                    marks.push(mark(&["#", &token[..end]]));
                }
            }
        }
    }
    marks.push(mark(&[before, " $"]));
    negated(&reading.tokens, &mut marks);
    marks.sort_unstable();
    marks.dedup();
    marks
}

fn style(reading: &Reading, marks: &mut Vec<u32>) {
    let words = reading.tokens.iter().filter(|token| is_word(token)).count();
    let loud = reading.loud;
    for (name, shows) in [
        ("_caps", loud > 0),
        ("_caps2", loud > 1),
        ("_capsall", loud > 0 && loud * 10 >= words * 6),
        ("_long", reading.drawn_out),
    ] {
        if shows {
            marks.push(mark(&[name]));
        }
    }
    let length = match words {
        0..3 => "_n0",
        3..6 => "_n1",
        6..11 => "_n2",
        11..17 => "_n3",
        _ => "_n4",
    };
    marks.push(mark(&[length]));
}

fn negated(tokens: &[String], marks: &mut Vec<u32>) {
    let mut left = 0;
    for token in tokens {
        if !is_word(token) {
            left = 0;
        } else if NEGATIONS.contains(&token.as_str()) {
            left = NEGATED;
        } else if left > 0 {
            marks.push(mark(&["~", token]));
            left -= 1;
        }
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|letter| is_letter(letter) || letter == '[')
}

/// The 32-bit FNV-1a hash of the concatenated parts.
fn mark(parts: &[&str]) -> u32 {
    parts
        .iter()
        .flat_map(|part| part.bytes())
        .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn read(sentence: &str) -> Reading {
    let mut reading = Reading::default();
    let mut chunk = vec![];
    for letter in sentence.chars().filter(|&letter| !is_void(letter)).chain([' ']) {
        if is_space(letter) {
            reading.take(&chunk);
            chunk.clear();
            if reading.tokens.len() >= MOST_TOKENS {
                break;
            }
            continue;
        }
        match letter {
            '\u{2018}' | '\u{2019}' => chunk.push('\''),
            '\u{2026}' => chunk.extend(['.'; 3]),
            '\u{3002}' => chunk.push('.'),
            '\u{ff01}' => chunk.push('!'),
            '\u{ff1f}' => chunk.push('?'),
            _ => chunk.push(letter),
        }
    }
    reading.tokens.truncate(MOST_TOKENS);
    reading
}

impl Reading {
    /// Processes the text between two spaces.
    fn take(&mut self, chunk: &[char]) {
        let lower: Vec<char> = chunk.iter().map(char::to_ascii_lowercase).collect();
        if let Some((_, face)) = FACES.iter().find(|(face, _)| is(&lower, face)) {
            self.tokens.push((*face).to_owned());
            return;
        }
        let mut at = 0;
        while at < lower.len() && self.tokens.len() < MOST_TOKENS {
            at += self.token(&lower[at..], &chunk[at..]);
        }
    }

    /// Processes one token and returns its length.
    fn token(&mut self, lower: &[char], chunk: &[char]) -> usize {
        let run = |wanted: fn(&char) -> bool| lower.iter().take_while(|letter| wanted(letter)).count();
        if let Some(blank) = BLANKS.iter().find(|blank| is(&lower[..lower.len().min(blank.len())], blank)) {
            self.tokens.push((*blank).to_owned());
            return blank.len();
        }
        match lower[0] {
            letter if is_letter(letter) => self.word(lower, chunk),
            '!' | '?' => {
                let length = run(|letter| matches!(letter, '!' | '?'));
                let cries = lower[..length].iter().filter(|&&letter| letter == '!').count();
                let token = match (cries, length - cries) {
                    (0, 1) => "?",
                    (0, _) => "??",
                    (1, 0) => "!",
                    (_, 0) => "!!",
                    _ => "?!",
                };
                self.tokens.push(token.to_owned());
                length
            }
            '.' => {
                let length = run(|&letter| letter == '.');
                self.tokens.push(if length > 1 { "..." } else { "." }.to_owned());
                length
            }
            letter => {
                if matches!(letter, ',' | ';' | ':' | '"' | '*' | '#') || is_picture(letter) {
                    self.tokens.push(letter.to_string());
                }
                1
            }
        }
    }

    /// Processes a word without its apostrophes. Of a repeated letter, two are kept; every number becomes the same
    /// token.
    fn word(&mut self, lower: &[char], chunk: &[char]) -> usize {
        let mut word: Vec<char> = vec![];
        let (mut length, mut letters, mut capitals) = (0, 0, 0);
        while let Some(&letter) = lower.get(length) {
            if is_letter(letter) {
                letters += 1;
                capitals += usize::from(chunk[length].is_ascii_uppercase());
                if word.ends_with(&[letter; 2]) && !letter.is_ascii_digit() {
                    self.drawn_out = true;
                } else {
                    word.push(letter);
                }
            } else if letter != '\'' || !lower.get(length + 1).is_some_and(|&next| is_letter(next)) {
                break;
            }
            length += 1;
        }
        self.loud += usize::from(capitals == letters && letters > 1);
        let number = word.iter().all(char::is_ascii_digit);
        self.tokens.push(if number { "0".to_owned() } else { word.into_iter().collect() });
        length
    }
}

fn is(letters: &[char], word: &str) -> bool {
    letters.iter().copied().eq(word.chars())
}

fn is_letter(letter: char) -> bool {
    matches!(letter, 'a'..='z' | '0'..='9' | '\u{c0}'..='\u{1fff}' | '\u{2c00}'..='\u{2fff}' | '\u{3040}'..='\u{d7ff}')
}

pub(super) fn is_picture(letter: char) -> bool {
    matches!(letter, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1f3fa}' | '\u{1f400}'..='\u{1faff}')
}

/// Returns true for characters without width, and for skin tones.
fn is_void(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{1f3fb}'..='\u{1f3ff}'
    )
}

fn is_space(letter: char) -> bool {
    matches!(
        letter,
        '\0'..=' ' | '\u{7f}'..='\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}
