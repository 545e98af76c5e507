//! The answers of servers, as text for the model and pictures for the user.

use protocol::Command;
use rmcp::model::{CallToolResult, ContentBlock, Prompt, PromptMessage, Resource, ResourceContents};
use serde_json::json;

/// The image types shown: bitmaps only, since vector graphics can contain anything.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/// The limit in base64. Pictures are stored with the conversation and sent to every page that shows it.
const MOST_PICTURE_BYTES: usize = 3_000_000;

/// Returns the pictures of an answer that can be shown.
pub fn pictures(server: &str, result: &CallToolResult) -> Option<Command> {
    let found = result.content.iter().filter_map(|block| match block {
        ContentBlock::Image(image) => Some((image.mime_type.as_str(), image.data.as_str())),
        ContentBlock::Resource(embedded) => blob(&embedded.resource),
        _ => None,
    });
    shown(server, found)
}

/// Returns the pictures of a resource that can be shown.
pub fn pictures_in(server: &str, contents: &[ResourceContents]) -> Option<Command> {
    shown(server, contents.iter().filter_map(blob))
}

fn blob(content: &ResourceContents) -> Option<(&str, &str)> {
    match content {
        ResourceContents::BlobResourceContents { mime_type, blob, .. } => {
            Some((mime_type.as_deref()?, blob.as_str()))
        }
        _ => None,
    }
}

fn shown<'a>(server: &str, found: impl Iterator<Item = (&'a str, &'a str)>) -> Option<Command> {
    let mut bytes = 0;
    let fitting = found.filter(|(mime, data)| {
        let fits = PICTURES.contains(mime) && bytes + data.len() <= MOST_PICTURE_BYTES;
        bytes += if fits { data.len() } else { 0 };
        fits
    });
    let pictures: Vec<_> = fitting.map(|(mime, data)| json!({"mime": mime, "data": data})).collect();
    let payload = json!({"title": format!("From {server}"), "pictures": pictures});
    (!pictures.is_empty()).then(|| Command { action: "pictures".to_owned(), payload })
}

/// Returns the text of an answer. Pictures and sounds are only mentioned, since the model does not see them.
pub fn of_call(result: &CallToolResult) -> String {
    let parts: Vec<String> = result.content.iter().map(block).collect();
    match (&result.structured_content, parts.iter().all(|part| part.trim().is_empty())) {
        (Some(value), true) => value.to_string(),
        (None, true) => "It is done, and there is nothing to tell.".to_owned(),
        (_, false) => parts.join("\n"),
    }
}

pub fn of_resources(resources: &[Resource]) -> String {
    if resources.is_empty() {
        return "There is none.".to_owned();
    }
    let line = |resource: &Resource| {
        let about = resource.description.as_deref().unwrap_or_default();
        format!("- {} ({}) {about}", resource.uri, resource.name).trim_end().to_owned()
    };
    resources.iter().map(line).collect::<Vec<_>>().join("\n")
}

pub fn of_contents(contents: &[ResourceContents]) -> String {
    contents.iter().map(content).collect::<Vec<_>>().join("\n")
}

pub fn of_prompts(prompts: &[Prompt]) -> String {
    if prompts.is_empty() {
        return "There is none.".to_owned();
    }
    let line = |prompt: &Prompt| {
        let arguments = prompt.arguments.iter().flatten().map(|argument| argument.name.clone());
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        format!("- {}({arguments}): {}", prompt.name, prompt.description.as_deref().unwrap_or_default())
    };
    prompts.iter().map(line).collect::<Vec<_>>().join("\n")
}

pub fn of_messages(messages: &[PromptMessage]) -> String {
    messages.iter().map(|message| block(&message.content)).collect::<Vec<_>>().join("\n\n")
}

fn block(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => format!("[a picture, {}, {}]", image.mime_type, size(&image.data)),
        ContentBlock::Audio(audio) => format!("[a sound, {}, {}]", audio.mime_type, size(&audio.data)),
        ContentBlock::Resource(embedded) => content(&embedded.resource),
        ContentBlock::ResourceLink(link) => format!("[{}: {}]", link.name, link.uri),
        _ => "[something unknown]".to_owned(),
    }
}

fn content(content: &ResourceContents) -> String {
    match content {
        ResourceContents::TextResourceContents { text, .. } => text.clone(),
        ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
            let kind = mime_type.as_deref().unwrap_or("of an unknown kind");
            format!("[the file {uri}, {kind}, {}]", size(blob))
        }
        _ => "[something unknown]".to_owned(),
    }
}

/// Returns the size of base64 data.
fn size(data: &str) -> String {
    format!("{} kB", (data.len() / 4 * 3).div_ceil(1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(blocks: &[(&str, usize)]) -> CallToolResult {
        let picture = |&(mime, size): &(&str, usize)| ContentBlock::image("A".repeat(size), mime);
        CallToolResult::success(blocks.iter().map(picture).collect())
    }

    #[test]
    fn pictures_are_shown_as_far_as_they_are_pixels_and_not_too_many() {
        let count = |blocks| pictures("sky", &answer(blocks)).map(|shown| shown.payload["pictures"].clone());
        let count = |blocks| count(blocks).and_then(|list| list.as_array().map(Vec::len)).unwrap_or_default();
        assert_eq!(count(&[("image/png", 400), ("image/jpeg", 400)]), 2);
        assert_eq!(count(&[("image/svg+xml", 400), ("text/html", 400)]), 0);
        assert_eq!(count(&[("image/png", MOST_PICTURE_BYTES + 1), ("image/png", 4)]), 1, "the small one");
        assert_eq!(count(&[("image/png", MOST_PICTURE_BYTES), ("image/png", 4)]), 1, "no room for another");
        assert_eq!(of_call(&answer(&[("image/png", 400)])), "[a picture, image/png, 1 kB]");
    }
}
