//! Brace expansion: `{rm,-r,x}` stands for three words.

use super::command::CommandWord;

/// The maximum number of words to expand to. Beyond it, words are left unexpanded.
const MOST_WORDS: usize = 32;

/// Expands the braces of a word. Most words expand to themselves.
pub fn expanded(word: CommandWord) -> Vec<CommandWord> {
    let mut done = Vec::new();
    let mut waiting = vec![word.text];
    while let Some(text) = waiting.pop() {
        match alternatives(&text) {
            Some(parts) if waiting.len() + done.len() + parts.len() <= MOST_WORDS => {
                waiting.extend(parts.into_iter().rev());
            }
            _ => done.push(CommandWord { text, certainty: word.certainty }),
        }
    }
    done
}

/// The maximum number of opening braces to try. A word with more is not a file name.
const MOST_TRIED: usize = 8;

/// Expands the first pair of braces that contains a comma. Each alternative includes the text around the braces.
fn alternatives(text: &str) -> Option<Vec<String>> {
    text.match_indices('{').take(MOST_TRIED).find_map(|(begin, _)| choices(text, begin))
}

fn choices(text: &str, begin: usize) -> Option<Vec<String>> {
    let (mut depth, mut cuts) = (0_usize, vec![begin]);
    for (index, next) in text[begin..].char_indices().map(|(index, next)| (begin + index, next)) {
        match next {
            '{' => depth += 1,
            '}' if depth == 1 => {
                cuts.push(index);
                if cuts.len() < 3 {
                    return None;
                }
                let choice = |cut: &[usize]| {
                    format!("{}{}{}", &text[..begin], &text[cut[0] + 1..cut[1]], &text[index + 1..])
                };
                return Some(cuts.windows(2).map(choice).collect());
            }
            '}' => depth -= 1,
            ',' if depth == 1 => cuts.push(index),
            _ => {}
        }
    }
    None
}
