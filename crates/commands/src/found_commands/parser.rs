//! Reads a script like bash, as far as needed to find its commands.
//!
//! Nothing is rejected here: a construct that is not understood is read as commands, since a deny rule should see too
//! many commands rather than too few. It is our own parser, because a tree of `tree-sitter-bash` misses more of what
//! bash runs, without reporting an error, and needs as much code and up to several seconds on hostile lines.

use super::braces::expanded;
use super::collector::{Collector, is_variable_name};
use super::command::{Certainty, CommandWord};
use super::scanner::ScriptScanner;

/// The maximum nesting depth.
const DEEPEST: usize = 24;

/// Reserved words that are followed by a command.
const LEADING: &[&str] =
    &["if", "then", "else", "elif", "fi", "while", "until", "do", "done", "esac", "{", "}", "!", "time"];

/// Commands whose arguments set variables.
const DECLARING: &[&str] = &["export", "declare", "typeset", "local", "readonly"];

/// Collects all the commands of a script, including those in substitutions.
pub fn read(script: &str, depth: usize, collector: &mut Collector) {
    if depth > DEEPEST {
        collector.cut = true;
        return;
    }
    let before = std::mem::take(&mut collector.ambiguous);
    let mut parser = Parser::new(script, depth, collector);
    while !parser.scanner.is_at_end() {
        parser.list(None);
    }
    if std::mem::replace(&mut collector.ambiguous, before) {
        read_roughly(script, collector);
    }
}

/// Splits the script wherever a command could begin, inside and outside of quotes. Used if the quotes can be read in
/// two ways.
fn read_roughly(script: &str, collector: &mut Collector) {
    for part in script.split([';', '&', '|', '(', ')', '{', '}', '`', '\n', '"', '\'']) {
        collector.add(part.split_whitespace().map(CommandWord::exact).collect());
    }
}

/// Reads the command substitutions in a text such as a here-document.
fn read_substitutions(text: &str, depth: usize, collector: &mut Collector) {
    let mut parser = Parser::new(text, depth, collector);
    while !parser.scanner.is_at_end() {
        parser.double_quotes(None);
    }
}

/// The role of the next word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Argument,
    /// The target of a redirection.
    File,
    /// The delimiter of a here-document. `dash` means that leading tabs are ignored.
    Delimiter {
        dash: bool,
    },
    HereString,
}

struct Parser<'a> {
    scanner: ScriptScanner,
    depth: usize,
    collector: &'a mut Collector,
    word: Option<CommandWord>,
    /// True if the word has an unquoted brace.
    has_brace: bool,
    words: Vec<CommandWord>,
    role: Role,
    /// Here-documents whose text begins on the next line, each with its `dash` flag.
    announced: Vec<(String, bool)>,
    /// True if the lines after a here-document were read one by one.
    has_read_lines: bool,
    /// True if a word, and therefore a comment, may begin here.
    may_begin: bool,
    /// The number of open `case` statements: a parenthesis ends their patterns.
    cases: usize,
}

impl<'a> Parser<'a> {
    fn new(script: &str, depth: usize, collector: &'a mut Collector) -> Self {
        let scanner = ScriptScanner::new(if collector.count(script.len()) { script } else { "" });
        Self {
            scanner,
            depth,
            collector,
            word: None,
            has_brace: false,
            words: Vec::new(),
            role: Role::Argument,
            announced: Vec::new(),
            has_read_lines: false,
            may_begin: true,
            cases: 0,
        }
    }

    fn begin_word(&mut self) -> &mut CommandWord {
        self.word.get_or_insert_with(|| CommandWord::exact(""))
    }

    fn push(&mut self, next: char) {
        self.begin_word().text.push(next);
    }

    /// Marks the word as having a part that cannot be known.
    fn push_unknown(&mut self) {
        self.begin_word().certainty = Certainty::Partial;
    }

    fn push_pattern(&mut self, next: char) {
        self.push(next);
        let word = self.begin_word();
        word.certainty = word.certainty.max(Certainty::Pattern);
    }

    /// Reads commands up to the end of the text or the closing parenthesis.
    fn list(&mut self, end: Option<char>) {
        self.may_begin = true;
        while let Some(next) = self.scanner.take() {
            let could_begin = std::mem::replace(&mut self.may_begin, " \t\n;|&()<>".contains(next));
            match next {
                ' ' | '\t' | '\r' => self.end_word(),
                '\n' => {
                    self.end_command();
                    self.here_documents();
                }
                '&' if self.scanner.peek() == Some('>') => self.end_word(),
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
                    self.may_begin = true;
                }
                '<' | '>' => self.redirection(next),
                // A line continuation separates nothing.
                '\\' if self.scanner.take_if('\n') => self.may_begin = could_begin,
                '#' if could_begin => self.scanner.skip_while(|next| next != '\n'),
                '*' | '?' | '[' => self.push_pattern(next),
                _ => {
                    self.piece(next);
                    self.may_begin = false;
                }
            }
        }
        self.end_command();
        self.collector.ambiguous |= end.is_some();
    }

    /// Reads commands in parentheses, the first of which has been taken. The word that contains them continues after
    /// them.
    fn nested_list(&mut self) {
        if self.is_too_deep() {
            return;
        }
        let outer = (self.word.take(), self.has_brace, std::mem::take(&mut self.words), self.role);
        let cases = std::mem::take(&mut self.cases);
        self.role = Role::Argument;
        self.depth += 1;
        self.list(Some(')'));
        self.depth -= 1;
        self.cases = cases;
        (self.word, self.has_brace, self.words, self.role) = outer;
    }

    fn is_too_deep(&mut self) -> bool {
        self.collector.cut |= self.depth > DEEPEST;
        self.depth > DEEPEST
    }

    fn redirection(&mut self, first: char) {
        if self.scanner.take_if('(') {
            self.nested_list();
            self.push_unknown();
            self.may_begin = false;
            return;
        }
        // `2>file` and `{log}>file` name the redirected file descriptor.
        let names_it = self.word.as_ref().is_some_and(|word| {
            let inner = word.text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
            inner.is_some_and(is_variable_name) || word.text.bytes().all(|byte| byte.is_ascii_digit())
        });
        if names_it {
            self.word = None;
        }
        self.end_word();
        self.role = if first == '<' && self.scanner.take_if('<') {
            if self.scanner.take_if('<') {
                Role::HereString
            } else {
                Role::Delimiter { dash: self.scanner.take_if('-') }
            }
        } else {
            self.scanner.skip_while(|next| "<>|&".contains(next));
            Role::File
        };
    }

    /// Reads the here-documents announced on the previous line. Each may be a script, whichever program reads it.
    fn here_documents(&mut self) {
        // If the delimiter is misread, the commands after the text must not be lost, so all the following lines are
        // also read one by one.
        if !self.announced.is_empty() && !std::mem::replace(&mut self.has_read_lines, true) {
            self.scanner.rest().lines().for_each(|line| read(line, self.depth + 1, self.collector));
        }
        for (delimiter, dash) in std::mem::take(&mut self.announced) {
            let mut body = String::new();
            while !self.scanner.is_at_end() {
                let line = self.scanner.take_line();
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
        read(&text, self.depth + 1, self.collector);
        // Quotes are not special in this text, so reading it as a script may have missed a substitution inside quotes.
        read_substitutions(&text, self.depth + 1, self.collector);
        self.collector.inputs.push(text);
    }

    fn end_word(&mut self) {
        let has_brace = std::mem::take(&mut self.has_brace);
        let Some(word) = self.word.take() else { return };
        match std::mem::replace(&mut self.role, Role::Argument) {
            Role::Argument if has_brace => self.words.extend(expanded(word)),
            Role::Argument => self.words.push(word),
            Role::File => {}
            Role::Delimiter { dash } => self.announced.push((word.text, dash)),
            Role::HereString => self.input(word.text),
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.role = Role::Argument;
        let words = std::mem::take(&mut self.words);
        let mut rest = words.as_slice();
        while let Some((first, after)) = rest.split_first() {
            match first.text.as_str() {
                "for" | "select" => {
                    if let [name, _, value, ..] = after {
                        self.collector.set(&name.text, &value.text, false);
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
                text if self.collector.assign(text) => rest = after,
                text => {
                    if DECLARING.contains(&text) {
                        for word in after {
                            self.collector.assign(&word.text);
                        }
                    }
                    break;
                }
            }
        }
        self.collector.add(rest.to_vec());
    }

    /// Reads a part of a word. Its first character has been taken.
    fn piece(&mut self, next: char) {
        match next {
            '\\' => match self.scanner.take() {
                Some('\n') | None => {}
                Some(escaped) => self.push(escaped),
            },
            '\'' => self.single_quotes(),
            '"' => self.double_quotes(Some('"')),
            // The delimiter of a here-document is taken literally.
            '`' | '$' if matches!(self.role, Role::Delimiter { .. }) => self.push(next),
            '`' => self.backticks(false),
            '$' => self.dollar(false),
            _ => {
                self.has_brace |= next == '{';
                self.push(next);
            }
        }
    }

    fn single_quotes(&mut self) {
        self.begin_word();
        while let Some(next) = self.scanner.take() {
            if next == '\'' {
                return;
            }
            self.push(next);
        }
        self.collector.ambiguous = true;
    }

    fn double_quotes(&mut self, end: Option<char>) {
        self.begin_word();
        while let Some(next) = self.scanner.take() {
            match next {
                _ if Some(next) == end => return,
                '`' => self.backticks(true),
                '$' => self.dollar(true),
                '\\' => match self.scanner.take() {
                    Some('\n') | None => {}
                    Some(escaped @ ('$' | '`' | '"' | '\\')) => self.push(escaped),
                    Some(other) => {
                        self.push('\\');
                        self.push(other);
                    }
                },
                _ => self.push(next),
            }
        }
        self.collector.ambiguous |= end.is_some();
    }

    fn backticks(&mut self, quoted: bool) {
        let mut script = String::new();
        while let Some(next) = self.scanner.take().filter(|next| *next != '`') {
            match self.scanner.peek() {
                Some(escaped @ ('`' | '\\' | '$')) if next == '\\' => {
                    self.scanner.take();
                    script.push(escaped);
                }
                Some('"') if next == '\\' && quoted => {}
                _ => script.push(next),
            }
        }
        read(&script, self.depth + 1, self.collector);
        self.push_unknown();
    }

    /// Reads the expansion after a `$` that has been taken.
    fn dollar(&mut self, quoted: bool) {
        match self.scanner.peek() {
            Some('(') => {
                self.scanner.take();
                self.nested_list();
                self.push_unknown();
            }
            Some('{') => {
                self.scanner.take();
                self.parameter(quoted);
            }
            Some('\'') if !quoted => {
                self.scanner.take();
                self.begin_word();
                for character in self.scanner.take_ansi_quoted() {
                    match character {
                        Some(character) => self.push(character),
                        None => self.push_unknown(),
                    }
                }
            }
            Some('"') if !quoted => {}
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                let name = self.scanner.take_name();
                self.variable(&name, quoted);
            }
            Some(one) if one.is_ascii_digit() || "@*#?-$!".contains(one) => {
                self.scanner.take();
                self.push_unknown();
            }
            _ => self.push('$'),
        }
    }

    fn variable(&mut self, name: &str, quoted: bool) {
        match self.collector.variable(name) {
            _ if name == "IFS" && !quoted => self.end_word(),
            Some(value) => {
                for next in value.chars() {
                    if next.is_whitespace() && !quoted { self.end_word() } else { self.push(next) }
                }
                self.push_unknown();
            }
            None => self.push_unknown(),
        }
    }

    /// Reads `${name}`, `${name[index]}` or `${name:-word}`. The result is the value of the name if it is known, and otherwise may be the
    /// word.
    fn parameter(&mut self, quoted: bool) {
        let name = self.scanner.take_name();
        if self.scanner.take_if('}') {
            self.variable(&name, quoted);
            return;
        }
        self.push_unknown();
        if self.is_too_deep() {
            return;
        }
        let (before, count) = (self.word.clone(), self.words.len());
        self.depth += 1;
        if self.scanner.take_if('[') {
            while let Some(next) = self.scanner.take().filter(|next| *next != ']') {
                self.piece(next);
            }
            self.words.truncate(count);
            self.word.clone_from(&before);
        }
        self.scanner.take_if(':');
        let operator = self.scanner.peek().filter(|next| "-=+".contains(*next));
        if operator.is_some() {
            self.scanner.take();
        }
        while let Some(next) = self.scanner.take().filter(|next| *next != '}') {
            // The context decides if a quote is special here.
            self.collector.ambiguous |= quoted && matches!(next, '\'' | '"');
            match next {
                '<' | '>' if !quoted && self.scanner.take_if('(') => self.nested_list(),
                _ if operator.is_some() && !quoted && next.is_whitespace() => self.end_word(),
                _ => self.piece(next),
            }
        }
        self.depth -= 1;
        if name == "IFS" || operator.is_none() || self.collector.variable(&name).is_some() {
            self.word = before;
            self.variable(&name, quoted);
        } else {
            if let (Some('='), Some(word)) = (operator, &self.word) {
                let begin = before.map_or(0, |before| before.text.len());
                self.collector.set(&name, word.text.get(begin..).unwrap_or(&word.text), false);
            }
            self.push_unknown();
        }
    }
}
