/// The answer to a sum, if the request is one: `what is 12 * (3 + 4)`, `15% of 80`, `2^10`.
pub fn answer(request: &str) -> Option<String> {
    const LEADS: [&str; 7] =
        ["what is ", "what's ", "how much is ", "calculate ", "compute ", "how many is ", "solve "];
    let asked = LEADS.iter().find_map(|lead| request.strip_prefix(lead));
    let expression = asked.unwrap_or(request);
    let tokens = tokenise(&words_to_signs(expression))?;
    let operators = tokens.iter().filter(|token| matches!(token, Token::Sign(_))).count();
    // A bare `12-25` or `1/2` may be a date or a score; a bare sum shows itself by its signs.
    let plainly = asked.is_some() || tokens.iter().any(|token| matches!(token, Token::Sign('+' | '*' | '^')));
    if operators == 0 || !plainly {
        return None;
    }
    let mut parser = Parser { tokens: &tokens, place: 0, depth: 0 };
    let value = parser.sum()?;
    (parser.place == tokens.len()).then(|| say(value))
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Token {
    Number(f64),
    Sign(char),
    Open,
    Close,
}

fn words_to_signs(expression: &str) -> String {
    let signs = [
        (" divided by ", " / "),
        (" multiplied by ", " * "),
        (" to the power of ", " ^ "),
        (" plus ", " + "),
        (" minus ", " - "),
        (" times ", " * "),
        (" over ", " / "),
        ("% of ", " / 100 * "),
        (" percent of ", " / 100 * "),
    ];
    let mut text = format!(" {expression} ");
    for (words, sign) in signs {
        text = text.replace(words, sign);
    }
    text
}

fn tokenise(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        tokens.push(match first {
            '0'..='9' | '.' => {
                let end =
                    rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(rest.len());
                length = end;
                Token::Number(number(&rest[..end])?)
            }
            '+' | '-' | '/' | '^' => Token::Sign(first),
            '*' | '×' | '·' => Token::Sign('*'),
            '÷' => Token::Sign('/'),
            '−' => Token::Sign('-'),
            'x' if matches!(tokens.last(), Some(Token::Number(_) | Token::Close)) => Token::Sign('*'),
            '(' => Token::Open,
            ')' => Token::Close,
            _ => return None,
        });
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

/// `1,000` is a thousand; `1,5` could be anything, and is left to the model.
fn number(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let grouped = whole.contains(',');
    let well_formed = groups.all(|group| group.len() == 3) && (!grouped || (1..=3).contains(&first.len()));
    if !well_formed || fraction.contains(['.', ',']) {
        return None;
    }
    text.replace(',', "").parse().ok()
}

struct Parser<'a> {
    tokens: &'a [Token],
    place: usize,
    depth: u32,
}

impl Parser<'_> {
    const DEEPEST: u32 = 64;

    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.place).copied()
    }

    fn sign(&mut self, signs: &[char]) -> Option<char> {
        match self.peek() {
            Some(Token::Sign(sign)) if signs.contains(&sign) => {
                self.place += 1;
                Some(sign)
            }
            _ => None,
        }
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        while let Some(sign) = self.sign(&['+', '-']) {
            let next = self.product()?;
            value = if sign == '+' { value + next } else { value - next };
        }
        Some(value)
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.signed()?;
        while let Some(sign) = self.sign(&['*', '/']) {
            let next = self.signed()?;
            value = if sign == '*' { value * next } else { value / next };
        }
        Some(value)
    }

    fn signed(&mut self) -> Option<f64> {
        self.depth += 1;
        if self.depth > Self::DEEPEST {
            return None;
        }
        let value = match self.sign(&['+', '-']) {
            Some('-') => -self.signed()?,
            Some(_) => self.signed()?,
            None => self.power()?,
        };
        self.depth -= 1;
        Some(value)
    }

    fn power(&mut self) -> Option<f64> {
        let base = self.atom()?;
        match self.sign(&['^']) {
            Some(_) => Some(base.powf(self.signed()?)),
            None => Some(base),
        }
    }

    fn atom(&mut self) -> Option<f64> {
        let token = self.peek()?;
        self.place += 1;
        match token {
            Token::Number(value) => Some(value),
            Token::Open => {
                let value = self.sum()?;
                let closed = self.peek() == Some(Token::Close);
                self.place += 1;
                closed.then_some(value)
            }
            Token::Sign(_) | Token::Close => None,
        }
    }
}

fn say(value: f64) -> String {
    if !value.is_finite() {
        return "That has no answer: it divides by zero, or is larger than I can count.".to_owned();
    }
    // Twelve digits hide what binary fractions do to decimal ones.
    let rounded: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    if rounded != 0.0 && !(1e-9..1e15).contains(&rounded.abs()) {
        return format!("{rounded:e}");
    }
    let text = format!("{rounded}");
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if fraction.is_empty() { format!("{sign}{grouped}") } else { format!("{sign}{grouped}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_answered() {
        let cases = [
            ("what is 2 + 2", "4"),
            ("2+2", "4"),
            ("what's 12 * (3 + 4)", "84"),
            ("what is 7 times 8", "56"),
            ("what is 1/2", "0.5"),
            ("what is 10 divided by 4", "2.5"),
            ("how much is 15% of 80", "12"),
            ("15% of 80 + 0", "12"),
            ("what is 20 percent of 50", "10"),
            ("2^10", "1,024"),
            ("what is 2 ^ 3 ^ 2", "512"),
            ("calculate -3 - -4", "1"),
            ("0.1 + 0.2", "0.3"),
            ("1,000 + 1", "1,001"),
            ("999999 + 1", "1,000,000"),
            ("3 x 4 + 0", "12"),
            ("6 × 7", "42"),
            ("what is 5 minus 8", "-3"),
            ("what is 1 / 0", "That has no answer: it divides by zero, or is larger than I can count."),
            ("10^20", "1e20"),
        ];
        for (request, expected) in cases {
            assert_eq!(answer(request).as_deref(), Some(expected), "{request}");
        }
    }

    #[test]
    fn what_is_not_a_sum_goes_to_the_model() {
        let others = [
            "42",
            "what is 42",
            "2024-05-01",
            "555-1234",
            "1/2",
            "3-0",
            "what is love",
            "c++",
            "a + b",
            "what is (",
            "2 +",
            "1,5 + 1",
            "1.2.3 + 1",
            "+",
            "x + 1",
            "what is 2 2",
            "((1 + 1",
            "what is 5%",
        ];
        for request in others {
            assert_eq!(answer(request), None, "{request}");
        }
        let deep = format!("{}1{} + 1", "(".repeat(50), ")".repeat(50));
        assert!(answer(&deep).is_some());
        assert_eq!(answer(&format!("{}1 + 1", "-".repeat(100))), None);
    }
}
