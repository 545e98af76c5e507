use abilities::{CalculationError, calculate};

/// Returns the result of a calculation, if the request is one: `what is 12 * (3 + 4)`, `15% of 80`, `2^10`.
pub fn answer(request: &str) -> Option<String> {
    const LEADS: [&str; 7] =
        ["what is ", "what's ", "how much is ", "calculate ", "compute ", "how many is ", "solve "];
    let asked = LEADS.iter().find_map(|lead| request.strip_prefix(lead));
    // A bare `12-25` or `1/2` may be a date or a score, so without a lead only other operators count.
    if asked.is_none() && !request.contains(['+', '*', '×', '·', '^']) {
        return None;
    }
    let sum = asked.unwrap_or(request);
    // A percentage alone asks for an explanation, not for a conversion.
    if sum.trim_end_matches(['%', ' ']).parse::<f64>().is_ok() {
        return None;
    }
    match calculate(sum) {
        Ok(answer) if answer.operations > 0 => Some(answer.text),
        Err(error @ CalculationError::DivisionByZero) => Some(error.to_string()),
        Ok(_) | Err(_) => None,
    }
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
            ("what is 1 / 0", "That has no answer: it divides by zero."),
            ("what is 3 ft in cm", "91.44 cm"),
            ("10^20", "100,000,000,000,000,000,000"),
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
        assert_eq!(answer(&format!("{}1 + 1", "-".repeat(300))), None);
    }
}
