//! `{rm,-r,x}` is three words.

use super::found::Word;

/// More words than this are left folded.
const MOST: usize = 32;

/// The words that a word with braces stands for; most stand for themselves.
pub fn unfolded(word: Word) -> Vec<Word> {
    let mut done = Vec::new();
    let mut waiting = vec![word.text];
    while let Some(text) = waiting.pop() {
        match alternatives(&text) {
            Some(parts) if waiting.len() + done.len() + parts.len() <= MOST => {
                waiting.extend(parts.into_iter().rev());
            }
            _ => done.push(Word { text, known: word.known }),
        }
    }
    done
}

/// So many opening braces are looked at: what has more is no file name.
const MOST_TRIED: usize = 8;

/// The first braces with a comma in them, each choice with what stands around it.
fn alternatives(text: &str) -> Option<Vec<String>> {
    text.match_indices('{').take(MOST_TRIED).find_map(|(begin, _)| choices(text, begin))
}

fn choices(text: &str, begin: usize) -> Option<Vec<String>> {
    let (mut depth, mut cuts) = (0_usize, vec![begin]);
    for (place, next) in text[begin..].char_indices().map(|(place, next)| (begin + place, next)) {
        match next {
            '{' => depth += 1,
            '}' if depth == 1 => {
                cuts.push(place);
                if cuts.len() < 3 {
                    return None;
                }
                let choice = |cut: &[usize]| {
                    format!("{}{}{}", &text[..begin], &text[cut[0] + 1..cut[1]], &text[place + 1..])
                };
                return Some(cuts.windows(2).map(choice).collect());
            }
            '}' => depth -= 1,
            ',' if depth == 1 => cuts.push(place),
            _ => {}
        }
    }
    None
}
