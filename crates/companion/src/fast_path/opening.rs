//! Recognises requests that only name a program or an address to open: *Open Firefox*, *go to example.org*.

/// Programs that users open by these words. Other words may mean anything: *open source*, *open the door*.
const PROGRAMS: [&str; 30] = [
    "browser",
    "calculator",
    "calendar",
    "chrome",
    "chromium",
    "code",
    "discord",
    "editor",
    "files",
    "finder",
    "firefox",
    "gimp",
    "inkscape",
    "libreoffice",
    "mail",
    "notepad",
    "obsidian",
    "outlook",
    "safari",
    "settings",
    "signal",
    "slack",
    "spotify",
    "steam",
    "teams",
    "telegram",
    "terminal",
    "thunderbird",
    "vlc",
    "zoom",
];
const LONGEST: usize = 300;

/// Returns what to open, if a message asks for nothing else.
pub fn target(message: &str) -> Option<String> {
    let message = message.trim().trim_end_matches(['.', '!', ' ']);
    if message.len() > LONGEST || message.contains('\n') {
        return None;
    }
    let words: Vec<&str> = message.split_whitespace().collect();
    let words = match words.as_slice() {
        ["please" | "Please", rest @ ..] => rest,
        all => all,
    };
    let words = words.strip_suffix(&["please"]).unwrap_or(words);
    let (verb, rest) = words.split_first()?;
    let rest = match (verb.to_lowercase().as_str(), rest) {
        ("go" | "browse", ["to", rest @ ..]) | ("browse" | "visit", rest) => return address(rest),
        ("launch", ["the", "app", rest @ ..] | rest) => {
            return (!rest.is_empty() && rest.len() <= 3).then(|| rest.join(" "));
        }
        ("open" | "start", rest) => rest,
        _ => return None,
    };
    address(rest).or_else(|| match rest {
        ["the", "app", name @ ..] | ["app", name @ ..] if (1..=3).contains(&name.len()) => {
            Some(name.join(" "))
        }
        ["my" | "the", name] | [name] if PROGRAMS.contains(&name.to_lowercase().as_str()) => {
            Some((*name).to_owned())
        }
        [name @ .., "app"] if (1..=3).contains(&name.len()) => {
            Some(name.join(" ").trim_start_matches("the ").to_owned())
        }
        _ => None,
    })
}

/// Returns the address if it is the only word, with or without `https://`.
fn address(words: &[&str]) -> Option<String> {
    let [word] = words else { return None };
    if word.starts_with("http://") || word.starts_with("https://") {
        return (word.len() > "https://".len()).then(|| (*word).to_owned());
    }
    let host = word.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, ending) = host.rsplit_once('.')?;
    let plain = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.')
    };
    let is_host = plain(name) && ending.len() >= 2 && ending.chars().all(|c| c.is_ascii_alphabetic());
    // `notes.txt` is a file, not a host.
    let is_file = ["txt", "md", "pdf", "rs", "py", "js", "png", "jpg", "zip", "csv", "json", "html"]
        .contains(&ending.to_lowercase().as_str());
    (is_host && !is_file).then(|| format!("https://{word}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_names_a_program_or_an_address_is_opened() {
        for (message, expected) in [
            ("open firefox", Some("firefox")),
            ("Open Firefox.", Some("Firefox")),
            ("please open the terminal", Some("terminal")),
            ("launch Blender", Some("Blender")),
            ("launch Visual Studio Code please", Some("Visual Studio Code")),
            ("open the app Blender", Some("Blender")),
            ("open Blender app", Some("Blender")),
            ("open https://example.org/a?b=1", Some("https://example.org/a?b=1")),
            ("go to example.org", Some("https://example.org")),
            ("browse to en.example.org/wiki", Some("https://en.example.org/wiki")),
            ("open source licences", None),
            ("open the door", None),
            ("open notes.txt", None),
            ("open notes.TXT", None),
            ("go to sleep", None),
            ("go to the shop and buy milk", None),
            ("start over", None),
            ("start", None),
            ("launch", None),
            ("launch a rocket to the far side of the moon", None),
            ("open https://", None),
            ("What does open firefox mean?", None),
            ("open firefox\nand then", None),
            ("", None),
        ] {
            assert_eq!(target(message).as_deref(), expected, "{message}");
        }
    }
}
