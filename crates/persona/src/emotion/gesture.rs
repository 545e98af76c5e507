//! The gesture that accompanies a sentence.

use super::{Emotion, Feelings};

/// The least probability of surprise that triggers the gesture.
const STARTLED: f32 = 0.6;

/// Phrases that count at the start of a sentence.
const HELLO_AND_BYE: [&str; 20] = [
    "hello",
    "hi",
    "hey",
    "hiya",
    "good morning",
    "good afternoon",
    "good evening",
    "welcome back",
    "welcome home",
    "welcome",
    "greetings",
    "nice to meet you",
    "bye",
    "goodbye",
    "good bye",
    "see you",
    "see ya",
    "farewell",
    "until next time",
    "take care",
];
/// Phrases that only look like a greeting.
const NO_GREETING: [&str; 4] = ["welcome to the", "hey that", "hi res", "see you are"];
const YES: [&str; 17] = [
    "yes",
    "yeah",
    "yep",
    "yup",
    "exactly",
    "of course",
    "sure",
    "absolutely",
    "definitely",
    "certainly",
    "right",
    "agreed",
    "i agree",
    "indeed",
    "that is right",
    "thats right",
    "you are right",
];
/// Phrases that count anywhere in a sentence.
const SLEEPY: [&str; 11] = [
    "good night",
    "goodnight",
    "sleep well",
    "sweet dreams",
    "im tired",
    "i am tired",
    "im sleepy",
    "i am sleepy",
    "im so tired",
    "so sleepy",
    "yawn",
];
const LAUGHTER: [&str; 12] =
    ["haha", "hahaha", "hahahaha", "hehe", "hehehe", "hihi", "lol", "lmao", "rofl", "heh", "hah", "bwahaha"];
const FUNNY: [&str; 9] = [
    "hilarious",
    "that is funny",
    "thats funny",
    "so funny",
    "made me laugh",
    "makes me laugh",
    "cracks me up",
    "cracked me up",
    "im laughing",
];
const LAUGHING: [char; 5] = ['😂', '🤣', '😆', '😹', '😄'];

/// Returns a matching animation, if there is one.
pub fn gesture(sentence: &str, feelings: &Feelings) -> Option<&'static str> {
    let words = plain_words(sentence);
    let opens = |phrases: &[&str]| phrases.iter().any(|phrase| words.starts_with(&format!(" {phrase} ")));
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(&format!(" {phrase} ")));
    let (emotion, strength) = feelings.strongest();
    let sad = matches!(emotion, Emotion::Sadness | Emotion::Anger | Emotion::Disgust | Emotion::Fear);
    let laughs = has(&LAUGHTER) || sentence.contains(LAUGHING) || (has(&FUNNY) && emotion == Emotion::Joy);
    if laughs && !sad {
        Some("laugh")
    } else if has(&SLEEPY) {
        Some("sleepy")
    } else if opens(&HELLO_AND_BYE) && !opens(&NO_GREETING) {
        Some("wave")
    } else if emotion == Emotion::Surprise && strength >= STARTLED && !sentence.trim_end().ends_with('?') {
        Some("surprised")
    } else if opens(&YES) {
        Some("nod")
    } else {
        None
    }
}

/// Converts a sentence to lower case without apostrophes, with one space before and after each word.
fn plain_words(sentence: &str) -> String {
    let mut words = String::from(" ");
    for letter in sentence.chars().filter(|letter| !matches!(letter, '\'' | '’')) {
        if letter.is_alphanumeric() {
            words.extend(letter.to_lowercase());
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    if !words.ends_with(' ') {
        words.push(' ');
    }
    words
}

#[cfg(test)]
#[path = "gesture_tests.rs"]
mod tests;
