use super::error::CalculationError;
use super::number::{Number, gcd};
use super::quantity::Quantity;

type Result<T> = std::result::Result<T, CalculationError>;

/// Looks up a named number: a constant, or a word such as `million`.
pub fn constant(name: &str) -> Option<Number> {
    let rough = |value| Some(Number::Rough(value));
    let whole = |value: i128| Some(Number::from(value));
    match name {
        "pi" | "π" => rough(std::f64::consts::PI),
        "tau" | "τ" => rough(std::f64::consts::TAU),
        "e" => rough(std::f64::consts::E),
        "phi" | "φ" => rough(f64::midpoint(1.0, 5_f64.sqrt())),
        "half" => Number::read("0.5"),
        "hundred" => whole(100),
        "thousand" => whole(1_000),
        "million" => whole(1_000_000),
        "billion" => whole(1_000_000_000),
        "trillion" => whole(1_000_000_000_000),
        "dozen" => whole(12),
        _ => None,
    }
}

pub const NAMES: [&str; 33] = [
    "abs",
    "acos",
    "asin",
    "atan",
    "atan2",
    "avg",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "factorial",
    "floor",
    "gcd",
    "hypot",
    "lcm",
    "ln",
    "log",
    "log10",
    "log2",
    "max",
    "mean",
    "min",
    "pow",
    "root",
    "round",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "sum",
    "tan",
    "tanh",
];

pub fn is_function(name: &str) -> bool {
    NAMES.contains(&name)
}

pub fn call(name: &str, arguments: Vec<Quantity>) -> Result<Quantity> {
    let count = arguments.len();
    let wrong = || CalculationError::WrongCount { name: name.to_owned(), count };
    match (name, arguments.as_slice()) {
        ("min" | "max" | "sum" | "avg" | "mean", [_, ..]) => return over_all(name, arguments),
        ("gcd" | "lcm", [_, ..]) => return divisors(name, &arguments),
        _ => {}
    }
    let mut arguments = arguments.into_iter();
    match (arguments.next(), arguments.next(), arguments.next()) {
        (Some(only), None, None) => of_one(name, only)?.ok_or_else(wrong),
        (Some(first), Some(second), None) => of_two(name, &first, &second)?.ok_or_else(wrong),
        _ => Err(wrong()),
    }
}

fn of_one(name: &str, given: Quantity) -> Result<Option<Quantity>> {
    let keeping_units = |number: Number| Ok(Some(Quantity { number, ..given.clone() }));
    match name {
        "sqrt" => return given.root(2).map(Some),
        "cbrt" => return given.root(3).map(Some),
        "abs" if given.number.is_negative() => return keeping_units(given.number.negated()),
        "abs" => return Ok(Some(given)),
        "floor" => return keeping_units(given.number.floor()),
        "ceil" => return keeping_units(given.number.negated().floor().negated()),
        "round" => return keeping_units(given.number.round()),
        "sign" if given.number.is_zero() => return Ok(Some(Number::ZERO.into())),
        "sign" if given.number.is_negative() => return Ok(Some(Number::ONE.negated().into())),
        "sign" => return Ok(Some(Number::ONE.into())),
        "factorial" => return factorial(given.plain()?).map(Some),
        _ => {}
    }
    let value = given.plain()?.to_f64();
    let undefined = |what: &str| Err(CalculationError::Undefined(what.to_owned()));
    let answer = match name {
        "ln" | "log" | "log10" | "log2" if value <= 0.0 => {
            return undefined("the logarithm of a number that is not positive");
        }
        "asin" | "acos" if value.abs() > 1.0 => return undefined("an angle whose sine is greater than one"),
        "tan" if value.cos().abs() < 1e-15 => return undefined("the tangent of a right angle"),
        "exp" => value.exp(),
        "ln" => value.ln(),
        "log" | "log10" => value.log10(),
        "log2" => value.log2(),
        "sin" => without_rounding_error(value.sin()),
        "cos" => without_rounding_error(value.cos()),
        "tan" => without_rounding_error(value.tan()),
        "asin" => value.asin(),
        "acos" => value.acos(),
        "atan" => value.atan(),
        "sinh" => value.sinh(),
        "cosh" => value.cosh(),
        "tanh" => value.tanh(),
        _ => return Ok(None),
    };
    Ok(Some(Number::rough(answer)?.into()))
}

/// Rounds tiny results to zero, so that the sine of pi is 0 despite floating-point error.
fn without_rounding_error(value: f64) -> f64 {
    if value.abs() < 1e-15 { 0.0 } else { value }
}

fn of_two(name: &str, first: &Quantity, second: &Quantity) -> Result<Option<Quantity>> {
    if name == "round" {
        let places = second.plain()?.whole().filter(|places| places.unsigned_abs() <= 15);
        let Some(places) = places else {
            return Err(CalculationError::Undefined("rounding to so many places".into()));
        };
        let scale = Number::from(10).power(places.into())?;
        let number = first.number.times(scale)?.round().divided(scale)?;
        return Ok(Some(Quantity { number, ..first.clone() }));
    }
    let (left, right) = (first.plain()?, second.plain()?);
    let answer = match name {
        "pow" => left.power(right)?,
        "root" => left.power(Number::ONE.divided(right)?)?,
        "log" if left.to_f64() <= 0.0 || right.to_f64() <= 0.0 || right == Number::ONE => {
            return Err(CalculationError::Undefined("that logarithm".into()));
        }
        "log" => Number::rough(left.to_f64().ln() / right.to_f64().ln())?,
        "atan2" => Number::rough(left.to_f64().atan2(right.to_f64()))?,
        "hypot" => Number::rough(left.to_f64().hypot(right.to_f64()))?,
        _ => return Ok(None),
    };
    Ok(Some(answer.into()))
}

fn over_all(name: &str, mut arguments: Vec<Quantity>) -> Result<Quantity> {
    let count = arguments.len() as i128;
    // Among other numbers a percentage counts as a plain number, not as a part of them.
    if !arguments.iter().all(|argument| argument.percent) {
        for argument in &mut arguments {
            argument.percent = false;
        }
    }
    let mut arguments = arguments.into_iter();
    let Some(mut total) = arguments.next() else { return Ok(Number::ZERO.into()) };
    for next in arguments {
        total = match name {
            "min" if next.is_less_than(&total)? => next,
            "max" if total.is_less_than(&next)? => next,
            "min" | "max" => total,
            _ => total.plus(&next)?,
        };
    }
    match name {
        "avg" | "mean" => Ok(Quantity { number: total.number.divided(count.into())?, ..total }),
        _ => Ok(total),
    }
}

fn divisors(name: &str, arguments: &[Quantity]) -> Result<Quantity> {
    let mut total: u128 = 0;
    for argument in arguments {
        let whole = argument.plain()?.whole();
        let next =
            whole.ok_or_else(|| CalculationError::Undefined(format!("{name} of what is not whole")))?;
        let next = next.unsigned_abs();
        total = match (name, total) {
            ("gcd", _) => gcd(total, next),
            (_, 0) => next,
            _ if next == 0 => 0,
            _ => (total / gcd(total, next)).checked_mul(next).ok_or(CalculationError::TooLarge)?,
        };
    }
    Ok(Number::from(i128::try_from(total).map_err(|_| CalculationError::TooLarge)?).into())
}

pub fn factorial(of: Number) -> Result<Quantity> {
    let whole = of.whole().filter(|whole| *whole >= 0);
    let whole = whole.ok_or_else(|| CalculationError::Undefined("the factorial of that".into()))?;
    if whole > 170 {
        return Err(CalculationError::TooLarge);
    }
    let product = (1..=whole).try_fold(Number::ONE, |product, next| product.times(next.into()))?;
    Ok(product.into())
}
