//! Extraction of the user's own words from a message, as sentences of normalised lower-case words.

use super::lexicon;

/// The maximum number of words; of longer messages, only the beginning and the end are read.
const MOST_WORDS: usize = 400;

#[derive(Default)]
pub struct UserWords {
    pub sentences: Vec<UserSentence>,
    /// Emoji and emoticons in order.
    pub faces: Vec<String>,
    /// The number of all own words, including those that are not read.
    pub count: usize,
    /// The number of words like “sooo”.
    pub drawn_out: usize,
    /// True if it has colloquial contractions such as “gonna”.
    pub casual: bool,
}

#[derive(Default)]
pub struct UserSentence {
    pub words: Vec<MessageWord>,
    pub exclamations: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageWord {
    pub text: String,
    /// True at the start of a sentence or after a comma.
    pub opens: bool,
    /// True if written in capitals.
    pub loud: bool,
    /// True if it is capitalised like a name without opening a clause: *in Nice*.
    pub named: bool,
}

impl UserWords {
    pub fn of(message: &str) -> Self {
        let mut own = Self::default();
        for line in without_quotations(&without_code(message)).lines() {
            let mut opens = true;
            for piece in line.split_whitespace() {
                opens = own.take(piece, opens);
            }
            own.end_sentence();
        }
        own.sentences.retain(|sentence| !sentence.words.is_empty());
        own.count = own.sentences.iter().map(|sentence| sentence.words.len()).sum();
        own.skip_the_middle();
        own
    }

    /// Processes a piece without spaces: an emoticon, or words with punctuation. Returns true if the next word opens a
    /// clause.
    fn take(&mut self, piece: &str, mut opens: bool) -> bool {
        let bare = piece.trim_end_matches(['.', ',']);
        if lexicon::is_emoticon(bare) {
            self.faces.push(bare.to_owned());
            return opens;
        }
        if piece.contains("://") || piece.starts_with("www.") {
            return false;
        }
        let mut word = String::new();
        for character in piece.chars().chain([' ']) {
            match character {
                '\'' | '’' | '‘' | '`' if !word.is_empty() => word.push('\''),
                _ if character.is_alphanumeric() => word.push(character),
                _ => {
                    opens = self.finish(&mut word, opens);
                    match character {
                        '!' => {
                            self.last().exclamations += 1;
                            self.end_sentence();
                            opens = true;
                        }
                        '.' | '?' | '…' => {
                            self.end_sentence();
                            opens = true;
                        }
                        ',' | ';' | ':' | '—' | '–' | '(' => opens = true,
                        _ if lexicon::is_face(character) => self.faces.push(character.to_string()),
                        _ => {}
                    }
                }
            }
        }
        opens
    }

    fn finish(&mut self, word: &mut String, opens: bool) -> bool {
        let text = std::mem::take(word);
        let text = text.trim_matches('\'');
        if text.is_empty() {
            return opens;
        }
        let loud = text.chars().filter(|letter| letter.is_alphabetic()).count() > 1
            && !text.chars().any(char::is_lowercase);
        let named = !opens && !loud && text.starts_with(char::is_uppercase);
        let (plain, drawn_out) = lexicon::plain(&text.to_lowercase());
        self.drawn_out += usize::from(drawn_out);
        self.casual |= CASUAL.iter().any(|(short, _)| *short == plain);
        let mut opens = opens;
        for part in spelled_out(&plain) {
            self.last().words.push(MessageWord { text: part.to_owned(), opens, loud, named });
            opens = false;
        }
        false
    }

    fn last(&mut self) -> &mut UserSentence {
        if self.sentences.is_empty() {
            self.sentences.push(UserSentence::default());
        }
        let last = self.sentences.len() - 1;
        &mut self.sentences[last]
    }

    /// Ends the sentence, if it has words: “!!!” ends one sentence, not three.
    fn end_sentence(&mut self) {
        if !self.last().words.is_empty() {
            self.sentences.push(UserSentence::default());
        } else if self.last().exclamations > 0 && self.sentences.len() > 1 {
            let more = std::mem::take(&mut self.last().exclamations);
            let before = self.sentences.len() - 2;
            self.sentences[before].exclamations += more;
        }
    }

    fn skip_the_middle(&mut self) {
        if self.count <= MOST_WORDS {
            return;
        }
        let count = self.count;
        let mut seen = 0;
        for sentence in &mut self.sentences {
            let start = seen;
            seen += sentence.words.len();
            let mut place = start;
            sentence.words.retain(|_| {
                place += 1;
                place <= MOST_WORDS / 2 || place > count - MOST_WORDS / 2
            });
        }
        self.sentences.retain(|sentence| !sentence.words.is_empty());
    }
}

const SHORT_FORMS: [(&str, &[&str]); 29] = [
    ("can't", &["can", "not"]),
    ("cant", &["can", "not"]),
    ("cannot", &["can", "not"]),
    ("won't", &["will", "not"]),
    ("wont", &["will", "not"]),
    ("dont", &["do", "not"]),
    ("doesnt", &["does", "not"]),
    ("didnt", &["did", "not"]),
    ("isnt", &["is", "not"]),
    ("arent", &["are", "not"]),
    ("wasnt", &["was", "not"]),
    ("couldnt", &["could", "not"]),
    ("wouldnt", &["would", "not"]),
    ("shouldnt", &["should", "not"]),
    ("havent", &["have", "not"]),
    ("hasnt", &["has", "not"]),
    ("im", &["i", "am"]),
    ("ive", &["i", "have"]),
    ("youre", &["you", "are"]),
    ("youve", &["you", "have"]),
    ("thats", &["that", "is"]),
    ("whats", &["what", "is"]),
    ("theyre", &["they", "are"]),
    ("hes", &["he", "is"]),
    ("shes", &["she", "is"]),
    ("let's", &["let", "us"]),
    ("lets", &["let", "us"]),
    ("ma'am", &["madam"]),
    ("o'clock", &["oclock"]),
];

/// Contractions that indicate a casual style.
const CASUAL: [(&str, &[&str]); 18] = [
    ("ain't", &["is", "not"]),
    ("dunno", &["do", "not", "know"]),
    ("ur", &["you", "are"]),
    ("u", &["you"]),
    ("ya", &["you"]),
    ("gonna", &["going", "to"]),
    ("wanna", &["want", "to"]),
    ("gotta", &["got", "to"]),
    ("gimme", &["give", "me"]),
    ("lemme", &["let", "me"]),
    ("pls", &["please"]),
    ("plz", &["please"]),
    ("plse", &["please"]),
    ("thx", &["thanks"]),
    ("thanx", &["thanks"]),
    ("tnx", &["thanks"]),
    ("cuz", &["because"]),
    ("kinda", &["kind", "of"]),
];

/// Expands contractions, so that only one spelling has to be known.
fn spelled_out(word: &str) -> Vec<&str> {
    const ENDINGS: [(&str, &str); 6] =
        [("n't", "not"), ("'m", "am"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'d", "would")];
    /// Words after which “'s” means “is”; after others it is a possessive, as in “Anna's”.
    const IS: [&str; 10] = ["it", "that", "this", "what", "he", "she", "who", "there", "here", "where"];
    if let Some((_, words)) = SHORT_FORMS.iter().chain(&CASUAL).find(|(short, _)| *short == word) {
        return words.to_vec();
    }
    if let Some(stem) = word.strip_suffix("'s") {
        return if IS.contains(&stem) || stem.ends_with("thing") { vec![stem, "is"] } else { vec![stem] };
    }
    let ending = ENDINGS.iter().find_map(|(ending, full)| Some((word.strip_suffix(ending)?, *full)));
    match ending {
        Some((stem, full)) if !stem.is_empty() => vec![stem, full],
        _ => vec![word],
    }
}

/// Removes fenced blocks, inline code, quoted lines, and lines that can only be code or log output.
fn without_code(message: &str) -> String {
    let mut kept = String::with_capacity(message.len());
    let mut fence: Option<&str> = None;
    for line in message.lines() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
            // ```like this```
            (None, Some(mark)) if start.len() > mark.len() && start[mark.len()..].contains(mark) => {}
            (None, Some(mark)) => fence = Some(mark),
            (None, None) if quotes_a_line(start) || looks_like_code(line) => {}
            (None, None) => kept.push_str(&without_pairs(line, '`', '`')),
        }
        kept.push('\n');
    }
    kept
}

/// Returns true for `> a quoted line`, but not for `>:(`.
fn quotes_a_line(line: &str) -> bool {
    line.strip_prefix('>').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '>']))
}

/// Returns true for a line with many symbols among its letters. Short lines are exempt, as they can be emoticons.
fn looks_like_code(line: &str) -> bool {
    let all = line.chars().filter(|character| !character.is_whitespace()).count();
    let signs = line.chars().filter(|character| "{}[]()<>=;|&$#@*/\\_+~^%".contains(*character)).count();
    all >= 12 && signs * 7 > all
}

fn without_quotations(text: &str) -> String {
    let straight = without_pairs(text, '"', '"');
    let curly = without_pairs(&straight, '“', '”');
    let low = without_pairs(&curly, '„', '“');
    without_pairs(&low, '«', '»')
}

/// Removes the text between matching marks, even across lines; of an unmatched mark, only the mark is removed.
fn without_pairs(text: &str, open: char, close: char) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        let inside = &rest[start + open.len_utf8()..];
        kept.push_str(&rest[..start]);
        kept.push(' ');
        let Some(end) = inside.find(close) else {
            rest = inside;
            // Otherwise a text of opening marks only would be searched again from each of them, in quadratic time.
            kept.push_str(&rest.replace(open, " "));
            return kept;
        };
        rest = &inside[end + close.len_utf8()..];
    }
    kept.push_str(rest);
    kept
}
