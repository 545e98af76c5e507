//! Conversion of an editor's prompt into a code request.

use std::path::Path;

use agent_client_protocol_schema::v1::{ContentBlock, EmbeddedResourceResource, ResourceLink};

/// The text of a prompt and the files that come with it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub text: String,
    /// Paths relative to the workspace.
    pub files: Vec<String>,
}

/// Reads a prompt. Files of the workspace are passed by path; all other content becomes part of the text.
pub fn read(blocks: Vec<ContentBlock>, root: &Path) -> Asked {
    let mut asked = Asked::default();
    let mut brought = Vec::new();
    for block in blocks {
        match block {
            ContentBlock::Text(text) => asked.text.push_str(&text.text),
            ContentBlock::ResourceLink(ResourceLink { uri, name, .. }) => match within(&uri, root) {
                Some(path) => {
                    asked.text.extend(["@", &path]);
                    asked.files.push(path);
                }
                None => asked.text.extend([&name, " (", &uri, ")"]),
            },
            ContentBlock::Resource(resource) => {
                let EmbeddedResourceResource::TextResourceContents(text) = resource.resource else {
                    continue;
                };
                match within(&text.uri, root) {
                    Some(path) => asked.files.push(path),
                    None => brought.push(format!("{}:\n```\n{}\n```", text.uri, text.text)),
                }
            }
            _ => {}
        }
    }
    for text in brought {
        asked.text.push_str("\n\n");
        asked.text.push_str(&text);
    }
    asked.files.dedup();
    asked
}

/// Returns the path of a workspace file as the API names it: relative to the root.
fn within(uri: &str, root: &Path) -> Option<String> {
    let path = uri.strip_prefix("file://")?;
    // A line number after `#` or `?` is not part of the file name.
    let path = unescaped(path.split(['#', '?']).next()?)?;
    Some(Path::new(&path).strip_prefix(root).ok()?.to_str()?.to_owned()).filter(|path| !path.is_empty())
}

fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if let (b'%', [high, low, after @ ..]) = (first, after) {
            let digits = [*high, *low];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_of_the_workspace_are_named_and_others_are_brought_along() {
        let blocks = json!([
            {"type": "text", "text": "Mend "},
            {"type": "resource_link", "name": "a b.rs", "uri": "file:///w/src/a%20b.rs#L3"},
            {"type": "text", "text": ", please."},
            {"type": "resource", "resource": {"uri": "file:///w/src/c.rs", "text": "fn c() {}"}},
            {"type": "resource", "resource": {"uri": "file:///else/d.rs", "text": "fn d() {}"}},
            {"type": "resource_link", "name": "secret", "uri": "file:///etc/passwd"},
        ]);
        let asked = read(serde_json::from_value(blocks).unwrap(), Path::new("/w"));
        assert_eq!(asked.files, ["src/a b.rs", "src/c.rs"]);
        assert!(asked.text.starts_with("Mend @src/a b.rs, please."), "{}", asked.text);
        assert!(asked.text.contains("file:///else/d.rs:\n```\nfn d() {}\n```"), "{}", asked.text);
        assert!(asked.text.contains("secret (file:///etc/passwd)"), "it is named, and not read");
    }

    #[test]
    fn nothing_leads_out_of_the_workspace() {
        for uri in
            ["https://w/x", "file:///w", "file:///w/", "file:///wide/x", "file:///w/%zz", "file:///w/%ff"]
        {
            assert_eq!(within(uri, Path::new("/w")), None, "{uri}");
        }
    }
}
