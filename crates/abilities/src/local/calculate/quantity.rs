use super::dimension::PhysicalDimension;
use super::error::CalculationError;
use super::number::Number;
use super::units::Unit;

/// A number with units: `5 km/h`. Without units it is a plain number.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    pub number: Number,
    pub units: Units,
    /// True if it was written with `%`, which is relative in a sum: `200 + 10%`.
    pub percent: bool,
}

/// Units with their powers, no two of the same dimension.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Units(Vec<(Unit, i8)>);

type Result<T> = std::result::Result<T, CalculationError>;

impl From<Number> for Quantity {
    fn from(number: Number) -> Self {
        Self { number, units: Units::default(), percent: false }
    }
}

impl From<Unit> for Quantity {
    fn from(unit: Unit) -> Self {
        Self { units: Units(vec![(unit, 1)]), ..Number::ONE.into() }
    }
}

impl Units {
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    pub fn dimension(&self) -> Result<PhysicalDimension> {
        let mut dimension = PhysicalDimension::NONE;
        for (unit, power) in &self.0 {
            dimension = dimension.times(unit.dimension, *power).ok_or(CalculationError::TooLarge)?;
        }
        Ok(dimension)
    }

    /// Returns the factor to base units.
    fn factor(&self) -> Result<Number> {
        self.0.iter().try_fold(Number::ONE, |product, (unit, power)| {
            product.times(unit.factor.power(i128::from(*power).into())?)
        })
    }

    /// Returns the unit if it is the only one and its zero is offset, as with °C.
    fn with_own_zero(&self) -> Option<&Unit> {
        match self.0.as_slice() {
            [(unit, 1)] if unit.has_own_zero() => Some(unit),
            _ => None,
        }
    }

    fn zero(&self) -> Number {
        self.with_own_zero().map_or(Number::ZERO, |unit| unit.zero)
    }

    pub fn in_words(&self) -> String {
        let raised = |power: u8| match power {
            1 => String::new(),
            2 => "²".to_owned(),
            3 => "³".to_owned(),
            other => format!("^{other}"),
        };
        let part = |below: bool| -> Vec<String> {
            let wanted = self.0.iter().filter(|(_, power)| (*power < 0) == below);
            wanted.map(|(unit, power)| format!("{}{}", unit.symbol, raised(power.unsigned_abs()))).collect()
        };
        match (part(false).join("·"), part(true).join("/")) {
            (above, below) if below.is_empty() => above,
            (above, below) if above.is_empty() => format!("1/{below}"),
            (above, below) => format!("{above}/{below}"),
        }
    }
}

impl Quantity {
    /// Returns the number in base units if the units cancel out: `90°` is half of pi.
    pub fn plain(&self) -> Result<Number> {
        if self.units.dimension()? != PhysicalDimension::NONE {
            return Err(CalculationError::NotPlain(self.to_string()));
        }
        self.number.times(self.units.factor()?)
    }

    pub fn negated(self) -> Self {
        Self { number: self.number.negated(), ..self }
    }

    pub fn plus(self, other: &Self) -> Result<Self> {
        if other.percent && !self.percent {
            let part = self.number.times(other.number)?;
            return Ok(Self { number: self.number.plus(part)?, ..self });
        }
        if self.units.dimension()? != other.units.dimension()? {
            return Err(CalculationError::Unlike { left: self.described()?, right: other.described()? });
        }
        // In a sum of temperatures the second one is a difference: 20 °C + 9 °F is 25 °C.
        let ratio = other.units.factor()?.divided(self.units.factor()?)?;
        let number = self.number.plus(other.number.times(ratio)?)?;
        Ok(Self { number, percent: self.percent && other.percent, units: self.units })
    }

    pub fn minus(self, other: Self) -> Result<Self> {
        self.plus(&other.negated())
    }

    pub fn times(self, other: Self) -> Result<Self> {
        self.combined(other, 1)
    }

    pub fn divided(self, other: Self) -> Result<Self> {
        self.combined(other, -1)
    }

    pub fn power(self, exponent: &Self) -> Result<Self> {
        let exponent = exponent.plain()?;
        if self.units.is_none() {
            return Ok(self.number.power(exponent)?.into());
        }
        self.refuse_own_zero()?;
        let whole = exponent.whole().and_then(|whole| i8::try_from(whole).ok());
        let whole = whole.ok_or_else(|| CalculationError::NotPlain(self.to_string()))?;
        let raise = |(unit, power): (Unit, i8)| Some((unit, power.checked_mul(whole)?));
        let units: Option<Vec<_>> = self.units.0.into_iter().map(raise).collect();
        let mut units = Units(units.ok_or(CalculationError::TooLarge)?);
        units.0.retain(|(_, power)| *power != 0);
        units.dimension()?;
        Ok(Self { number: self.number.power(exponent)?, units, percent: false })
    }

    /// Returns the square root (2) or cube root (3). The powers of the units must be divisible by the degree.
    pub fn root(self, degree: i8) -> Result<Self> {
        self.refuse_own_zero()?;
        if self.units.0.iter().any(|(_, power)| power % degree != 0) {
            return Err(CalculationError::NotPlain(self.to_string()));
        }
        let units = Units(self.units.0.iter().map(|(unit, power)| (unit.clone(), power / degree)).collect());
        Ok(Self { number: root(self.number, degree)?, units, percent: false })
    }

    /// Converts the quantity to other units.
    pub fn converted(&self, target: &Units) -> Result<Self> {
        if self.units.dimension()? != target.dimension()? {
            let target = format!("{}, which is {}", target.in_words(), target.dimension()?.in_words());
            return Err(CalculationError::Inconvertible { from: self.described()?, to: target });
        }
        let number = self.base()?.minus(target.zero())?.divided(target.factor()?)?;
        Ok(Self { number, units: target.clone(), percent: false })
    }

    pub fn is_less_than(&self, other: &Self) -> Result<bool> {
        if self.units.dimension()? != other.units.dimension()? {
            return Err(CalculationError::Unlike { left: self.described()?, right: other.described()? });
        }
        Ok(self.base()?.minus(other.base()?)?.is_negative())
    }

    /// Returns the value in base units, with the offset of a temperature scale applied.
    fn base(&self) -> Result<Number> {
        self.number.times(self.units.factor()?)?.plus(self.units.zero())
    }

    /// Splits into whole units of the first kind and the rest in the second: `5 ft 11 in`. The first non-zero part
    /// carries the sign.
    pub fn split(&self, first: &Units, second: &Units) -> Result<(Self, Self)> {
        let all = self.converted(first)?;
        let negative = all.number.is_negative();
        let size = if negative { all.clone().negated() } else { all.clone() };
        let whole = size.number.floor();
        let rest = Self { number: size.number.minus(whole)?, ..all.clone() }.converted(second)?;
        let first = Self { number: whole, ..all };
        Ok(match (negative, whole.is_zero()) {
            (true, true) => (first, rest.negated()),
            (true, false) => (first.negated(), rest),
            (false, _) => (first, rest),
        })
    }

    fn combined(self, other: Self, sign: i8) -> Result<Self> {
        self.refuse_own_zero_beside(&other)?;
        other.refuse_own_zero_beside(&self)?;
        let mut number =
            if sign > 0 { self.number.times(other.number)? } else { self.number.divided(other.number)? };
        let mut units = self.units;
        for (unit, power) in other.units.0 {
            let power = power.checked_mul(sign).ok_or(CalculationError::TooLarge)?;
            match units.0.iter_mut().find(|(known, _)| known.dimension == unit.dimension) {
                Some((known, total)) => {
                    let ratio = unit.factor.divided(known.factor)?;
                    number = number.times(ratio.power(i128::from(power).into())?)?;
                    *total = total.checked_add(power).ok_or(CalculationError::TooLarge)?;
                }
                None => units.0.push((unit, power)),
            }
        }
        units.0.retain(|(_, power)| *power != 0);
        units.dimension()?;
        Ok(Self { number, units, percent: false })
    }

    fn refuse_own_zero(&self) -> Result<()> {
        match self.units.0.iter().find(|(unit, _)| unit.has_own_zero()) {
            Some((unit, _)) => Err(CalculationError::OwnZero(unit.symbol.clone())),
            None => Ok(()),
        }
    }

    /// Refuses to multiply a unit such as °C. A number directly before it is notation, not a product.
    fn refuse_own_zero_beside(&self, other: &Self) -> Result<()> {
        let written = self.number == Number::ONE && other.units.is_none();
        if written { Ok(()) } else { self.refuse_own_zero() }
    }

    fn described(&self) -> Result<String> {
        Ok(format!("{self} is {}", self.units.dimension()?.in_words()))
    }
}

fn root(number: Number, degree: i8) -> Result<Number> {
    let value = number.to_f64();
    if degree % 2 == 0 && value < 0.0 {
        return Err(CalculationError::Undefined("a root of a negative number".into()));
    }
    let root = if degree == 2 { value.sqrt() } else { value.cbrt() };
    // A root is exact if raising it to the degree gives the number again.
    let candidate = Number::read(&format!("{root}"));
    let proves =
        |candidate: &Number| candidate.power(i128::from(degree).into()).is_ok_and(|power| power == number);
    candidate.filter(proves).map_or_else(|| Number::rough(root), Ok)
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let units = self.units.in_words();
        if units.is_empty() {
            return write!(f, "{}", self.number);
        }
        let space = if units == "°" || units == "%" { "" } else { " " };
        write!(f, "{}{space}{units}", self.number)
    }
}
