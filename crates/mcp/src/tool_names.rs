//! Names of external tools, unique among all tools.

use sha2::{Digest as _, Sha256};

/// The longest tool name that model servers accept.
const LONGEST: usize = 64;
const SEPARATOR: &str = "__";
const LONGEST_SERVER: usize = 32;

/// Returns the server's part of its tool names: `brave.search` becomes `brave_search`.
pub fn server_prefix(server: &str) -> String {
    let mut prefix = String::new();
    for letter in server.chars() {
        let letter = if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
        // A double underscore separates server and tool.
        if letter != '_' || !prefix.ends_with('_') {
            prefix.push(letter);
        }
    }
    let prefix = prefix.trim_matches('_');
    shortened(if prefix.is_empty() { "server" } else { prefix }, server, LONGEST_SERVER)
}

/// Returns `server__tool`, in characters that every model server accepts.
pub fn tool_name(server: &str, tool: &str) -> String {
    let plain: String = tool
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' })
        .collect();
    shortened(&format!("{}{SEPARATOR}{plain}", server_prefix(server)), tool, LONGEST)
}

/// Shortens a long name and adds a short hash of the full one, to keep names with the same beginning apart.
fn shortened(name: &str, whole: &str, longest: usize) -> String {
    if name.len() <= longest {
        return name.to_owned();
    }
    let sum = host::hex(&Sha256::digest(whole)[..3]);
    format!("{}_{sum}", &name[..longest - sum.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_whose_tool_it_is() {
        for (server, tool, name) in [
            ("time", "get_current_time", "time__get_current_time"),
            ("brave.search", "web", "brave_search__web"),
            ("a__b", "c", "a_b__c"),
            ("", "x", "server__x"),
            ("Ärger", "files/read me", "rger__files_read_me"),
        ] {
            assert_eq!(tool_name(server, tool), name);
        }
    }

    #[test]
    fn long_names_stay_apart() {
        let (one, other) = (format!("{}1", "x".repeat(100)), format!("{}2", "x".repeat(100)));
        let names =
            [tool_name("s", &one), tool_name("s", &other), tool_name(&one, "t"), tool_name(&other, "t")];
        assert!(names.iter().all(|name| name.len() <= LONGEST), "{names:?}");
        assert_ne!(names[0], names[1]);
        assert_ne!(names[2], names[3]);
    }
}
