use super::*;

fn says(text: &str) -> String {
    calculate(text).map_or_else(|error| error.to_string(), |answer| answer.text)
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(says(text), *expected, "{text}");
    }
}

#[test]
fn sums() {
    check(&[
        ("2+2", "4"),
        ("12 * (3 + 4)", "84"),
        ("7 times 8", "56"),
        ("7 plus 8 minus 1", "14"),
        ("1/2", "0.5"),
        ("10 divided by 4", "2.5"),
        ("2 to the power of 5", "32"),
        ("2^10", "1,024"),
        ("2**10", "1,024"),
        ("2 ^ 3 ^ 2", "512"),
        ("-2^2", "-4"),
        ("2^-2", "0.25"),
        ("-3 - -4", "1"),
        ("3 x 4", "12"),
        ("3x4", "12"),
        ("6 × 7", "42"),
        ("9 ÷ 3 − 1", "2"),
        ("1,000 + 1", "1,001"),
        ("999999 + 1", "1,000,000"),
        ("1.5e3 * 2", "3,000"),
        ("2(3+4)", "14"),
        ("(1+1)(2+2)", "8"),
        ("5!", "120"),
        ("17 mod 5", "2"),
        ("17 % 5", "2"),
        ("-7 mod 3", "2"),
        ("3 squared + 2 cubed", "17"),
        ("5² - 2³", "17"),
        ("3 million / 4", "750,000"),
        ("2 + 2 =", "4"),
        ("42", "42"),
    ]);
}

#[test]
fn decimals_are_exact_where_they_can_be() {
    check(&[
        ("0.1 + 0.2", "0.3"),
        ("0.1 * 3", "0.3"),
        ("1.1 * 1.1", "1.21"),
        ("1/3", "0.333333333333"),
        ("1/3 * 3", "1"),
        ("2/3 + 1/3", "1"),
        ("1 - 0.9", "0.1"),
        ("4.35 * 100", "435"),
        ("2^64", "18,446,744,073,709,551,616"),
        ("10^20", "100,000,000,000,000,000,000"),
        ("10^40", "1e40"),
        ("1/1024", "0.0009765625"),
        ("10^-12", "1e-12"),
        ("123456789 * 987654321", "121,932,631,112,635,269"),
        ("sqrt(16)", "4"),
        ("sqrt(2)", "1.41421356237"),
        ("sqrt(0.25)", "0.5"),
        ("20!", "2,432,902,008,176,640,000"),
        ("0^0", "1"),
    ]);
    let exact = |text: &str| calculate(text).unwrap().exact;
    assert!(exact("0.1 + 0.2") && exact("2^64") && !exact("1/3") && !exact("sqrt(2)") && !exact("10^40"));
}

#[test]
fn percent() {
    check(&[
        ("15% of 80", "12"),
        ("20 percent of 50", "10"),
        ("15% of 80 + 0", "12"),
        ("200 + 10%", "220"),
        ("200 - 10%", "180"),
        ("5% + 3%", "0.08"),
        ("20% off 50", "40"),
        ("half of 10", "5"),
        ("50%", "0.5"),
        ("0.25 in %", "25%"),
        ("3/4 to percent", "75%"),
        ("80 kg + 5%", "84 kg"),
    ]);
}

#[test]
fn functions_and_constants() {
    check(&[
        ("sin(30 deg)", "0.5"),
        ("sin(30°)", "0.5"),
        ("cos(pi)", "-1"),
        ("sin(pi)", "0"),
        ("sqrt 16 + 1", "5"),
        ("√16", "4"),
        ("cbrt(27)", "3"),
        ("ln(e)", "1"),
        ("log(1000)", "3"),
        ("log(8, 2)", "3"),
        ("log2(8)", "3"),
        ("2 pi", "6.28318530718"),
        ("max(1, 5, 3)", "5"),
        ("min(1 m, 50 cm)", "50 cm"),
        ("max(20 °C, 50 °F)", "20 °C"),
        ("min(20 °C, 50 °F)", "50 °F"),
        ("max(300 K, 20 °C, 90 °F)", "90 °F"),
        ("min(50%, 0.2)", "0.2"),
        ("min(0.2, 50%)", "0.2"),
        ("max(50%, 0.2)", "0.5"),
        ("max(1, 150%)", "1.5"),
        ("sum(0.2, 50%)", "0.7"),
        ("200 + max(10%, 5%)", "220"),
        ("avg(1, 2, 3, 4)", "2.5"),
        ("round(2.5)", "3"),
        ("round(3.14159, 2)", "3.14"),
        ("floor(-1.5)", "-2"),
        ("ceil(1.2)", "2"),
        ("abs(-3)", "3"),
        ("gcd(12, 18)", "6"),
        ("lcm(4, 6)", "12"),
        ("hypot(3, 4)", "5"),
        ("sqrt(9 m^2)", "3 m"),
    ]);
}

#[test]
fn units_are_converted() {
    check(&[
        ("3 ft in cm", "91.44 cm"),
        ("5 km/h to mph", "3.10685596119 mph"),
        ("20 °C in F", "68 °F"),
        ("-40 F to celsius", "-40 °C"),
        ("0 K in °C", "-273.15 °C"),
        ("100 degrees fahrenheit in celsius", "37.7777777778 °C"),
        ("98.6 fahrenheit in celsius", "37 °C"),
        ("2 GiB in MB", "2,147.483648 MB"),
        ("2 gb in mb", "2,000 MB"),
        ("3 h 20 min in minutes", "200 min"),
        ("1.5 cups in ml", "354.88235475 mL"),
        ("1/2 cup in ml", "118.29411825 mL"),
        ("1 1/2 cups in ml", "354.88235475 mL"),
        ("5 ft 10 in in cm", "177.8 cm"),
        ("5'10\" in cm", "177.8 cm"),
        ("10 in to cm", "25.4 cm"),
        ("180 cm in feet and inches", "5 ft 10.8661417323 in"),
        ("-6 inches in feet and inches", "0 ft -6 in"),
        ("-18 inches in feet and inches", "-1 ft 6 in"),
        ("-24 inches in feet and inches", "-2 ft 0 in"),
        ("0 inches in feet and inches", "0 ft 0 in"),
        ("200 minutes in hours and minutes", "3 h 20 min"),
        ("1 mile in km", "1.609344 km"),
        ("100 km / 2 h", "50 km/h"),
        ("100 km per hour in m/s", "27.7777777778 m/s"),
        ("1 acre in square metres", "4,046.8564224 m²"),
        ("10 m2 in ft2", "107.639104167 ft²"),
        ("1 m³ in litres", "1,000 L"),
        ("3 m * 4 m", "12 m²"),
        ("2 kg + 500 g", "2.5 kg"),
        ("1 kWh in MJ", "3.6 MJ"),
        ("100 Mbps * 10 s in MB", "125 MB"),
        ("1 week in hours", "168 h"),
        ("12 V * 2 A in W", "24 W"),
        ("90 deg in rad", "1.57079632679 rad"),
        ("20 °C + 5 °C", "25 °C"),
        ("16 fl oz in cups", "2 cup"),
        ("1 light year in km", "9,460,730,472,580.8 km"),
        ("5 KM in M", "5,000 m"),
        ("1 lb 4 oz in g", "566.9904625 g"),
    ]);
}

#[test]
fn what_has_no_answer_says_why() {
    check(&[
        ("", "There is nothing to calculate. Give an expression such as 12 * (3 + 4) or 3 ft in cm."),
        ("1 / 0", "That has no answer: it divides by zero."),
        ("5 mod 0", "That has no answer: it divides by zero."),
        ("0^-1", "That has no answer: it divides by zero."),
        ("sqrt(-1)", "That has no answer: a root of a negative number is not defined."),
        ("(-8)^(1/3)", "That has no answer: a root of a negative number is not defined."),
        ("ln(0)", "That has no answer: the logarithm of a number that is not positive is not defined."),
        ("asin(2)", "That has no answer: an angle whose sine is greater than one is not defined."),
        ("(-1)!", "That has no answer: the factorial of that is not defined."),
        ("10^400", "That is larger than I can count."),
        ("9^9^9^9", "That is larger than I can count."),
        ("171!", "That is larger than I can count."),
        ("3 kg in m", "3 kg is a mass and cannot be given in m, which is a length."),
        ("3 m + 2 s", "3 m is a length and 2 s is a time, so they cannot be added, subtracted or compared."),
        (
            "3 m + 2",
            "3 m is a length and 2 is a plain number, so they cannot be added, subtracted or compared.",
        ),
        (
            "max(3 m, 2 s)",
            "3 m is a length and 2 s is a time, so they cannot be added, subtracted or compared.",
        ),
        ("sin(3 m)", "3 m has a unit where a plain number is needed."),
        ("2^(3 m)", "3 m has a unit where a plain number is needed."),
        ("2 * 20 °C", "Degrees in °C can be converted, added and subtracted only. Convert to K first."),
        ("3 kilometrs in m", "I do not know “kilometrs” as a unit, function or constant."),
        ("sqr(4)", "I do not know “sqr” as a unit, function or constant. Did you mean “sqrt”?"),
        ("2 +", "The expression ends too early: a number, a unit or a bracket is missing."),
        ("(1 + 2", "The expression ends too early: a number, a unit or a bracket is missing."),
        ("1 + * 2", "A sign, bracket or comma stands where a number or a unit should."),
        ("2 2", "I cannot read the expression at “2”."),
        ("1,5 + 1", "I cannot read the expression at “1,5 + 1”."),
        ("1.2.3", "I cannot read the expression at “1.2.3”."),
        ("$5", "I cannot read the expression at “$5”."),
        ("hypot(1)", "hypot does not take 1 value."),
    ]);
}

#[test]
fn a_number_that_merely_stands_there_is_no_sum() {
    for (text, operations) in
        [("42", 0), ("6 ft", 0), ("2 pi", 1), ("1+1", 1), ("3 ft in cm", 1), ("sqrt(4)", 1)]
    {
        assert_eq!(calculate(text).unwrap().operations, operations, "{text}");
    }
}

#[test]
fn depth_and_length_have_limits() {
    let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(says(&nested(30)), "1");
    assert_eq!(calculate(&nested(150)), Err(CalculationError::TooDeep));
    assert_eq!(calculate(&"-".repeat(300)), Err(CalculationError::TooDeep));
    assert_eq!(calculate(&"2^".repeat(150)), Err(CalculationError::TooDeep));
    assert_eq!(calculate(&"sqrt ".repeat(150)), Err(CalculationError::TooDeep));
    assert_eq!(calculate(&"1+".repeat(501)), Err(CalculationError::TooLong));
}

#[test]
fn the_ends_of_what_can_be_counted_are_no_trap() {
    const LEAST: &str = "(-170141183460469231731687303715884105727 - 1)";
    for text in [
        LEAST.to_owned(),
        format!("-{LEAST}"),
        format!("2^{LEAST}"),
        format!("{LEAST}!"),
        format!("round(1, {LEAST})"),
        format!("{LEAST} * {LEAST} / {LEAST}"),
        format!("gcd({LEAST}, 6)"),
        format!("abs({LEAST}) mod 7"),
        "rad^-128 * rad^-1".to_owned(),
        "rad^127 * rad * rad".to_owned(),
        "m^-128".to_owned(),
        "sqrt(rad^-128)".to_owned(),
    ] {
        let answer = says(&text);
        assert!(!answer.is_empty() && !answer.contains("NaN"), "{text}: {answer}");
    }
}

/// Any combination of these pieces gives an answer or an error, never nonsense.
#[test]
fn no_text_breaks_it() {
    const PIECES: [&str; 44] = [
        "1",
        "0",
        "2.5",
        "1e9",
        "1e-400",
        "1e400",
        ".",
        ",",
        "(",
        ")",
        "+",
        "-",
        "*",
        "/",
        "^",
        "%",
        "!",
        "in",
        "to",
        "and",
        "m",
        "°C",
        "F",
        "K",
        "ft",
        "'",
        "\"",
        "sqrt",
        "log",
        "min",
        "max",
        "mod",
        "of",
        "off",
        "pi",
        "x",
        "°",
        "²",
        "µs",
        "square",
        "99999999999999999999999999999999999999",
        "\0",
        "é",
        "tan",
    ];
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % 1_000_003).unwrap()
    };
    for _ in 0..20_000 {
        let count = 1 + next() % 9;
        let spaces = next() % 2 == 0;
        let text = (0..count).map(|_| PIECES[next() % PIECES.len()]).collect::<Vec<_>>().join(if spaces {
            " "
        } else {
            ""
        });
        if let Ok(answer) = calculate(&text) {
            assert!(!answer.text.contains("NaN") && !answer.text.contains("inf"), "{text}: {answer}");
        }
    }
}
