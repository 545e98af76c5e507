use std::ffi::OsString;
use std::path::PathBuf;

/// Returns the platform's folder for Perigee's data, which `--home` overrides. `None` if the environment names no home
/// folder.
pub fn data_dir() -> Option<PathBuf> {
    Platform::current().data_dir(|name| std::env::var_os(name))
}

/// Returns the platform's folder for data that can be recreated.
pub fn cache_dir() -> Option<PathBuf> {
    Platform::current().cache_dir(|name| std::env::var_os(name))
}

#[derive(Debug, Clone, Copy)]
enum Platform {
    Xdg,
    Mac,
    Windows,
}

impl Platform {
    fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::Mac
        } else {
            Self::Xdg
        }
    }

    fn data_dir(self, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        let absolute = absolute(variable);
        match self {
            Self::Xdg => absolute("XDG_DATA_HOME")
                .or_else(|| Some(absolute("HOME")?.join(".local/share")))
                .map(|folder| folder.join("perigee")),
            Self::Mac => Some(absolute("HOME")?.join("Library/Application Support/Perigee")),
            Self::Windows => Some(absolute("APPDATA")?.join("Perigee")),
        }
    }

    fn cache_dir(self, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        let absolute = absolute(variable);
        match self {
            Self::Xdg => absolute("XDG_CACHE_HOME")
                .or_else(|| Some(absolute("HOME")?.join(".cache")))
                .map(|folder| folder.join("perigee")),
            Self::Mac => Some(absolute("HOME")?.join("Library/Caches/Perigee")),
            Self::Windows => Some(absolute("LOCALAPPDATA")?.join("Perigee").join("cache")),
        }
    }
}

/// Ignores relative paths, which would mean another folder in every working directory.
fn absolute(variable: impl Fn(&str) -> Option<OsString>) -> impl Fn(&str) -> Option<PathBuf> {
    move |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Variables<'a> = &'a [(&'a str, &'a str)];

    #[test]
    fn each_platform_has_its_folders() {
        let home = [("HOME", "/home/ada")];
        let xdg = [("HOME", "/home/ada"), ("XDG_DATA_HOME", "/data"), ("XDG_CACHE_HOME", "/cache")];
        let relative = [("HOME", "/home/ada"), ("XDG_DATA_HOME", "data"), ("XDG_CACHE_HOME", "")];
        let windows = [("APPDATA", "/Roaming"), ("LOCALAPPDATA", "/Local")];
        let cases: [(Platform, Variables<'_>, Option<&str>, Option<&str>); 6] = [
            (Platform::Xdg, &home, Some("/home/ada/.local/share/perigee"), Some("/home/ada/.cache/perigee")),
            (Platform::Xdg, &xdg, Some("/data/perigee"), Some("/cache/perigee")),
            (
                Platform::Xdg,
                &relative,
                Some("/home/ada/.local/share/perigee"),
                Some("/home/ada/.cache/perigee"),
            ),
            (Platform::Xdg, &[], None, None),
            (
                Platform::Mac,
                &home,
                Some("/home/ada/Library/Application Support/Perigee"),
                Some("/home/ada/Library/Caches/Perigee"),
            ),
            (Platform::Windows, &windows, Some("/Roaming/Perigee"), Some("/Local/Perigee/cache")),
        ];
        for (platform, variables, data, cache) in cases {
            let lookup =
                |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into());
            assert_eq!(platform.data_dir(lookup), data.map(PathBuf::from), "{platform:?} {variables:?}");
            assert_eq!(platform.cache_dir(lookup), cache.map(PathBuf::from), "{platform:?} {variables:?}");
        }
    }
}
