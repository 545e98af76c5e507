//! Rules that find faults in an answer. Its quality is left to a human reader.

use std::collections::HashMap;

/// Text of the prompt, a template or a call that must not appear in an answer.
const LEAKS: [&str; 18] = [
    "<context",
    "</context",
    "<summary",
    "</summary",
    "<|",
    "|>",
    "<tool",
    "</tool",
    "[TOOL_CALL",
    "[/INST]",
    "{{",
    "}}",
    "\"arguments\"",
    "\"name\":",
    "```json",
    "What you remember",
    "Tools that you can use",
    "Today is ",
];
/// The greatest number of words of an answer to a simple question.
const MOST_WORDS: usize = 160;
/// The number of repetitions of a sentence that count as a loop.
const MOST_TIMES: usize = 3;
/// The number of consecutive words from an earlier answer that count as an echo.
const ECHO: usize = 8;

/// Returns the faults of an answer; empty if it is acceptable.
pub fn faults(question: &str, answer: &str, earlier: &[String], was_cut: bool) -> Vec<&'static str> {
    let mut faults = Vec::new();
    let (asked, said) = (plain(question), plain(answer));
    if said.is_empty() {
        return vec!["nothing said"];
    }
    if LEAKS.iter().any(|leak| answer.contains(leak)) {
        faults.push("a marker shows");
    }
    let copies = asked.len() >= 3 && said.starts_with(&asked) || said == asked;
    if copies {
        faults.push("repeats the question");
    }
    if was_cut || loops(answer) {
        faults.push("goes round in circles");
    }
    if said.len() > MOST_WORDS {
        faults.push("too long");
    }
    if earlier.iter().any(|before| is_echo(&plain(before), &said)) {
        faults.push("says an earlier answer again");
    }
    faults
}

/// Returns true if the answer contains one of the expected words, or if none are given.
pub fn fits(answer: &str, words: &[&str]) -> bool {
    let said = format!(" {} ", plain(answer).join(" "));
    words.is_empty()
        || words.iter().any(|word| said.contains(&format!(" {} ", plain(word).join(" "))))
        || words.iter().any(|word| word.len() > 3 && said.contains(word))
}

fn plain(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let words = lower.split(|letter: char| !letter.is_alphanumeric() && letter != '\'');
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn loops(answer: &str) -> bool {
    let mut seen: HashMap<Vec<String>, usize> = HashMap::new();
    for sentence in answer.split(['.', '!', '?', '\n']) {
        let words = plain(sentence);
        if words.len() >= 3 {
            *seen.entry(words).or_default() += 1;
        }
    }
    seen.values().any(|times| *times >= MOST_TIMES)
}

fn is_echo(before: &[String], said: &[String]) -> bool {
    if before == said {
        return true;
    }
    let length = ECHO.min(said.len());
    length == ECHO && said.windows(length).any(|part| before.windows(length).any(|other| other == part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_told_by_rules_is_told() {
        let earlier =
            ["It is not possible, it would be a lie. I am not here.".to_owned(), "Paris.".to_owned()];
        let long = "word ".repeat(200);
        for (question, answer, expected) in [
            ("Hello", "Hello, how are you?", &[][..]),
            ("Who are you?", "", &["nothing said"]),
            ("Who are you?", " \n", &["nothing said"]),
            ("Who are you?", "I am Luna.\n</context>", &["a marker shows"]),
            ("Who are you?", "{{\"name\": \"skill\"}}", &["a marker shows"]),
            ("Who are you?", "Who are you?", &["repeats the question"]),
            ("hello", "Hello", &["repeats the question"]),
            ("hello", "Hello there", &[]),
            ("Tell", "Say it now. Say it now. Say it now.", &["goes round in circles"]),
            ("Tell", "It is not possible, it would be a lie, so.", &["says an earlier answer again"]),
            ("And?", "Paris.", &["says an earlier answer again"]),
            ("Tell", &long, &["too long"]),
        ] {
            assert_eq!(faults(question, answer, &earlier, false), expected, "{answer}");
        }
        assert_eq!(faults("Tell", "On and on", &[], true), ["goes round in circles"]);
    }

    #[test]
    fn a_fitting_answer_has_one_of_the_words() {
        for (answer, words, expected) in [
            ("It is Paris.", &["paris"][..], true),
            ("The answer is 4.", &["4", "four"], true),
            ("There are 42.", &["4", "four"], false),
            ("I don't have one", &["don't"], true),
            ("Rain", &["moon"], false),
            ("Whatever", &[], true),
        ] {
            assert_eq!(fits(answer, words), expected, "{answer}");
        }
    }
}
