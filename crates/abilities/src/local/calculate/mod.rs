//! The calculator: arithmetic, functions, percentages, and units with checks and conversion. Pure: text in, an answer
//! out.

mod dimension;
mod error;
mod functions;
mod number;
mod parser;
mod quantity;
mod tokens;
mod units;

use std::fmt;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Invocation, ToolError, ToolOutput};

pub use error::CalculationError;
use parser::{ExpressionParser, ParsedValue};

/// The result of a calculation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calculation {
    /// The number with its unit: `91.44 cm`.
    pub text: String,
    /// True if nothing was rounded.
    pub exact: bool,
    /// The number of operations performed: 0 for a plain number.
    pub operations: usize,
}

impl fmt::Display for Calculation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The longest expression that is parsed, in bytes.
const LONGEST: usize = 1_000;

/// Evaluates an expression: `12 * (3 + 4)`, `15% of 80`, `sqrt(2)`, `3 ft in cm`, `180 cm in feet and inches`.
pub fn calculate(text: &str) -> Result<Calculation, CalculationError> {
    let text = text.trim().trim_end_matches(['=', '?', ' ']);
    if text.is_empty() {
        return Err(CalculationError::Empty);
    }
    if text.len() > LONGEST {
        return Err(CalculationError::TooLong);
    }
    let tokens = tokens::tokens(text)?;
    let mut parser = ExpressionParser::new(&tokens);
    let (text, exact) = match parser.outcome()? {
        ParsedValue::One(value) => (value.to_string(), value.number.is_shown_whole()),
        ParsedValue::Two(whole, rest) => (format!("{whole} {rest}"), rest.number.is_shown_whole()),
    };
    Ok(Calculation { text, exact, operations: parser.operations })
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// Such as `12 * (3 + 4)`, `15% of 80`, `sqrt(2)`, `5 km/h to mph`, `3 h 20 min in minutes`.
    expression: String,
}

/// The `calculate` tool.
pub struct Calculate;

#[async_trait]
impl Ability for Calculate {
    type Arguments = Arguments;
    const NAME: &'static str = "calculate";
    const ABOUT: &'static str = "Calculates: arithmetic, functions, percent, and units with conversion.";
    const ASKED_BY: &'static [&'static str] = &[
        "calculate",
        "compute",
        "percent",
        "percentage",
        "square root",
        "divided by",
        "multiplied by",
        "plus",
        "minus",
        "convert",
        "kilometers",
        "kilometres",
        "miles",
        "pounds",
        "celsius",
        "fahrenheit",
        "inches",
        "berechne",
        "rechne",
        "prozent",
        "wurzel aus",
        "geteilt durch",
        "calcule",
        "pour cent",
        "racine carrée",
        "divisé par",
        "calcula",
        "calcular",
        "por ciento",
        "raíz cuadrada",
        "dividido por",
        "dividido entre",
        "calcola",
        "per cento",
        "radice quadrata",
        "diviso per",
        "por cento",
        "raiz quadrada",
        "bereken",
        "procent",
        "gedeeld door",
    ];

    async fn run(&self, arguments: Arguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let expression = arguments.expression.trim();
        let answer = calculate(expression).map_err(|error| ToolError::Impossible(error.to_string()))?;
        let sign = if answer.exact { "=" } else { "\u{2248}" };
        Ok(ToolOutput::text(format!("{expression} {sign} {answer}")))
    }
}

#[cfg(test)]
#[path = "calculate_tests.rs"]
mod tests;
