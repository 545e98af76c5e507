//! What a server answers, in words for the model.

use rmcp::model::{CallToolResult, ContentBlock, Prompt, PromptMessage, Resource, ResourceContents};

/// The text of an answer. Pictures and sounds are named, not shown.
pub fn result(result: &CallToolResult) -> String {
    let parts: Vec<String> = result.content.iter().map(block).collect();
    match (&result.structured_content, parts.iter().all(|part| part.trim().is_empty())) {
        (Some(value), true) => value.to_string(),
        (None, true) => "It is done, and there is nothing to tell.".to_owned(),
        (_, false) => parts.join("\n"),
    }
}

pub fn resources(resources: &[Resource]) -> String {
    if resources.is_empty() {
        return "There is none.".to_owned();
    }
    let line = |resource: &Resource| {
        let about = resource.description.as_deref().unwrap_or_default();
        format!("- {} ({}) {about}", resource.uri, resource.name).trim_end().to_owned()
    };
    resources.iter().map(line).collect::<Vec<_>>().join("\n")
}

pub fn contents(contents: &[ResourceContents]) -> String {
    contents.iter().map(content).collect::<Vec<_>>().join("\n")
}

pub fn prompts(prompts: &[Prompt]) -> String {
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

pub fn messages(messages: &[PromptMessage]) -> String {
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

/// Of something in base64.
fn size(data: &str) -> String {
    format!("{} kB", (data.len() / 4 * 3).div_ceil(1_000))
}
