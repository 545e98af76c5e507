use std::collections::HashSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::super::environment::DesktopEnvironment;
use super::desktop_entry::Application;

const MOST_ENTRIES: usize = 5_000;
const LARGEST_ENTRY: u64 = 256 * 1024;
const MOST_SUGGESTIONS: usize = 3;

/// Returns the applications of this desktop. A user's own entry overrides the system's entry of the same name.
pub fn applications(desktop: &dyn DesktopEnvironment) -> Vec<Application> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for folder in folders(desktop) {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()).take(MOST_ENTRIES) {
            let Some(id) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".desktop")) else {
                continue;
            };
            if seen.insert(id.to_owned())
                && let Some(text) = text_of(&path)
                && let Some(application) = Application::read(id, &text)
                && application.needs.as_deref().is_none_or(|program| is_there(desktop, program))
            {
                found.push(application);
            }
        }
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    found
}

fn folders(desktop: &dyn DesktopEnvironment) -> Vec<PathBuf> {
    let home = desktop.variable("HOME").map(PathBuf::from);
    let own = desktop
        .variable("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(home.as_ref()?.join(".local/share")));
    let flatpak = home.map(|home| home.join(".local/share/flatpak/exports/share"));
    let shared = desktop.variable("XDG_DATA_DIRS").unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    let shared: Vec<PathBuf> = shared.split(':').map(PathBuf::from).collect();
    let packaged = ["/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop"].map(PathBuf::from);
    let all = own.into_iter().chain(flatpak).chain(shared).chain(packaged);
    all.filter(|folder| folder.is_absolute()).map(|folder| folder.join("applications")).collect()
}

fn text_of(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let mut text = String::new();
    fs::File::open(path).ok()?.take(LARGEST_ENTRY).read_to_string(&mut text).ok()?;
    Some(text)
}

fn is_there(desktop: &dyn DesktopEnvironment, program: &str) -> bool {
    if Path::new(program).is_absolute() { Path::new(program).exists() } else { desktop.has(program) }
}

/// Returns the application meant by a name, or the nearest names.
pub fn choose<'a>(applications: &'a [Application], wanted: &str) -> Result<&'a Application, Vec<&'a str>> {
    let wanted = folded(wanted);
    let best = applications
        .iter()
        .map(|application| (likeness(application, &wanted), application))
        .filter(|(likeness, _)| *likeness > 0)
        // Of two equally good matches the shorter name wins: `Code` before `Code Insiders`.
        .max_by_key(|(likeness, application)| (*likeness, std::cmp::Reverse(application.name.len())));
    best.map(|(_, application)| application).ok_or_else(|| nearest(applications, &wanted))
}

/// Words that users add to a name.
const FILLERS: [&str; 8] = ["the", "app", "application", "program", "browser", "player", "my", "a"];

fn likeness(application: &Application, wanted: &str) -> u8 {
    if wanted.is_empty() {
        return 0;
    }
    let of =
        |names: &[String], matches: &dyn Fn(&str) -> bool| names.iter().any(|name| matches(&folded(name)));
    let words_in = |name: &str| wanted.split(' ').all(|word| name.split(' ').any(|known| known == word));
    let name_in = |name: &str| {
        let mut words = wanted.split(' ').filter(|word| !FILLERS.contains(word));
        !name.is_empty() && name.split(' ').all(|word| words.next() == Some(word)) && words.next().is_none()
    };
    let nearly = |name: &str| name.len() > 3 && strsim::osa_distance(name, wanted) <= 1 + name.len() / 8;
    let last_of_id = application.id.rsplit('.').next().unwrap_or_default();
    let program =
        application.command.first().and_then(|program| program.rsplit('/').next()).unwrap_or_default();
    let short = [application.id.as_str(), last_of_id, program].map(folded);
    match () {
        () if of(&application.names, &|name| name == wanted) => 100,
        () if short.iter().any(|name| name == wanted) => 95,
        () if of(&application.generic_names, &|name| name == wanted) => 85,
        () if of(&application.names, &words_in) => 75,
        () if of(&application.names, &|name| name.starts_with(wanted)) => 70,
        () if of(&application.names, &name_in) => 65,
        () if of(&application.names, &nearly) => 60,
        () if of(&application.generic_names, &words_in) => 55,
        () if of(&application.keywords, &|word| word == wanted) => 45,
        () => 0,
    }
}

fn nearest<'a>(applications: &'a [Application], wanted: &str) -> Vec<&'a str> {
    let mut near: Vec<(usize, &str)> = applications
        .iter()
        .map(|application| {
            (strsim::osa_distance(&folded(&application.name), wanted), application.name.as_str())
        })
        .filter(|(distance, name)| *distance <= 2 + name.len() / 3)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(MOST_SUGGESTIONS).map(|(_, name)| name).collect()
}

/// Reduces a name to lower case and single spaces: `Visual-Studio Code` becomes `visual studio code`.
fn folded(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    plain.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn application(id: &str, name: &str, generic: &str, command: &str) -> Application {
        let text = format!(
            "[Desktop Entry]\nType=Application\nName={name}\nName[de]={name} auf Deutsch\nGenericName={generic}\nKeywords=Internet;WWW;\nExec={command} %U\n"
        );
        Application::read(id, &text).unwrap()
    }

    #[test]
    fn the_one_that_is_meant_is_found() {
        let applications = [
            application("firefox", "Firefox Web Browser", "Web Browser", "/usr/lib/firefox/firefox"),
            application("org.gnome.Calculator", "Calculator", "", "gnome-calculator"),
            application("code", "Visual Studio Code", "Text Editor", "/usr/share/code/code"),
            application("code-insiders", "Visual Studio Code - Insiders", "Text Editor", "code-insiders"),
            application("org.gnome.Terminal", "Terminal", "", "gnome-terminal"),
            application("spotify", "Spotify", "Music Player", "spotify"),
        ];
        let cases = [
            ("firefox", Some("firefox")),
            ("Firefox", Some("firefox")),
            ("web browser", Some("firefox")),
            ("browser", Some("firefox")),
            ("Visual Studio Code", Some("code")),
            ("vs code", None),
            ("code", Some("code")),
            ("studio code", Some("code")),
            ("visual studio code insiders", Some("code-insiders")),
            ("calc", Some("org.gnome.Calculator")),
            ("calculater", Some("org.gnome.Calculator")),
            ("gnome-calculator", Some("org.gnome.Calculator")),
            ("org.gnome.Terminal", Some("org.gnome.Terminal")),
            ("the spotify app", Some("spotify")),
            ("spotify; rm -rf ~", None),
            ("music player", Some("spotify")),
            ("photoshop", None),
            ("", None),
            ("...", None),
        ];
        for (wanted, expected) in cases {
            let chosen = choose(&applications, wanted).ok().map(|application| application.id.as_str());
            assert_eq!(chosen, expected, "{wanted}");
        }
        assert_eq!(choose(&applications, "Spotty").unwrap_err(), ["Spotify"]);
    }
}
