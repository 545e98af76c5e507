use jiff::civil::{Date, date};

use super::*;

const TODAY: Date = date(2026, 5, 14);

fn read(content: &str, subject: &str) -> Option<(String, String)> {
    let finding = read_note(content, subject, TODAY, &KnownNames::new("Luna"))?;
    Some((finding.slot?.to_string(), finding.value))
}

#[test]
fn what_is_written_down_is_read_like_what_is_said() {
    for (content, subject, slot, value) in [
        ("Lives in Lyon.", "", "home", "Lyon"),
        ("lives in Lyon", "", "home", "Lyon"),
        ("I live in Lyon", "", "home", "Lyon"),
        ("Is vegetarian.", "", "diet", "vegetarian"),
        ("Works at Siemens.", "", "employer", "Siemens"),
        ("Has a dog called Max.", "", "pet:dog", "Max"),
        ("Favourite film is Alien.", "", "favourite:movi", "Alien"),
        ("Birthday is 3 May.", "", "birthday", "3 May"),
        ("Sister Anna lives in Rome.", "sister Anna", "home", "Rome"),
    ] {
        assert_eq!(read(content, subject), Some((slot.to_owned(), value.to_owned())), "{content}");
    }
}

#[test]
fn what_says_several_things_or_nothing_is_only_words() {
    for content in
        ["", "Lives in Lyon. Works at Siemens.", "The code of the gate", "Would like to live in Rome?"]
    {
        assert_eq!(read(content, ""), None, "{content}");
    }
    assert_eq!(read("Tom lives in Rome.", "sister Anna"), None);
}

/// The content of a finding can be read back as the same finding, so an exported and re-imported list can be
/// contradicted.
#[test]
fn her_own_words_are_read_again() {
    let table: &[(&str, &str)] = include!("extract_positive.in");
    let (mut all, mut lost) = (0, Vec::new());
    for (text, _) in table {
        for finding in extract(text, TODAY, &KnownNames::new("Luna")) {
            let Finding { slot: Some(slot), subject, value, content, polarity: Polarity::Holds, .. } =
                &finding
            else {
                continue;
            };
            if finding.is_past() {
                continue;
            }
            all += 1;
            let wanted = Some((slot.to_string(), value.clone()));
            let read = read(content, subject);
            if read != wanted {
                lost.push(format!("{content} ({subject})\n    {wanted:?}\n    {read:?}"));
            }
        }
    }
    assert!(lost.len() * 10 <= all, "{} of {all} are not:\n{}", lost.len(), lost.join("\n"));
}
