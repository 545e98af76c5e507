/// The reason why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CalculationError {
    #[error("There is nothing to calculate. Give an expression such as 12 * (3 + 4) or 3 ft in cm.")]
    Empty,
    #[error("The expression is too long. Calculate it in parts.")]
    TooLong,
    #[error("The expression is nested too deeply. Calculate it in parts.")]
    TooDeep,
    #[error("I cannot read the expression at \u{201c}{0}\u{201d}.")]
    Unreadable(String),
    #[error("A sign, bracket or comma stands where a number or a unit should.")]
    Misplaced,
    #[error("The expression ends too early: a number, a unit or a bracket is missing.")]
    Unfinished,
    #[error("I do not know \u{201c}{name}\u{201d} as a unit, function or constant.{}", suggested(nearest.as_deref()))]
    UnknownName { name: String, nearest: Option<String> },
    #[error("{name} does not take {count} {}.", if *count == 1 { "value" } else { "values" })]
    WrongCount { name: String, count: usize },
    #[error("That has no answer: it divides by zero.")]
    DivisionByZero,
    #[error("That has no answer: {0} is not defined.")]
    Undefined(String),
    #[error("That is larger than I can count.")]
    TooLarge,
    #[error("{left} and {right}, so they cannot be added, subtracted or compared.")]
    Unlike { left: String, right: String },
    #[error("{from} and cannot be given in {to}.")]
    Inconvertible { from: String, to: String },
    #[error("{0} has a unit where a plain number is needed.")]
    NotPlain(String),
    #[error("Degrees in {0} can be converted, added and subtracted only. Convert to K first.")]
    OwnZero(String),
}

fn suggested(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!(" Did you mean \u{201c}{nearest}\u{201d}?"))
}
