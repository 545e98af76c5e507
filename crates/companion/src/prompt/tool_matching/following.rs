//! Recognises messages that continue the request before them: *And tomorrow?*

use text::terms;

use super::message_words::{has, times, words};
use super::{TELLING, WANTING, asks, tongue};

/// Words that open a reply before its actual content.
const OPENING: &str = "ok okay great cool nice good perfect fine alright well thanks thank you thx yes no hm danke merci \
    gracias grazie obrigado obrigada bedankt gut ja oui sí si sì sim";
/// Words that join a message to the one before.
const JOINING: &str = "and or und oder et ou y o e en";
const JOINING_ASKED: &str = "but also then aber auch mais aussi pero también ed ma anche mas também maar ook";
const ABOUT: [&str; 6] =
    ["what about", "how about", "what if", "was ist mit", "wie ist es mit", "wie sieht es mit"];
const AGAIN: [&str; 8] =
    ["again", "once more", "noch einmal", "nochmal", "encore une fois", "otra vez", "di nuovo", "de novo"];
/// Words that express doubt or ask for a reason when they stand alone, and so do not name anything new.
const DOUBTING: &str = "really sure seriously true right sorry huh echt wirklich warum wieso pourquoi vraiment verdad \
    davvero perché porquê sério waarom";
const PLACING: &str = "in on at for to next this the";
const PARTING: &str = "bye goodbye goodnight night ciao tschüss tschau adieu adiós adios arrivederci doei";
/// Words that normally begin a statement, but do not make a short message one.
const NO_NEWS: &str = "the a an this that today yesterday";
/// The greatest number of words of a continuing message. A longer message states its own subject.
const LONGEST_FOLLOWING: usize = 8;
const SHORT: usize = 4;

/// Returns true if a message only makes sense after the previous answer and continues its request.
pub fn goes_on(message: &str) -> bool {
    let words = words(message);
    let opening = words.iter().take_while(|word| has(OPENING, word)).count();
    let (asks, words) = (asks(message), &words[opening..]);
    let Some(first) = words.first().map(String::as_str) else { return false };
    let is_talk = tongue::greets(words)
        || words.iter().any(|word| ["you", "your", "yourself"].contains(&word.as_str()))
            && !WANTING.iter().any(|phrase| times(words, phrase) > 0);
    if words.len() > LONGEST_FOLLOWING || is_talk || !asks && words.iter().any(|word| has(PARTING, word)) {
        return false;
    }
    let is_short = words.len() <= SHORT;
    let news =
        |word: &String| (TELLING.contains(&word.as_str()) || tongue::tells(word)) && !has(NO_NEWS, word);
    let tells = words.len() == 1 || words[1..].iter().any(news);
    let joins =
        has(JOINING, first) && (asks || is_short && !tells) || has(JOINING_ASKED, first) && asks && is_short;
    let about = ABOUT.iter().any(|phrase| times(words, phrase) > 0);
    let again = is_short && AGAIN.iter().any(|phrase| times(words, phrase) > 0);
    // *Tomorrow?*, *In Porto?*
    let names = |word: &String| !has(DOUBTING, word) && (has(PLACING, word) || !terms(word).is_empty());
    let is_bare = asks && words.len() < SHORT && words.iter().all(names);
    joins || about || again || is_bare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_goes_on_with_what_was_done_before_it() {
        for message in [
            "And tomorrow?",
            "and in Porto",
            "what about Porto?",
            "How about the weekend?",
            "Ok, and on Sunday?",
            "Thank you, and tomorrow?",
            "Tomorrow?",
            "In Porto?",
            "This weekend?",
            "once more",
            "und morgen?",
            "Und in Kiel",
            "Was ist mit Porto?",
            "Et à Lyon ?",
            "¿Y mañana?",
            "E domani?",
            "E amanhã?",
            "En morgen?",
        ] {
            assert!(goes_on(message), "{message}");
        }
        for message in [
            "",
            "?",
            "Thanks",
            "Thank you so much",
            "Thanks, that was good.",
            "And thanks",
            "Bye",
            "And good night",
            "See you again",
            "Bis morgen!",
            "Danke",
            "Merci beaucoup",
            "And how are you?",
            "And you?",
            "Und dir?",
            "What about you?",
            "Who are you?",
            "Really?",
            "Why?",
            "Warum?",
            "And then he left",
            "And I like foxes",
            "My sister moved to Porto",
            "And what is the longest river that flows through Porto?",
            "Tell me a joke",
        ] {
            assert!(!goes_on(message), "{message}");
        }
    }
}
