use super::error::CalculationError;
use super::number::Number;

#[derive(Debug, Clone, PartialEq)]
pub enum ExpressionToken {
    Number(Number),
    /// The name of a unit, function or constant, as written.
    Word(String),
    Operator(Operator),
    Open,
    Close,
    Comma,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Percent,
    Factorial,
    Modulo,
    /// The percentage operator of `15% of 80`.
    Of,
    /// The discount operator of `20% off 50`.
    Off,
    /// The conversion operator, before the target unit.
    Into,
}

/// The most tokens of an expression, more than any real one has.
const MOST_TOKENS: usize = 400;

pub fn tokens(text: &str) -> Result<Vec<ExpressionToken>, CalculationError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if tokens.len() > MOST_TOKENS {
            return Err(CalculationError::TooLong);
        }
        let unreadable = || CalculationError::Unreadable(rest.chars().take(20).collect());
        let length = match first {
            '0'..='9' | '.' => {
                let length = number_length(rest);
                let number = number(&rest[..length]).ok_or_else(unreadable)?;
                tokens.push(ExpressionToken::Number(number));
                length
            }
            'x' | 'X' if is_times(&tokens, rest) => {
                tokens.push(ExpressionToken::Operator(Operator::Times));
                1
            }
            '°' => {
                let end = if rest[2..].starts_with(['C', 'c', 'F', 'f']) { 3 } else { 2 };
                tokens.push(ExpressionToken::Word(rest[..end].to_owned()));
                end
            }
            _ if first.is_alphabetic() || "_%'\"′″’”".contains(first) && first != '%' => {
                let word = word(rest);
                tokens.push(ExpressionToken::Word(feet_and_inches(word).to_owned()));
                word.len()
            }
            _ => sign(rest, &mut tokens).ok_or_else(unreadable)?,
        };
        rest = rest[length..].trim_start();
    }
    Ok(with_words_as_signs(&tokens))
}

fn number_length(text: &str) -> usize {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let plain = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(text.len());
    // A trailing comma does not belong to the number: `max(1, 2)`.
    let plain = text[..plain].trim_end_matches(',').len();
    let Some(rest) = text[plain..].strip_prefix(['e', 'E']) else { return plain };
    let signed = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    match digits(signed) {
        0 => plain,
        length => plain + 1 + (rest.len() - signed.len()) + length,
    }
}

/// Parses a number. `1,000` is a thousand; `1,5` is ambiguous and refused.
fn number(text: &str) -> Option<Number> {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let grouped = whole.contains(',');
    let well_formed = groups.all(|group| group.len() == 3) && (!grouped || (1..=3).contains(&first.len()));
    if !well_formed || fraction.contains(['.', ',']) || digits == "." || exponent.len() > 5 {
        return None;
    }
    Number::read(&text.replace(',', ""))
}

/// Returns true if the `x` is a multiplication sign: `3x4`, `3 x 4`.
fn is_times(before: &[ExpressionToken], rest: &str) -> bool {
    let after = rest[1..].trim_start().chars().next();
    matches!(
        before.last(),
        Some(ExpressionToken::Number(_) | ExpressionToken::Close | ExpressionToken::Word(_))
    ) && after.is_some_and(|next| next.is_ascii_digit() || "(.-√".contains(next))
}

fn word(text: &str) -> &str {
    let single = text.chars().next().filter(|first| "'\"′″’”".contains(*first));
    if let Some(quote) = single {
        return &text[..quote.len_utf8()];
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' || "²³".contains(c)).unwrap_or(text.len());
    &text[..end]
}

fn feet_and_inches(word: &str) -> &str {
    match word {
        "'" | "′" | "’" => "ft",
        "\"" | "″" | "”" => "inch",
        other => other,
    }
}

fn sign(rest: &str, tokens: &mut Vec<ExpressionToken>) -> Option<usize> {
    let signs: [(&str, &[ExpressionToken]); 22] = [
        ("**", &[ExpressionToken::Operator(Operator::Power)]),
        ("->", &[ExpressionToken::Operator(Operator::Into)]),
        ("→", &[ExpressionToken::Operator(Operator::Into)]),
        ("+", &[ExpressionToken::Operator(Operator::Plus)]),
        ("-", &[ExpressionToken::Operator(Operator::Minus)]),
        ("−", &[ExpressionToken::Operator(Operator::Minus)]),
        ("–", &[ExpressionToken::Operator(Operator::Minus)]),
        ("*", &[ExpressionToken::Operator(Operator::Times)]),
        ("×", &[ExpressionToken::Operator(Operator::Times)]),
        ("·", &[ExpressionToken::Operator(Operator::Times)]),
        ("⋅", &[ExpressionToken::Operator(Operator::Times)]),
        ("/", &[ExpressionToken::Operator(Operator::Over)]),
        ("÷", &[ExpressionToken::Operator(Operator::Over)]),
        ("^", &[ExpressionToken::Operator(Operator::Power)]),
        ("!", &[ExpressionToken::Operator(Operator::Factorial)]),
        ("%", &[ExpressionToken::Operator(Operator::Percent)]),
        ("(", &[ExpressionToken::Open]),
        (")", &[ExpressionToken::Close]),
        (",", &[ExpressionToken::Comma]),
        (";", &[ExpressionToken::Comma]),
        ("²", &[ExpressionToken::Operator(Operator::Power)]),
        ("³", &[ExpressionToken::Operator(Operator::Power)]),
    ];
    if let Some(root) = rest.strip_prefix('√') {
        tokens.push(ExpressionToken::Word("sqrt".into()));
        return Some(rest.len() - root.len());
    }
    let (text, means) = signs.iter().find(|(text, _)| rest.starts_with(text))?;
    tokens.extend_from_slice(means);
    match *text {
        "²" => tokens.push(ExpressionToken::Number(2.into())),
        "³" => tokens.push(ExpressionToken::Number(3.into())),
        _ => {}
    }
    Some(text.len())
}

/// Replaces phrases such as `divided by` with operators.
fn with_words_as_signs(tokens: &[ExpressionToken]) -> Vec<ExpressionToken> {
    const PHRASES: [(&[&str], Operator); 17] = [
        (&["to", "the", "power", "of"], Operator::Power),
        (&["divided", "by"], Operator::Over),
        (&["multiplied", "by"], Operator::Times),
        (&["plus"], Operator::Plus),
        (&["minus"], Operator::Minus),
        (&["times"], Operator::Times),
        (&["over"], Operator::Over),
        (&["per"], Operator::Over),
        (&["modulo"], Operator::Modulo),
        (&["mod"], Operator::Modulo),
        (&["percent"], Operator::Percent),
        (&["off"], Operator::Off),
        (&["of"], Operator::Of),
        (&["into"], Operator::Into),
        (&["to"], Operator::Into),
        (&["as"], Operator::Into),
        (&["equals"], Operator::Into),
    ];
    let says = |at: usize, word: &str| matches!(tokens.get(at), Some(ExpressionToken::Word(found)) if found.eq_ignore_ascii_case(word));
    let mut read = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let phrase = PHRASES
            .iter()
            .find(|(words, _)| words.iter().enumerate().all(|(place, word)| says(at + place, word)));
        match phrase {
            Some((words, sign)) => {
                read.push(ExpressionToken::Operator(*sign));
                at += words.len();
                continue;
            }
            None if says(at, "squared") => {
                read.extend([ExpressionToken::Operator(Operator::Power), ExpressionToken::Number(2.into())]);
            }
            None if says(at, "cubed") => {
                read.extend([ExpressionToken::Operator(Operator::Power), ExpressionToken::Number(3.into())]);
            }
            None => read.push(token.clone()),
        }
        at += 1;
    }
    read
}
