//! Conversion of an editor's prompt into a code request.

use std::path::Path;

use agent_client_protocol_schema::v1::{ContentBlock, EmbeddedResourceResource, ResourceLink};

/// The text of a prompt and the files that come with it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EditorPrompt {
    pub text: String,
    /// Paths relative to the workspace.
    pub files: Vec<String>,
}

/// Reads a prompt. Files of the workspace are passed by path; all other content becomes part of the text.
pub fn read(blocks: Vec<ContentBlock>, root: &Path) -> EditorPrompt {
    let mut prompt = EditorPrompt::default();
    let mut appended = Vec::new();
    for block in blocks {
        match block {
            ContentBlock::Text(text) => prompt.text.push_str(&text.text),
            ContentBlock::ResourceLink(ResourceLink { uri, name, .. }) => match path_in_workspace(&uri, root)
            {
                Some(path) => {
                    prompt.text.extend(["@", &path]);
                    prompt.files.push(path);
                }
                None => prompt.text.extend([&name, " (", &uri, ")"]),
            },
            ContentBlock::Resource(resource) => {
                let EmbeddedResourceResource::TextResourceContents(text) = resource.resource else {
                    continue;
                };
                match path_in_workspace(&text.uri, root) {
                    Some(path) => prompt.files.push(path),
                    None => appended.push(format!("{}:\n```\n{}\n```", text.uri, text.text)),
                }
            }
            _ => {}
        }
    }
    for text in appended {
        prompt.text.push_str("\n\n");
        prompt.text.push_str(&text);
    }
    prompt.files.dedup();
    prompt
}

/// Returns the path of a workspace file as the API names it: relative to the root.
fn path_in_workspace(uri: &str, root: &Path) -> Option<String> {
    let path = uri.strip_prefix("file://")?;
    // A line number after `#` or `?` is not part of the file name.
    let path = percent_decoded(path.split(['#', '?']).next()?)?;
    Some(Path::new(&path).strip_prefix(root).ok()?.to_str()?.to_owned()).filter(|path| !path.is_empty())
}

fn percent_decoded(text: &str) -> Option<String> {
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
        let prompt = read(serde_json::from_value(blocks).unwrap(), Path::new("/w"));
        assert_eq!(prompt.files, ["src/a b.rs", "src/c.rs"]);
        assert!(prompt.text.starts_with("Mend @src/a b.rs, please."), "{}", prompt.text);
        assert!(prompt.text.contains("file:///else/d.rs:\n```\nfn d() {}\n```"), "{}", prompt.text);
        assert!(prompt.text.contains("secret (file:///etc/passwd)"), "it is named, and not read");
    }

    #[test]
    fn nothing_leads_out_of_the_workspace() {
        for uri in
            ["https://w/x", "file:///w", "file:///w/", "file:///wide/x", "file:///w/%zz", "file:///w/%ff"]
        {
            assert_eq!(path_in_workspace(uri, Path::new("/w")), None, "{uri}");
        }
    }
}
