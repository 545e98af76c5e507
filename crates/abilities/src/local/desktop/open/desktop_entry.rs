//! Parses `.desktop` files of applications.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    /// The file name without its extension.
    pub id: String,
    pub name: String,
    /// The names in all languages.
    pub names: Vec<String>,
    pub generic_names: Vec<String>,
    pub keywords: Vec<String>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// A program that must exist for the entry to be valid.
    pub needs: Option<String>,
}

impl Application {
    /// Returns `None` if the entry is no application, is hidden, or runs in a terminal.
    pub fn read(id: &str, text: &str) -> Option<Self> {
        let lines = text.lines().map(str::trim).skip_while(|line| *line != "[Desktop Entry]").skip(1);
        let entries: Vec<(&str, &str)> = lines
            .take_while(|line| !line.starts_with('['))
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once('='))
            .map(|(key, value)| (key.trim(), value.trim()))
            .collect();
        let get = |wanted: &str| entries.iter().find(|(key, _)| *key == wanted).map(|(_, value)| *value);
        let is_on = |key: &str| get(key) == Some("true");
        if get("Type") != Some("Application") || is_on("NoDisplay") || is_on("Hidden") || is_on("Terminal") {
            return None;
        }
        let in_all_languages = |wanted: &str| -> Vec<String> {
            let same = |key: &str| key.split('[').next() == Some(wanted);
            entries.iter().filter(|(key, _)| same(key)).map(|(_, value)| unescaped(value)).collect()
        };
        let name = unescaped(get("Name")?);
        Some(Self {
            id: id.to_owned(),
            names: in_all_languages("Name"),
            generic_names: in_all_languages("GenericName"),
            keywords: keywords_of(&in_all_languages("Keywords")),
            command: command(&unescaped(get("Exec")?), &name)?,
            needs: get("TryExec").map(ToOwned::to_owned),
            name,
        })
    }
}

fn keywords_of(lists: &[String]) -> Vec<String> {
    let words = lists.iter().flat_map(|list| list.split(';')).map(str::trim);
    words.filter(|word| !word.is_empty()).map(ToOwned::to_owned).collect()
}

fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        match letters.next() {
            Some('s') => text.push(' '),
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('\\') | None => text.push('\\'),
            Some(other) => text.extend(['\\', other]),
        }
    }
    text
}

/// Splits an `Exec` line into words. It has no shell syntax: quotes group words, and `%` codes are placeholders for
/// files to open, which are left empty.
fn command(exec: &str, name: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quoted, mut begun, mut only_marks) = (false, false, true);
    let mut letters = exec.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' if !quoted => {
                if begun && !(only_marks && word.is_empty()) {
                    words.push(std::mem::take(&mut word));
                }
                (begun, only_marks) = (false, true);
                word.clear();
                continue;
            }
            '"' => {
                quoted = !quoted;
                only_marks = false;
            }
            '\\' if quoted => word.extend(letters.next()),
            '%' => match letters.next() {
                Some('%') => word.push('%'),
                Some('c') => word.push_str(name),
                _ => {}
            },
            other => word.push(other),
        }
        begun = true;
    }
    if quoted {
        return None;
    }
    if begun && !(only_marks && word.is_empty()) {
        words.push(word);
    }
    (!words.is_empty() && !words[0].is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_read_as_no_shell_would() {
        let cases: [(&str, &[&str]); 8] = [
            ("firefox %u", &["firefox"]),
            ("/usr/bin/env FOO=1 app --flag", &["/usr/bin/env", "FOO=1", "app", "--flag"]),
            (r#""/opt/My App/run" --name "two words" %F"#, &["/opt/My App/run", "--name", "two words"]),
            (r#"app "a \"quoted\" \$word""#, &["app", "a \"quoted\" $word"]),
            ("app --percent=100%% %i", &["app", "--percent=100%"]),
            ("app --title %c", &["app", "--title", "Name"]),
            ("app $(touch /tmp/x); `rm`", &["app", "$(touch", "/tmp/x);", "`rm`"]),
            (r#"app "" last"#, &["app", "", "last"]),
        ];
        for (exec, expected) in cases {
            assert_eq!(command(exec, "Name").unwrap(), expected, "{exec}");
        }
        for exec in ["", "  ", "%u", "\"open", "\"\" a"] {
            assert_eq!(command(exec, "Name"), None, "{exec:?}");
        }
    }

    #[test]
    fn an_entry_is_read() {
        let text = "# note\n[Desktop Entry]\nType=Application\nName=Files\nName[de]=Dateien\nGenericName=File Manager\n\
                    Keywords=folder;manager;\nExec=nautilus --new-window %U\n[Desktop Action x]\nName=Other\nExec=evil\n";
        let application = Application::read("org.gnome.Nautilus", text).unwrap();
        assert_eq!(application.names, ["Files", "Dateien"]);
        assert_eq!(application.keywords, ["folder", "manager"]);
        assert_eq!(application.command, ["nautilus", "--new-window"]);
        for hidden in ["NoDisplay=true", "Hidden=true", "Terminal=true"] {
            assert_eq!(
                Application::read("x", &text.replace("Keywords=folder;manager;", hidden)),
                None,
                "{hidden}"
            );
        }
        assert_eq!(Application::read("x", &text.replace("Type=Application", "Type=Link")), None);
        assert_eq!(Application::read("x", ""), None);
    }
}
