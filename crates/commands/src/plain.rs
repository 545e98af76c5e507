//! Recognizes a command line that is exactly one command of plain words.
//!
//! Every allow rule depends on this, so only a short list of characters is accepted: any character that is not known to
//! stand for itself makes the line not plain. `bash_tests.rs` compares the results with a real bash.

use crate::not_plain::NotPlain;

/// The longest accepted line, in bytes. The user cannot review a longer one.
const LONGEST: usize = 4096;

/// Words with a special meaning where the shell expects a command.
const RESERVED: &[&str] = &[
    "if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do", "done",
    "in", "function", "time", "coproc",
];

/// Returns the words of the line as the program gets them, without quotes, beginning with its name.
pub fn plain(line: &str) -> Result<Vec<String>, NotPlain> {
    if line.len() > LONGEST {
        return Err(NotPlain::TooLong);
    }
    line.chars().try_for_each(readable)?;
    let mut scan = Scan { rest: line, words: Vec::new(), word: None, before: None };
    while let Some(next) = scan.take() {
        scan.step(next)?;
    }
    scan.end_word()?;
    if scan.words.is_empty() { Err(NotPlain::Empty) } else { Ok(scan.words) }
}

/// Rejects characters that would make the displayed line differ from the real one, even in quotes.
fn readable(next: char) -> Result<(), NotPlain> {
    match next {
        '\n' => Err(NotPlain::Newline),
        _ if next.is_control() => Err(NotPlain::Control),
        _ if is_hidden(next) => Err(NotPlain::Hidden),
        _ => Ok(()),
    }
}

/// Returns true for invisible characters, marks that change the writing direction, and spaces that a shell does not
/// treat as spaces.
pub fn is_hidden(next: char) -> bool {
    let space = next != ' ' && next.is_whitespace();
    space
        || matches!(next,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202f}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{fe00}'..='\u{fe0f}' | '\u{fff0}'..='\u{fffd}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

struct Scan<'a> {
    rest: &'a str,
    words: Vec<String>,
    word: Option<Word>,
    /// The previous character, if it belongs to the same word and is not quoted.
    before: Option<char>,
}

#[derive(Default)]
struct Word {
    text: String,
    quoted: bool,
}

impl Scan<'_> {
    fn take(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn step(&mut self, next: char) -> Result<(), NotPlain> {
        let begins_line = self.words.is_empty() && self.word.is_none();
        match next {
            ' ' => self.end_word()?,
            '\'' => self.single_quotes()?,
            '"' => self.double_quotes()?,
            '\\' => match self.take() {
                // `readable` has refused control characters, so a line break cannot follow.
                Some(escaped @ ' '..='~') => self.quote(escaped),
                Some(_) => return Err(NotPlain::UnquotedUnicode),
                None => return Err(NotPlain::LineContinuation),
            },
            '!' | '{' if begins_line => return Err(NotPlain::Reserved),
            '#' if self.word.is_none() => return Err(NotPlain::Comment),
            '{' => self.braces()?,
            // `HEAD~2` is literal. Elsewhere a tilde may expand to a home folder, even inside a word that looks like an
            // assignment.
            '~' if self
                .before
                .is_some_and(|before| before.is_ascii_alphanumeric() || "^~".contains(before)) =>
            {
                self.bare(next);
            }
            // A `!` expands to an earlier line only in an interactive shell.
            _ if next.is_ascii_alphanumeric() || "_-./,:=+@%^!#".contains(next) => self.bare(next),
            _ => return Err(special(next, self.rest, self.before)),
        }
        Ok(())
    }

    /// Adds a character that stands for itself.
    fn bare(&mut self, next: char) {
        self.word.get_or_insert_default().text.push(next);
        self.before = Some(next);
    }

    fn quote(&mut self, next: char) {
        let word = self.word.get_or_insert_default();
        word.quoted = true;
        word.text.push(next);
        self.before = None;
    }

    fn single_quotes(&mut self) -> Result<(), NotPlain> {
        let (inside, after) = self.rest.split_once('\'').ok_or(NotPlain::Unbalanced)?;
        self.rest = after;
        self.begin_quoted();
        inside.chars().for_each(|next| self.quote(next));
        Ok(())
    }

    fn double_quotes(&mut self) -> Result<(), NotPlain> {
        self.begin_quoted();
        loop {
            match self.take().ok_or(NotPlain::Unbalanced)? {
                '"' => return Ok(()),
                '`' => return Err(NotPlain::CommandSubstitution),
                '$' if self.peek() == Some('(') => return Err(NotPlain::CommandSubstitution),
                '$' => return Err(NotPlain::Variable),
                '\\' => match self.peek() {
                    Some(escaped @ ('$' | '`' | '"' | '\\')) => {
                        self.take();
                        self.quote(escaped);
                    }
                    _ => self.quote('\\'),
                },
                next => self.quote(next),
            }
        }
    }

    /// Begins a quoted part. Empty quotes are a word too.
    fn begin_quoted(&mut self) {
        self.word.get_or_insert_default().quoted = true;
        self.before = None;
    }

    /// Reads literal braces such as `{}` and `stash@{1}`. Braces expand only if they contain a comma or two points.
    fn braces(&mut self) -> Result<(), NotPlain> {
        let (inside, after) = self.rest.split_once('}').ok_or(NotPlain::Brace)?;
        if self.words.is_empty() || !inside.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(NotPlain::Brace);
        }
        self.rest = after;
        self.bare('{');
        inside.chars().for_each(|next| self.bare(next));
        self.bare('}');
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), NotPlain> {
        self.before = None;
        let Some(word) = self.word.take() else { return Ok(()) };
        if self.words.is_empty() {
            is_name(&word)?;
        }
        self.words.push(word.text);
        Ok(())
    }
}

/// Checks the name of the program, with stricter rules than for other words: the name must be exactly as displayed.
fn is_name(word: &Word) -> Result<(), NotPlain> {
    let Word { text, quoted } = word;
    if *quoted {
        return Err(NotPlain::Name);
    }
    if text.contains('=') {
        return Err(NotPlain::Assignment);
    }
    if RESERVED.contains(&text.as_str()) {
        return Err(NotPlain::Reserved);
    }
    let begins = text.starts_with(|first: char| first.is_ascii_alphanumeric() || "_./".contains(first));
    let goes_on = text.chars().all(|next| next.is_ascii_alphanumeric() || "_./+-".contains(next));
    if begins && goes_on { Ok(()) } else { Err(NotPlain::Name) }
}

fn special(next: char, rest: &str, before: Option<char>) -> NotPlain {
    match (next, rest.chars().next()) {
        ('|', Some('|')) => NotPlain::Or,
        ('|', _) => NotPlain::Pipe,
        ('&', Some('&')) => NotPlain::And,
        ('&', Some('>')) => NotPlain::Redirection,
        ('&', _) => NotPlain::Background,
        (';', _) => NotPlain::Semicolon,
        ('<' | '>', Some('(')) => NotPlain::ProcessSubstitution,
        ('<', Some('<')) if rest.starts_with("<<") => NotPlain::HereString,
        ('<', Some('<')) => NotPlain::HereDocument,
        ('<' | '>', _) => NotPlain::Redirection,
        ('`', _) | ('$', Some('(')) => NotPlain::CommandSubstitution,
        ('$', Some('\'' | '"')) => NotPlain::DollarQuote,
        ('$', _) => NotPlain::Variable,
        ('*' | '?' | '[' | ']', _) => NotPlain::Glob,
        // `@(a|b)`
        ('(', _) if before.is_some_and(|before| "@+!".contains(before)) => NotPlain::Glob,
        ('(' | ')', _) => NotPlain::Parenthesis,
        ('}', _) => NotPlain::Brace,
        ('~', _) => NotPlain::Tilde,
        _ => NotPlain::UnquotedUnicode,
    }
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
