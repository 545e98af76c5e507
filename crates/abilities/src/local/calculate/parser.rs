use super::error::CalculationError;
use super::functions;
use super::number::Number;
use super::quantity::{Quantity, Units};
use super::tokens::{ExpressionToken, Operator};
use super::units;

type Result<T> = std::result::Result<T, CalculationError>;

/// A recursive descent parser that evaluates the expression as it reads.
pub struct ExpressionParser<'a> {
    tokens: &'a [ExpressionToken],
    place: usize,
    depth: u32,
    /// The number of operations performed.
    pub operations: usize,
}

/// The value of the expression.
pub enum ParsedValue {
    One(Quantity),
    /// A value split in two, as in `5 ft 11 in`.
    Two(Quantity, Quantity),
}

impl<'a> ExpressionParser<'a> {
    const DEEPEST: u32 = 128;

    pub fn new(tokens: &'a [ExpressionToken]) -> Self {
        Self { tokens, place: 0, depth: 0, operations: 0 }
    }

    pub fn outcome(&mut self) -> Result<ParsedValue> {
        let value = self.sum()?;
        if !self.takes_into() {
            self.end()?;
            return Ok(ParsedValue::One(value));
        }
        let first = self.target()?;
        let outcome = if self.takes_word("and") {
            let second = self.target()?;
            let (whole, rest) = value.split(&first, &second)?;
            ParsedValue::Two(whole, rest)
        } else {
            ParsedValue::One(value.converted(&first)?)
        };
        self.end()?;
        Ok(outcome)
    }

    fn peek(&self) -> Option<&'a ExpressionToken> {
        self.tokens.get(self.place)
    }

    fn peek_word(&self, ahead: usize) -> Option<&'a str> {
        match self.tokens.get(self.place + ahead) {
            Some(ExpressionToken::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn takes(&mut self, sign: Operator) -> bool {
        let found = self.peek() == Some(&ExpressionToken::Operator(sign));
        self.place += usize::from(found);
        found
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let found = self.peek_word(0).is_some_and(|found| found.eq_ignore_ascii_case(word));
        self.place += usize::from(found);
        found
    }

    fn takes_into(&mut self) -> bool {
        let found = self.takes(Operator::Into) || self.takes_word("in");
        self.operations += usize::from(found);
        found
    }

    fn end(&self) -> Result<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unreadable()) }
    }

    fn unreadable(&self) -> CalculationError {
        match self.peek() {
            Some(ExpressionToken::Word(word)) => unknown(word),
            Some(ExpressionToken::Number(number)) => CalculationError::Unreadable(number.to_string()),
            Some(
                ExpressionToken::Operator(_)
                | ExpressionToken::Open
                | ExpressionToken::Close
                | ExpressionToken::Comma,
            ) => CalculationError::Misplaced,
            None => CalculationError::Unfinished,
        }
    }

    fn sum(&mut self) -> Result<Quantity> {
        let mut value = self.product()?;
        loop {
            let adds = self.takes(Operator::Plus);
            if !adds && !self.takes(Operator::Minus) {
                return Ok(value);
            }
            self.operations += 1;
            let next = self.product()?;
            value = if adds { value.plus(&next)? } else { value.minus(next)? };
        }
    }

    fn product(&mut self) -> Result<Quantity> {
        let mut value = self.signed()?;
        loop {
            let Some(ExpressionToken::Operator(sign)) = self.peek() else { return Ok(value) };
            if !matches!(
                sign,
                Operator::Times
                    | Operator::Over
                    | Operator::Modulo
                    | Operator::Percent
                    | Operator::Of
                    | Operator::Off
            ) {
                return Ok(value);
            }
            self.place += 1;
            self.operations += 1;
            value = match sign {
                Operator::Over => self.over(value)?,
                Operator::Modulo | Operator::Percent => {
                    value.plain()?.modulo(self.signed()?.plain()?)?.into()
                }
                Operator::Off => {
                    let rest = Number::ONE.minus(value.plain()?)?;
                    Quantity::from(rest).times(self.signed()?)?
                }
                _ => value.times(self.signed()?)?,
            };
        }
    }

    /// Divides. `1/2 cup` is half a cup, whereas `60 km / 2 h` divides by two hours.
    fn over(&mut self, value: Quantity) -> Result<Quantity> {
        let number = match self.peek() {
            Some(ExpressionToken::Number(number)) if value.units.is_none() => *number,
            _ => return value.divided(self.signed()?),
        };
        let begin = self.place;
        self.place += 1;
        if let Some(unit) = self.unit()? {
            let unit = self.raised(unit)?;
            return Quantity::from(value.number.divided(number)?).times(unit);
        }
        self.place = begin;
        value.divided(self.signed()?)
    }

    fn signed(&mut self) -> Result<Quantity> {
        self.deeper(|parser| {
            if parser.takes(Operator::Minus) {
                return parser.signed().map(Quantity::negated);
            }
            parser.takes(Operator::Plus);
            parser.beside_each_other()
        })
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > Self::DEEPEST {
            return Err(CalculationError::TooDeep);
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Parses juxtaposed values: `2 pi`, `3 (4 + 5)`, `3 h 20 min`, `1 1/2 cups`.
    fn beside_each_other(&mut self) -> Result<Quantity> {
        let mut value = self.power()?;
        value = self.mixed_fraction(value)?;
        loop {
            let next = match self.peek() {
                Some(ExpressionToken::Number(_)) if !value.units.is_none() => {
                    let more = self.deeper(Self::number_of_units)?;
                    self.operations += 1;
                    value =
                        if value.number.is_negative() { value.minus(more)? } else { value.plus(&more)? };
                    continue;
                }
                Some(ExpressionToken::Open) => self.power()?,
                Some(ExpressionToken::Word(_)) if self.begins_factor(&value) => self.power()?,
                _ => return Ok(value),
            };
            // Attaching a unit to a number is no operation.
            self.operations += usize::from(next.units.is_none());
            value = value.times(next)?;
        }
    }

    /// Parses the second part of `3 h 20 min`, which must have a unit.
    fn number_of_units(&mut self) -> Result<Quantity> {
        let begin = self.place;
        let number = self.power()?;
        match self.unit()? {
            Some(unit) if number.units.is_none() => number.times(self.raised(unit)?),
            _ => {
                self.place = begin;
                Err(self.unreadable())
            }
        }
    }

    fn mixed_fraction(&mut self, whole: Quantity) -> Result<Quantity> {
        let is_whole = |token: Option<&ExpressionToken>| match token {
            Some(ExpressionToken::Number(number)) => number.whole().filter(|whole| *whole > 0),
            _ => None,
        };
        let after = &self.tokens[self.place.min(self.tokens.len())..];
        let (Some(top), Some(ExpressionToken::Operator(Operator::Over)), Some(bottom)) =
            (is_whole(after.first()), after.get(1), is_whole(after.get(2)))
        else {
            return Ok(whole);
        };
        if whole.units.is_none() && whole.number.whole().is_some() && top < bottom {
            self.place += 3;
            let part = Number::from(top).divided(bottom.into())?;
            return whole.plus(&part.into());
        }
        Ok(whole)
    }

    /// Returns true if the word after a value is a factor rather than the start of a conversion.
    fn begins_factor(&self, value: &Quantity) -> bool {
        match self.peek_word(0) {
            Some(word) if word.eq_ignore_ascii_case("in") => {
                // A plain number can only be converted to percent, so `in` means inches here.
                value.units.is_none()
                    && !matches!(
                        self.tokens.get(self.place + 1),
                        Some(ExpressionToken::Operator(Operator::Percent))
                    )
            }
            Some(word) if word.eq_ignore_ascii_case("and") => false,
            found => found.is_some(),
        }
    }

    fn power(&mut self) -> Result<Quantity> {
        let base = self.marked()?;
        self.raised(base)
    }

    fn raised(&mut self, base: Quantity) -> Result<Quantity> {
        if !self.takes(Operator::Power) {
            return Ok(base);
        }
        self.operations += 1;
        let exponent = self.deeper(Self::exponent)?;
        base.power(&exponent)
    }

    fn exponent(&mut self) -> Result<Quantity> {
        if self.takes(Operator::Minus) {
            return self.deeper(Self::exponent).map(Quantity::negated);
        }
        self.power()
    }

    /// Parses a value followed by `!` or `%`. A `%` before another number is the remainder operator.
    fn marked(&mut self) -> Result<Quantity> {
        let mut value = self.atom()?;
        loop {
            if self.takes(Operator::Factorial) {
                self.operations += 1;
                value = functions::factorial(value.plain()?)?;
                continue;
            }
            let next = self.tokens.get(self.place + 1);
            let divides = matches!(next, Some(ExpressionToken::Number(_) | ExpressionToken::Open));
            if self.peek() != Some(&ExpressionToken::Operator(Operator::Percent)) || divides {
                return Ok(value);
            }
            self.place += 1;
            self.operations += 1;
            value = Quantity { percent: true, ..value.plain()?.divided(100.into())?.into() };
        }
    }

    fn atom(&mut self) -> Result<Quantity> {
        match self.peek() {
            Some(ExpressionToken::Number(number)) => {
                self.place += 1;
                Ok((*number).into())
            }
            Some(ExpressionToken::Open) => {
                self.place += 1;
                let value = self.deeper(Self::sum)?;
                self.closed()?;
                Ok(value)
            }
            Some(ExpressionToken::Word(word)) => self.named(word),
            _ => Err(self.unreadable()),
        }
    }

    fn closed(&mut self) -> Result<()> {
        if self.peek() == Some(&ExpressionToken::Close) {
            self.place += 1;
            return Ok(());
        }
        Err(self.unreadable())
    }

    fn named(&mut self, word: &str) -> Result<Quantity> {
        let folded = word.to_lowercase();
        let follows = self.tokens.get(self.place + 1);
        // `min` is a function before a bracket, and minutes elsewhere.
        if functions::is_function(&folded)
            && (follows == Some(&ExpressionToken::Open) || units::find(word).is_none())
        {
            self.place += 1;
            self.operations += 1;
            let arguments = self.deeper(Self::arguments)?;
            return functions::call(&folded, arguments);
        }
        if let Some(constant) = functions::constant(&folded) {
            self.place += 1;
            return Ok(constant.into());
        }
        match self.unit()? {
            Some(unit) => Ok(unit),
            None => Err(self.unreadable()),
        }
    }

    /// Parses arguments in brackets, or a single one without: `sqrt 16`, `sqrt of 16`.
    fn arguments(&mut self) -> Result<Vec<Quantity>> {
        self.takes(Operator::Of);
        if self.peek() != Some(&ExpressionToken::Open) {
            return Ok(vec![self.power()?]);
        }
        self.place += 1;
        let mut arguments = vec![self.sum()?];
        while self.peek() == Some(&ExpressionToken::Comma) {
            self.place += 1;
            arguments.push(self.sum()?);
        }
        self.closed()?;
        Ok(arguments)
    }

    /// Parses a unit, if there is one at this position: `km`, `fl oz`, `square metres`, `m2`.
    fn unit(&mut self) -> Result<Option<Quantity>> {
        let Some(word) = self.peek_word(0) else { return Ok(None) };
        let after = self.peek_word(1);
        if let Some(unit) = after.and_then(|after| units::find(&format!("{word} {after}"))) {
            self.place += 2;
            return Ok(Some(unit.into()));
        }
        let power = match word.to_lowercase().as_str() {
            "square" | "sq" => Some(2),
            "cubic" | "cu" => Some(3),
            _ => None,
        };
        if let (Some(power), Some(unit)) = (power, after.and_then(units::find)) {
            self.place += 2;
            return Quantity::from(unit).power(&Number::from(power).into()).map(Some);
        }
        if let Some(unit) = units::find(word) {
            self.place += 1;
            return Ok(Some(unit.into()));
        }
        for (digit, power) in [('2', 2), ('3', 3)] {
            if let Some(unit) = word.strip_suffix(digit).and_then(units::find) {
                self.place += 1;
                return Quantity::from(unit).power(&Number::from(power).into()).map(Some);
            }
        }
        Ok(None)
    }

    /// Parses the target units of a conversion: `mph`, `m/s^2`, `kg * m`.
    fn target(&mut self) -> Result<Units> {
        if self.takes(Operator::Percent) {
            return Ok(units::find("%").map_or(Number::ONE.into(), Quantity::from).units);
        }
        let mut wanted = self.target_part()?;
        loop {
            if self.takes(Operator::Over) {
                wanted = wanted.divided(self.target_part()?)?;
            } else if self.takes(Operator::Times) {
                wanted = wanted.times(self.target_part()?)?;
            } else {
                return Ok(wanted.units);
            }
        }
    }

    fn target_part(&mut self) -> Result<Quantity> {
        match self.unit()? {
            Some(unit) => self.raised(unit),
            None => Err(self.unreadable()),
        }
    }
}

fn unknown(word: &str) -> CalculationError {
    let folded = word.to_lowercase();
    let nearest = units::names()
        .chain(functions::NAMES)
        .map(|name| (strsim::osa_distance(&folded, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= usize::max(1, name.len() / 4) && name.len() > 2)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name.to_owned());
    CalculationError::UnknownName { name: word.chars().take(40).collect(), nearest }
}
