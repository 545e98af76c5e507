use std::fmt;

use super::error::CalculationError;

/// A number: an exact fraction as long as possible, so that `0.1 + 0.2` is `0.3`, otherwise a floating-point number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    Exact(Ratio),
    /// Always finite.
    Rough(f64),
}

/// A fraction in lowest terms with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    top: i128,
    bottom: i128,
}

/// The significant digits shown of an inexact number; more would reveal binary rounding errors.
const SHOWN_DIGITS: usize = 12;
/// The most decimal places shown of an exact number.
const MOST_PLACES: u32 = 15;
/// The limit above which whole numbers are shown with an exponent.
const LARGEST_WRITTEN: u128 = 10_u128.pow(30);
const LARGEST_EXPONENT: u128 = 4096;

impl Ratio {
    fn new(top: i128, bottom: i128) -> Option<Self> {
        let divisor = i128::try_from(gcd(top.unsigned_abs(), bottom.unsigned_abs())).ok()?;
        if bottom == 0 || divisor == 0 {
            return None;
        }
        let sign = if bottom < 0 { -1 } else { 1 };
        Some(Self { top: (top / divisor).checked_mul(sign)?, bottom: (bottom / divisor).checked_mul(sign)? })
    }

    fn sum(self, other: Self) -> Option<Self> {
        let left = self.top.checked_mul(other.bottom)?;
        let right = other.top.checked_mul(self.bottom)?;
        Self::new(left.checked_add(right)?, self.bottom.checked_mul(other.bottom)?)
    }

    fn product(self, other: Self) -> Option<Self> {
        // Cross-reduced first, so that fewer products overflow.
        let (left, right) = (Self::new(self.top, other.bottom)?, Self::new(other.top, self.bottom)?);
        Self::new(left.top.checked_mul(right.top)?, left.bottom.checked_mul(right.bottom)?)
    }

    fn inverse(self) -> Option<Self> {
        Self::new(self.bottom, self.top)
    }

    fn power(self, exponent: u32) -> Option<Self> {
        Some(Self { top: self.top.checked_pow(exponent)?, bottom: self.bottom.checked_pow(exponent)? })
    }

    #[allow(clippy::cast_precision_loss, reason = "more digits than these are not shown")]
    fn to_f64(self) -> f64 {
        self.top as f64 / self.bottom as f64
    }

    /// Returns the digits and the number of decimal places, if the fraction is a short terminating decimal.
    fn decimal(self) -> Option<(i128, u32)> {
        let (mut rest, mut twos, mut fives) = (self.bottom, 0, 0);
        while rest % 2 == 0 {
            rest /= 2;
            twos += 1;
        }
        while rest % 5 == 0 {
            rest /= 5;
            fives += 1;
        }
        let places = u32::max(twos, fives);
        if rest != 1 || places > MOST_PLACES {
            return None;
        }
        let digits = self.top.checked_mul(10_i128.pow(places) / self.bottom)?;
        (digits.unsigned_abs() < LARGEST_WRITTEN).then_some((digits, places))
    }
}

pub(super) fn gcd(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

impl From<i128> for Number {
    fn from(whole: i128) -> Self {
        Self::Exact(Ratio { top: whole, bottom: 1 })
    }
}

impl Number {
    pub const ZERO: Self = Self::Exact(Ratio { top: 0, bottom: 1 });
    pub const ONE: Self = Self::Exact(Ratio { top: 1, bottom: 1 });

    /// Parses a decimal such as `12.5e-3`, or a fraction of two of them.
    pub fn read(text: &str) -> Option<Self> {
        if let Some((top, bottom)) = text.split_once('/') {
            return Self::read(top)?.divided(Self::read(bottom)?).ok();
        }
        match exact_decimal(text) {
            Some(ratio) => Some(Self::Exact(ratio)),
            None => Self::rough(text.parse().ok()?).ok(),
        }
    }

    pub fn rough(value: f64) -> Result<Self, CalculationError> {
        match value {
            _ if value.is_nan() => Err(CalculationError::Undefined("that".into())),
            _ if value.is_infinite() => Err(CalculationError::TooLarge),
            _ => Ok(Self::Rough(value)),
        }
    }

    pub fn to_f64(self) -> f64 {
        match self {
            Self::Exact(ratio) => ratio.to_f64(),
            Self::Rough(value) => value,
        }
    }

    /// Returns the value if it is an exact whole number.
    pub fn whole(self) -> Option<i128> {
        match self {
            Self::Exact(Ratio { top, bottom: 1 }) => Some(top),
            _ => None,
        }
    }

    pub fn is_zero(self) -> bool {
        self.to_f64() == 0.0
    }

    pub fn is_negative(self) -> bool {
        self.to_f64() < 0.0
    }

    pub fn plus(self, other: Self) -> Result<Self, CalculationError> {
        self.exactly_or(other, Ratio::sum, |left, right| left + right)
    }

    pub fn minus(self, other: Self) -> Result<Self, CalculationError> {
        self.plus(other.negated())
    }

    pub fn times(self, other: Self) -> Result<Self, CalculationError> {
        self.exactly_or(other, Ratio::product, |left, right| left * right)
    }

    pub fn divided(self, other: Self) -> Result<Self, CalculationError> {
        if other.is_zero() {
            return Err(CalculationError::DivisionByZero);
        }
        let exactly = |left: Ratio, right: Ratio| left.product(right.inverse()?);
        self.exactly_or(other, exactly, |left, right| left / right)
    }

    /// Returns the remainder of the division, with the sign of the divisor.
    pub fn modulo(self, other: Self) -> Result<Self, CalculationError> {
        let times = self.divided(other)?.floor();
        self.minus(times.times(other)?)
    }

    pub fn negated(self) -> Self {
        match self {
            Self::Exact(Ratio { top, bottom }) => match top.checked_neg() {
                Some(top) => Self::Exact(Ratio { top, bottom }),
                None => Self::Rough(-self.to_f64()),
            },
            Self::Rough(value) => Self::Rough(-value),
        }
    }

    pub fn power(self, exponent: Self) -> Result<Self, CalculationError> {
        if self.is_zero() && exponent.is_negative() {
            return Err(CalculationError::DivisionByZero);
        }
        let whole = exponent.whole().filter(|whole| whole.unsigned_abs() <= LARGEST_EXPONENT);
        if let (Self::Exact(ratio), Some(whole)) = (self, whole)
            && let Ok(times) = u32::try_from(whole.unsigned_abs())
            && let Some(power) = ratio.power(times)
            && let Some(power) = if whole < 0 { power.inverse() } else { Some(power) }
        {
            return Ok(Self::Exact(power));
        }
        if self.is_negative() && exponent.to_f64().fract() != 0.0 {
            return Err(CalculationError::Undefined("a root of a negative number".into()));
        }
        Self::rough(self.to_f64().powf(exponent.to_f64()))
    }

    pub fn floor(self) -> Self {
        match self {
            Self::Exact(Ratio { top, bottom }) => top.div_euclid(bottom).into(),
            Self::Rough(value) => Self::Rough(value.floor()),
        }
    }

    /// Rounds to the nearest whole number, halves away from zero.
    pub fn round(self) -> Self {
        let half = Self::Exact(Ratio { top: 1, bottom: 2 });
        match self {
            _ if self.is_negative() => self.negated().round().negated(),
            Self::Exact(_) => self.plus(half).map_or(self, Self::floor),
            Self::Rough(value) => Self::Rough(value.round()),
        }
    }

    /// Returns true if the displayed text is the exact value.
    pub fn is_shown_whole(self) -> bool {
        match self {
            Self::Exact(ratio) => ratio.decimal().is_some_and(|_| !self.wants_exponent()),
            Self::Rough(_) => false,
        }
    }

    fn wants_exponent(self) -> bool {
        let size = self.to_f64().abs();
        let largest = if self.whole().is_some() { 1e30 } else { 1e15 };
        size != 0.0 && !(1e-9..largest).contains(&size)
    }

    fn exactly_or(
        self,
        other: Self,
        exactly: impl Fn(Ratio, Ratio) -> Option<Ratio>,
        roughly: impl Fn(f64, f64) -> f64,
    ) -> Result<Self, CalculationError> {
        if let (Self::Exact(left), Self::Exact(right)) = (self, other)
            && let Some(ratio) = exactly(left, right)
        {
            return Ok(Self::Exact(ratio));
        }
        Self::rough(roughly(self.to_f64(), other.to_f64()))
    }
}

fn exact_decimal(text: &str) -> Option<Ratio> {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let top: i128 = format!("{whole}{fraction}").parse().ok()?;
    let scale = 10_i128.checked_pow(exponent.unsigned_abs())?;
    if exponent < 0 { Ratio::new(top, scale) } else { Ratio::new(top.checked_mul(scale)?, 1) }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Exact(ratio) = self
            && !self.wants_exponent()
            && let Some((digits, places)) = ratio.decimal()
        {
            let places = places as usize;
            let padded = format!("{:0>width$}", digits.unsigned_abs(), width = places + 1);
            let (whole, fraction) = padded.split_at(padded.len() - places);
            return write_grouped(f, digits < 0, whole, fraction);
        }
        let rounded = rounded(self.to_f64());
        if self.wants_exponent() {
            return write!(f, "{rounded:e}");
        }
        let text = rounded.abs().to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        write_grouped(f, rounded < 0.0, whole, fraction)
    }
}

fn rounded(value: f64) -> f64 {
    format!("{value:.places$e}", places = SHOWN_DIGITS - 1).parse().unwrap_or(value)
}

fn write_grouped(f: &mut fmt::Formatter<'_>, negative: bool, whole: &str, fraction: &str) -> fmt::Result {
    if negative {
        f.write_str("-")?;
    }
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            f.write_str(",")?;
        }
        write!(f, "{digit}")?;
    }
    if fraction.is_empty() { Ok(()) } else { write!(f, ".{fraction}") }
}
