//! Parses the mentions in a request: `@src/main.rs`, `@src/`, `@parse_date`, `@diff`, `@terminal`, `@https://…`.

/// A mentioned source of context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mention {
    /// A file, a folder or a definition. The caller, which knows the files, decides.
    Named(String),
    Folder(String),
    /// The uncommitted changes.
    Diff,
    /// The output of the last command.
    Terminal,
    Web(String),
}

/// The number of mentions that are used.
const MOST: usize = 20;

/// Returns the mentions in a text in their order, without duplicates.
pub fn mentions(text: &str) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    for (place, _) in text.match_indices('@') {
        // An e-mail address is not a mention.
        let before = text[..place].chars().next_back();
        if before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '_' | '.' | '@' | '`')) {
            continue;
        }
        let rest = &text[place + 1..];
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(name, _)| name);
        let name = quoted.unwrap_or_else(|| plain(rest));
        let Some(mention) = of_kind(name, rest).or_else(|| read(name)) else { continue };
        if !found.contains(&mention) && found.len() < MOST {
            found.push(mention);
        }
    }
    found
}

/// Parses a mention whose name follows its kind: `@Folder src`, `@Code parse_date`, `@File a.rs`, `@Web https://…`.
fn of_kind(kind: &str, rest: &str) -> Option<Mention> {
    let after = rest.get(kind.len()..)?.strip_prefix(' ')?;
    let quoted = after.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(name, _)| name);
    let name = quoted.unwrap_or_else(|| plain(after));
    let is = |word: &str| kind.eq_ignore_ascii_case(word) && !name.is_empty();
    if is("web") {
        // Without a scheme, the word after `@web` is ordinary text.
        name.contains("://").then(|| Mention::Web(name.to_owned()))
    } else if is("folder") {
        Some(Mention::Folder(name.trim_end_matches('/').to_owned()))
    } else {
        (is("code") || is("file")).then(|| Mention::Named(name.to_owned()))
    }
}

fn plain(rest: &str) -> &str {
    let end = rest
        .find(|sign: char| sign.is_whitespace() || "\"'`<>()[]{}|,;".contains(sign))
        .unwrap_or(rest.len());
    // Punctuation at the end of a sentence is not part of a name.
    rest[..end].trim_end_matches(['.', ':', '!', '?'])
}

fn read(name: &str) -> Option<Mention> {
    if name.is_empty() || name.starts_with('@') || name.chars().any(char::is_control) {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let after = |kind: &str| {
        lower.starts_with(kind).then(|| name[kind.len()..].to_owned()).filter(|rest| !rest.is_empty())
    };
    Some(match lower.as_str() {
        "diff" => Mention::Diff,
        "terminal" => Mention::Terminal,
        _ if lower.starts_with("https://") || lower.starts_with("http://") => Mention::Web(name.to_owned()),
        _ => match (after("web:"), after("folder:"), after("code:").or_else(|| after("file:"))) {
            (Some(address), ..) => Mention::Web(address),
            (_, Some(folder), _) => Mention::Folder(folder),
            (.., Some(named)) => Mention::Named(named),
            _ => match name.strip_suffix('/') {
                Some(folder) if !folder.is_empty() => Mention::Folder(folder.to_owned()),
                Some(_) => return None,
                None => Mention::Named(name.to_owned()),
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pointed_at_is_found() {
        let named = |name: &str| Mention::Named(name.into());
        for (text, found) in [
            ("Fix @src/main.rs, please", vec![named("src/main.rs")]),
            ("See @src/main.rs.", vec![named("src/main.rs")]),
            ("(@parse_date) and @parse_date again", vec![named("parse_date")]),
            (
                "look in @src/ and @folder:docs",
                vec![Mention::Folder("src".into()), Mention::Folder("docs".into())],
            ),
            ("@Diff @terminal", vec![Mention::Diff, Mention::Terminal]),
            ("read @https://example.org/a?b=c#d!", vec![Mention::Web("https://example.org/a?b=c#d".into())]),
            ("@\"a file.txt\" please", vec![named("a file.txt")]),
            ("@Code:Parser::new", vec![named("Parser::new")]),
            ("@Code add_up and @File \"a b.rs\"", vec![named("add_up"), named("a b.rs")]),
            ("all of @Folder docs/, please", vec![Mention::Folder("docs".into())]),
            ("see @Web https://example.org.", vec![Mention::Web("https://example.org".into())]),
            ("the @web page", vec![named("web")]),
            ("me@example.org and `@decorator` and @@x", vec![]),
            ("@ alone, @/ too", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(mentions(text), found, "{text}");
        }
    }

    #[test]
    fn there_is_an_end_to_it() {
        let many = (0..1000).map(|number| format!("@f{number}")).collect::<Vec<_>>().join(" ");
        assert_eq!(mentions(&many).len(), MOST);
    }
}
