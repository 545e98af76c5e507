//! Reads a script like bash, as far as needed to find its commands.
//!
//! Nothing is rejected here: a construct that is not understood is read as commands, since a deny rule should see too
//! many commands rather than too few.

use super::braces::unfolded;
use super::found::{Found, Known, Word};

/// The maximum nesting depth.
const DEEPEST: usize = 24;

/// Reserved words that are followed by a command.
const LEADING: &[&str] =
    &["if", "then", "else", "elif", "fi", "while", "until", "do", "done", "esac", "{", "}", "!", "time"];

/// Commands whose arguments set variables.
const DECLARING: &[&str] = &["export", "declare", "typeset", "local", "readonly"];

/// Collects all the commands of a script, including those in substitutions.
pub fn read(script: &str, depth: usize, found: &mut Found) {
    if depth > DEEPEST {
        found.cut = true;
        return;
    }
    let before = std::mem::take(&mut found.doubtful);
    let mut reader = Reader::new(script, depth, found);
    while reader.at < reader.text.len() {
        reader.list(None);
    }
    if std::mem::replace(&mut found.doubtful, before) {
        read_roughly(script, found);
    }
}

/// Splits the script wherever a command could begin, inside and outside of quotes. Used if the quotes can be read in
/// two ways.
fn read_roughly(script: &str, found: &mut Found) {
    for part in script.split([';', '&', '|', '(', ')', '{', '}', '`', '\n', '"', '\'']) {
        found.add(part.split_whitespace().map(Word::known).collect());
    }
}

/// The role of the next word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    Argument,
    /// The target of a redirection.
    File,
    /// The delimiter of a here-document. `dash` means that leading tabs are ignored.
    Delimiter {
        dash: bool,
    },
    HereString,
}

pub(super) struct Reader<'a> {
    pub(super) text: Vec<char>,
    pub(super) at: usize,
    pub(super) depth: usize,
    pub(super) found: &'a mut Found,
    pub(super) word: Option<Word>,
    /// True if the word has an unquoted brace.
    pub(super) folded: bool,
    words: Vec<Word>,
    slot: Slot,
    /// Here-documents whose text begins on the next line, each with its `dash` flag.
    awaited: Vec<(String, bool)>,
    /// True if the lines after a here-document were read one by one.
    read_lines: bool,
    /// True if a word, and therefore a comment, may begin here.
    fresh: bool,
    /// The number of open `case` statements: a parenthesis ends their patterns.
    cases: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(script: &str, depth: usize, found: &'a mut Found) -> Self {
        let text: Vec<char> = if found.spend(script.len()) { script.chars().collect() } else { Vec::new() };
        Self {
            text,
            at: 0,
            depth,
            found,
            word: None,
            folded: false,
            words: Vec::new(),
            slot: Slot::Argument,
            awaited: Vec::new(),
            read_lines: false,
            fresh: true,
            cases: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    pub(super) fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    pub(super) fn took(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }

    pub(super) fn push(&mut self, next: char) {
        self.word.get_or_insert_with(|| Word::known("")).text.push(next);
    }

    /// Marks the word as having a part that cannot be known.
    pub(super) fn push_unknown(&mut self) {
        self.word.get_or_insert_with(|| Word::known("")).known = Known::Partly;
    }

    fn push_pattern(&mut self, next: char) {
        self.push(next);
        if let Some(word) = &mut self.word {
            word.known = word.known.max(Known::Pattern);
        }
    }

    pub(super) fn is_delimiter(&self) -> bool {
        matches!(self.slot, Slot::Delimiter { .. })
    }

    /// Reads commands up to the end of the text or the closing parenthesis.
    fn list(&mut self, end: Option<char>) {
        self.fresh = true;
        while let Some(next) = self.take() {
            let was_fresh = std::mem::replace(&mut self.fresh, " \t\r\n;|&()<>".contains(next));
            match next {
                ' ' | '\t' | '\r' => self.end_word(),
                '\n' => {
                    self.end_command();
                    self.here_documents();
                }
                '&' if self.peek() == Some('>') => self.end_word(),
                ')' => {
                    self.end_command();
                    if Some(next) == end && self.cases == 0 {
                        return;
                    }
                }
                ';' | '|' | '&' => self.end_command(),
                '(' => {
                    self.end_command();
                    self.nested_list();
                    self.fresh = true;
                }
                '<' | '>' => self.redirection(next),
                // A line continuation separates nothing.
                '\\' if self.took('\n') => self.fresh = was_fresh,
                '#' if was_fresh => {
                    while self.peek().is_some_and(|next| next != '\n') {
                        self.at += 1;
                    }
                }
                '*' | '?' | '[' => self.push_pattern(next),
                _ => {
                    self.piece(next);
                    self.fresh = false;
                }
            }
        }
        self.end_command();
        self.found.doubtful |= end.is_some();
    }

    /// Reads commands in parentheses, the first of which has been taken. The word that contains them continues after
    /// them.
    pub(super) fn nested_list(&mut self) {
        if self.is_too_deep() {
            return;
        }
        let outer = (self.word.take(), self.folded, std::mem::take(&mut self.words), self.slot);
        let cases = std::mem::take(&mut self.cases);
        self.slot = Slot::Argument;
        self.depth += 1;
        self.list(Some(')'));
        self.depth -= 1;
        self.cases = cases;
        (self.word, self.folded, self.words, self.slot) = outer;
    }

    pub(super) fn is_too_deep(&mut self) -> bool {
        self.found.cut |= self.depth > DEEPEST;
        self.depth > DEEPEST
    }

    fn redirection(&mut self, first: char) {
        if self.took('(') {
            self.nested_list();
            self.push_unknown();
            self.fresh = false;
            return;
        }
        // `2>file` and `{log}>file` name the redirected file descriptor.
        let names_it = self.word.as_ref().is_some_and(|word| {
            let inner = word.text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
            inner.is_some_and(is_name) || word.text.bytes().all(|byte| byte.is_ascii_digit())
        });
        if names_it {
            self.word = None;
        }
        self.end_word();
        self.slot = if first == '<' && self.took('<') {
            if self.took('<') { Slot::HereString } else { Slot::Delimiter { dash: self.took('-') } }
        } else {
            while self.peek().is_some_and(|next| "<>|&".contains(next)) {
                self.at += 1;
            }
            Slot::File
        };
    }

    /// Reads the here-documents announced on the previous line. Each may be a script, whichever program reads it.
    fn here_documents(&mut self) {
        // If the delimiter is misread, the commands after the text must not be lost, so all the following lines are
        // also read one by one.
        if !self.awaited.is_empty() && !std::mem::replace(&mut self.read_lines, true) {
            let rest: String = self.text[self.at..].iter().collect();
            rest.lines().for_each(|line| read(line, self.depth + 1, self.found));
        }
        for (delimiter, dash) in std::mem::take(&mut self.awaited) {
            let mut body = String::new();
            while self.at < self.text.len() {
                let end = self.text[self.at..].iter().position(|next| *next == '\n');
                let end = end.map_or(self.text.len(), |length| self.at + length);
                let line: String = self.text[self.at..end].iter().collect();
                self.at = (end + 1).min(self.text.len());
                let bare = if dash { line.trim_start_matches('\t') } else { &line };
                if bare == delimiter {
                    break;
                }
                body.push_str(bare);
                body.push('\n');
            }
            self.input(body);
        }
    }

    fn input(&mut self, text: String) {
        read(&text, self.depth + 1, self.found);
        // Quotes are not special in this text, so reading it as a script may have missed a substitution inside quotes.
        super::expansion::read_substitutions(&text, self.depth + 1, self.found);
        self.found.inputs.push(text);
    }

    pub(super) fn end_word(&mut self) {
        let folded = std::mem::take(&mut self.folded);
        let Some(word) = self.word.take() else { return };
        match std::mem::replace(&mut self.slot, Slot::Argument) {
            Slot::Argument if folded => self.words.extend(unfolded(word)),
            Slot::Argument => self.words.push(word),
            Slot::File => {}
            Slot::Delimiter { dash } => self.awaited.push((word.text, dash)),
            Slot::HereString => self.input(word.text),
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.slot = Slot::Argument;
        let words = std::mem::take(&mut self.words);
        let mut rest = words.as_slice();
        while let Some((first, after)) = rest.split_first() {
            match first.text.as_str() {
                "for" | "select" => {
                    if let [name, _, value, ..] = after {
                        self.found.set(&name.text, &value.text, false);
                    }
                    return;
                }
                // The first pattern of the `case` stands before the parenthesis that ended this command.
                "case" => {
                    self.cases += 1;
                    return;
                }
                "function" => rest = after.get(1..).unwrap_or_default(),
                leading if LEADING.contains(&leading) => {
                    self.cases = self.cases.saturating_sub(usize::from(leading == "esac"));
                    // `time -p`
                    let option = after.first().is_some_and(|word| word.text == "-p");
                    rest = &after[usize::from(leading == "time" && option)..];
                }
                text if self.assign(text) => rest = after,
                text => {
                    if DECLARING.contains(&text) {
                        for word in after {
                            self.assign(&word.text);
                        }
                    }
                    break;
                }
            }
        }
        self.found.add(rest.to_vec());
    }

    /// Stores the variable of `name=value`, `name+=value` or `name[2]=value`. Returns true if the text is an
    /// assignment.
    fn assign(&mut self, text: &str) -> bool {
        let Some((name, value)) = text.split_once('=') else { return false };
        let (name, appends) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
        let name = name.split_once('[').map_or(name, |(name, _)| name);
        if is_name(name) {
            self.found.set(name, value, appends);
        }
        is_name(name)
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
