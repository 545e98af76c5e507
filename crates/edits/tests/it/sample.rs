//! Random texts, and inexact quotes of them.

use crate::random::Random;

const STEPS: [&str; 3] = ["    ", "  ", "\t"];
const WORDS: [&str; 12] =
    ["alpha", "beta", "count", "value", "index", "naïve", "größe", "İx", "日本", "total", "next", "done"];
const SIGNS: [&str; 5] = ["say(“hi”)", "it’s", "a – b", "wait…", "x = \"q\""];

/// A program-like text, as lines.
pub struct SampleText {
    pub lines: Vec<String>,
    pub ending: &'static str,
    pub is_closed: bool,
}

impl SampleText {
    /// Creates a text with many repeated lines and some nearly repeated blocks.
    pub fn new(random: &mut Random) -> Self {
        let count = 4 + random.below(30);
        let step = random.pick(&STEPS);
        let mut depth = 0_usize;
        let mut lines = Vec::new();
        for number in 0..count {
            let word = random.pick(&WORDS);
            let body = match random.below(13) {
                0 => String::new(),
                1 => "}".to_owned(),
                2 => "return;".to_owned(),
                3 => format!("if {word} {{"),
                4 => random.pick(&SIGNS).to_owned(),
                5 => format!("{} // {number}", random.pick(&SIGNS)),
                6 | 7 => format!("{word}({});", random.pick(&WORDS)),
                8 => format!("{word}( {},{number} );", random.pick(&WORDS)),
                _ => format!("{word}_{number} = {}({number}, {word});", random.pick(&WORDS)),
            };
            depth = if body == "}" { depth.saturating_sub(1) } else { depth };
            let indent = if body.is_empty() { String::new() } else { step.repeat(depth) };
            let trailing = if random.one_in(12) { "  " } else { "" };
            depth += usize::from(body.ends_with('{'));
            lines.push(format!("{indent}{body}{trailing}"));
        }
        if random.one_in(4) {
            let from = random.below(count);
            let mut block = lines[from..count.min(from + 8)].to_vec();
            let changed = random.below(block.len());
            block[changed] = format!("other_{changed}();");
            lines.extend(block);
        }
        Self { lines, ending: if random.one_in(3) { "\r\n" } else { "\n" }, is_closed: !random.one_in(4) }
    }

    pub fn joined(&self) -> String {
        let mut text = self.lines.join(self.ending);
        if self.is_closed {
            text.push_str(self.ending);
        }
        text
    }
}

/// A kind of difference between the quote and the text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Noise {
    Trailing,
    Further,
    Less,
    OtherSteps,
    Typography,
    Blanks,
    Case,
    Forgotten,
    Elided,
}

impl Noise {
    const ALL: [Self; 9] = [
        Self::Trailing,
        Self::Further,
        Self::Less,
        Self::OtherSteps,
        Self::Typography,
        Self::Blanks,
        Self::Case,
        Self::Forgotten,
        Self::Elided,
    ];

    /// Returns zero, one or two random kinds.
    pub fn some(random: &mut Random) -> Vec<Self> {
        let count = random.pick(&[0, 1, 1, 1, 1, 2]);
        (0..count).map(|_| random.pick(&Self::ALL)).collect()
    }

    /// Returns the lines as an inexact quote.
    pub fn quoted(noises: &[Self], lines: &[String]) -> Vec<String> {
        let mut lines = lines.to_vec();
        for noise in noises {
            let indents = lines.iter().filter(|line| !line.trim().is_empty());
            let common = indents.map(|line| line.len() - line.trim_start_matches([' ', '\t']).len()).min();
            lines = lines.iter().map(|line| noise.quoted_line(line, common.unwrap_or(0))).collect();
        }
        lines
    }

    fn quoted_line(self, line: &str, common: usize) -> String {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let (indent, body) = line.split_at(indent);
        match self {
            Self::Trailing if line.len().is_multiple_of(2) => format!("{line} \t"),
            Self::Trailing => line.trim_end().to_owned(),
            Self::Further if !body.is_empty() => format!("      {line}"),
            Self::Less if !body.is_empty() => line[common..].to_owned(),
            Self::OtherSteps if indent.contains('\t') => format!("{}{body}", indent.replace('\t', "    ")),
            Self::OtherSteps => format!("{}{body}", indent.replace("    ", "\t").replace("  ", "\t")),
            Self::Typography => format!("{indent}{}", plain(body)),
            Self::Blanks => {
                format!("{indent}{}", body.replace(", ", ",").replace('(', "( ").replace(" = ", "  =  "))
            }
            Self::Case => line.to_uppercase(),
            Self::Further | Self::Less | Self::Forgotten | Self::Elided => line.to_owned(),
        }
    }
}

fn plain(line: &str) -> String {
    line.replace(['“', '”'], "\"").replace('’', "'").replace('–', "-").replace('…', "...")
}

/// Returns the lines without everything that a strategy may ignore.
pub fn said(text: &str) -> Vec<String> {
    let line = |line: &str| plain(line).to_lowercase().split_whitespace().collect::<String>();
    text.split('\n').map(line).collect()
}
