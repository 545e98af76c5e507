/// Stop words, which do not tell what a question is about.
const COMMON: [&str; 52] = [
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "can", "could", "did", "do", "does", "for",
    "from", "had", "has", "have", "how", "i", "in", "is", "it", "its", "me", "much", "many", "my", "of",
    "on", "or", "please", "should", "tell", "that", "the", "their", "there", "they", "this", "to", "was",
    "were", "what", "when", "where", "which", "who", "why", "will", "you",
];
const LONGEST_PASSAGE: usize = 900;
/// The most words taken from a question; a longer one is represented by its beginning.
const MOST_WORDS: usize = 30;

/// Returns the significant words of a question.
pub(super) fn words(question: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in question.split(|c: char| !c.is_alphanumeric()) {
        if words.len() == MOST_WORDS {
            break;
        }
        let word = word.to_lowercase();
        if !word.is_empty() && !COMMON.contains(&word.as_str()) && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Returns the passages of a text that contain most of the words, in the order of the text.
pub(super) fn best(text: &str, words: &[String], room: usize) -> String {
    let passages: Vec<String> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(short).collect();
    let mut ranked: Vec<(usize, usize)> =
        passages.iter().map(|passage| score(passage, words)).zip(0..).collect();
    // Best passages first; of equals, the earlier one.
    ranked.sort_by(|(left, a), (right, b)| right.cmp(left).then(a.cmp(b)));
    let Some(&(_, first)) = ranked.first() else { return String::new() };
    let mut chosen = vec![first];
    let mut left = room.saturating_sub(passages[first].chars().count());
    for &(score, place) in &ranked[1..] {
        let length = passages[place].chars().count();
        if score > 0 && length <= left {
            left -= length;
            chosen.push(place);
        }
    }
    chosen.sort_unstable();
    let chosen: Vec<&str> = chosen.into_iter().map(|place| passages[place].as_str()).collect();
    chosen.join("\n").chars().take(room).collect()
}

fn short(line: &str) -> String {
    line.chars().take(LONGEST_PASSAGE).collect()
}

/// Scores a passage by the number of distinct words in it; a bare heading scores less than a sentence.
fn score(passage: &str, words: &[String]) -> usize {
    let passage = passage.to_lowercase();
    let found = words.iter().filter(|word| passage.contains(word.as_str())).count();
    let is_sentence = passage.chars().count() >= 40;
    found * 4 + usize::from(found > 0 && is_sentence) * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_about_some_of_its_words() {
        for (question, expected) in [
            ("How far is the Moon from the Earth?", "far moon earth"),
            ("moon MOON Moon", "moon"),
            ("Wie weit ist der Mond?", "wie weit ist der mond"),
            ("the of and", ""),
        ] {
            assert_eq!(words(question).join(" "), expected);
        }
    }

    #[test]
    fn a_long_question_is_about_its_first_words() {
        let long = (0..1_000).map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ");
        let words = words(&long);
        assert_eq!((words.len(), words[29].as_str()), (30, "w29"));
    }

    #[test]
    fn the_nearest_passages_are_taken_in_their_order() {
        let text = "Cookies and other small things.\n\nThe Moon is 384,400 km away from the Earth on average.\n\nBread.\n\n\
                    At perigee the Moon comes as near as 363,300 km.";
        let words = words("How far away is the Moon from Earth?");
        assert_eq!(
            best(text, &words, 400),
            "The Moon is 384,400 km away from the Earth on average.\nAt perigee the Moon comes as near as 363,300 km."
        );
        assert_eq!(best(text, &words, 60), "The Moon is 384,400 km away from the Earth on average.");
        assert_eq!(best(text, &words, 10), "The Moon i");
        assert_eq!(best("", &words, 10), "");
        assert_eq!(best(text, &[], 40), "Cookies and other small things.");
        assert!(best(&"moon ".repeat(100_000), &words, 2_000).chars().count() <= 2_000);
    }
}
