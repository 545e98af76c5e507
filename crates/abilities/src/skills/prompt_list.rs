//! The list of skills in a prompt.

/// The shortest useful description, in characters.
const SHORTEST: usize = 24;

/// Writes `- name: description` for each skill within `budget` characters. If space is short, long descriptions are cut
/// to a common length; then all descriptions are dropped; then the last names, with a note of how many are missing.
pub fn lines(skills: &[(&str, &str)], budget: usize) -> String {
    let rest = |count: usize| format!("- and {count} more\n");
    // A line is `- name\n`, plus `: ` if there is a description.
    let names: usize = skills.iter().map(|(name, _)| name.chars().count() + 3).sum();
    let room = budget.saturating_sub(names + skills.len() * 2);
    let length = fair_length(skills.iter().map(|(_, text)| text.chars().count()).collect(), room);
    let mut lines = String::new();
    let mut left = budget;
    for (place, (name, description)) in skills.iter().enumerate() {
        let line = match length {
            Some(length) => format!("- {name}: {}\n", shortened(description, length)),
            None => format!("- {name}\n"),
        };
        let after = skills.len() - place - 1;
        let needed = line.chars().count() + if after > 0 && names > budget { rest(after).len() } else { 0 };
        if needed > left {
            let note = rest(after + 1);
            if note.len() <= left {
                lines.push_str(&note);
            }
            break;
        }
        left -= line.chars().count();
        lines.push_str(&line);
    }
    lines.truncate(lines.trim_end().len());
    lines
}

/// Returns the common maximum length at which all fit; short descriptions leave their space to long ones.
fn fair_length(mut lengths: Vec<usize>, room: usize) -> Option<usize> {
    lengths.sort_unstable();
    let (mut left, mut count) = (room, lengths.len());
    for length in lengths {
        if length * count > left {
            let fair = left / count;
            return (fair >= SHORTEST).then_some(fair);
        }
        left -= length;
        count -= 1;
    }
    Some(usize::MAX)
}

/// Cuts a text to `most` characters, between words if possible.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let end = text.char_indices().nth(most.saturating_sub(1)).map_or(text.len(), |(end, _)| end);
    let kept = &text[..end];
    let at_word = kept.rfind(' ').filter(|place| *place * 2 > kept.len()).unwrap_or(kept.len());
    format!("{}…", kept[..at_word].trim_end_matches([' ', ',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_skills_stay_small_and_all_are_named() {
        let long = "Does something useful with care, in many words. ".repeat(21);
        let names: Vec<String> = (0..100).map(|number| format!("skill-number-{number}")).collect();
        let skills: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), long.as_str())).collect();
        let text = lines(&skills, 7_000);
        assert!(text.chars().count() <= 7_000 && text.len() > 5_000, "{}", text.len());
        assert_eq!(text.lines().count(), 100);
        assert!(text.lines().all(|line| line.starts_with("- skill-number-") && line.ends_with('…')));
    }

    #[test]
    fn what_is_short_leaves_its_room_to_the_long() {
        let skills = [("a", "short"), ("b", "a rather long description that wants all of the room there is")];
        assert_eq!(lines(&skills, 1_000), format!("- a: short\n- b: {}", skills[1].1));
        assert_eq!(lines(&skills, 60), "- a: short\n- b: a rather long description that wants all…");
        assert_eq!(lines(&skills, 20), "- a\n- b");
        assert_eq!(lines(&[], 100), "");
    }

    #[test]
    fn however_little_room_there_is_it_is_kept() {
        let names: Vec<String> = (0..40).map(|number| format!("skill-{number}")).collect();
        let skills: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "月の話をする")).collect();
        for budget in 0..1_500 {
            let text = lines(&skills, budget);
            assert!(text.chars().count() <= budget, "{budget}");
        }
        assert!(lines(&skills, 100).ends_with("more"));
    }
}
