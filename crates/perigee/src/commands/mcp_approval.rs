//! The approval text for a server written by Luna that was changed.

use std::fmt::Write as _;

use protocol::{MadeInfo, MadeSource, McpServerInfo};
use workspace::FileDiff;

/// Describes everything that an approval covers: the purpose, the hosts and the changes.
pub fn describe(server: &McpServerInfo, made: &MadeInfo, source: &MadeSource, hosts: &[String]) -> String {
    let mut text = match server.asks {
        Some(_) => format!("{} has changed since you approved it.\n", server.name),
        None => format!("{} is unchanged. Only the hosts that it may reach change.\n", server.name),
    };
    let described = server.description.as_deref().unwrap_or_default();
    let _ = writeln!(text, "\nDescription:        {described}");
    if let Some(before) = &source.described_before {
        let _ = writeln!(text, "Description before: {before}");
    }
    let reaches = match (made.wants_network, hosts) {
        (false, _) => "no host".to_owned(),
        (true, []) => "no host, though it asks for the network. Name some with `--hosts`".to_owned(),
        (true, [all]) if all == "*" => "every public host".to_owned(),
        (true, hosts) => hosts.join(", "),
    };
    let _ = writeln!(text, "Reaches:            {reaches}");
    match source.wanted_network_before {
        Some(false) => text.push_str("It did not ask for the network before.\n"),
        Some(true) => text.push_str("It asked for the network before, but not any more.\n"),
        None => {}
    }
    match &source.before {
        Some(before) if *before == source.code => text.push_str("\nIts code is unchanged.\n"),
        Some(before) => {
            let diff = FileDiff::of(Some(before.as_bytes()), Some(source.code.as_bytes()));
            let _ = writeln!(text, "\nChanges to its code:\n{}", diff.unified_hunks());
        }
        None => {
            let _ = writeln!(text, "\nIts code:\n{}", source.code);
        }
    }
    text.push_str("\nIt is tested in the sandbox first. Then Luna can use it.");
    text
}

#[cfg(test)]
mod tests {
    use protocol::{McpKind, McpState};

    use super::*;

    #[test]
    fn all_that_is_different_is_shown() {
        let server = McpServerInfo {
            name: "dice".into(),
            kind: McpKind::Made,
            state: McpState::Asking,
            trouble: None,
            reach: String::new(),
            description: Some("Sends dice.".into()),
            version: None,
            tools: Vec::new(),
            left_out: Vec::new(),
            has_resources: false,
            has_prompts: false,
            sign_in: None,
            asks: Some("sum".into()),
            made: None,
        };
        let made = MadeInfo {
            digest: "d".into(),
            auto_start: false,
            wants_network: true,
            hosts: vec!["a.example".into()],
            created_at: String::new(),
            changed_at: String::new(),
            versions: Vec::new(),
        };
        let source = MadeSource {
            code: "import os\nroll()\n".into(),
            before: Some("roll()\n".into()),
            described_before: Some("Rolls dice.".into()),
            wanted_network_before: Some(false),
        };
        let shown = describe(&server, &made, &source, &made.hosts);
        for part in [
            "Sends dice.",
            "Rolls dice.",
            "a.example",
            "did not ask for the network",
            "+import os",
            " roll()",
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        assert!(describe(&server, &made, &source, &[]).contains("no host, though"));
        let same = MadeSource { before: Some(source.code.clone()), ..source.clone() };
        assert!(describe(&server, &made, &same, &[]).contains("Its code is unchanged."));
        let first = MadeSource { before: None, ..source };
        assert!(describe(&server, &made, &first, &[]).contains("import os\nroll()"));
    }
}
