//! The resources, and the picture and sound that tools and prompts also return.

use rmcp::model::{ErrorData, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

/// An image of a single red pixel.
pub const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
pub const PICTURE_KIND: &str = "image/png";

/// A recording of two silent samples.
pub const SOUND: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==";
pub const SOUND_KIND: &str = "audio/wav";

pub const TEXT_KIND: &str = "text/plain";
pub const JSON_KIND: &str = "application/json";

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";
const TEMPLATE: (&str, &str) = ("test://template/", "/data");

pub fn all() -> Vec<Resource> {
    let resource =
        |uri, name, kind, about| Resource::new(uri, name).with_description(about).with_mime_type(kind);
    vec![
        resource(TEXT, "static-text", TEXT_KIND, "A text that never changes."),
        resource(BINARY, "static-binary", PICTURE_KIND, "A picture that never changes."),
        resource(WATCHED, "watched-resource", TEXT_KIND, "A text that can be subscribed to."),
    ]
}

pub fn templates() -> Vec<ResourceTemplate> {
    let (start, end) = TEMPLATE;
    let template = ResourceTemplate::new(format!("{start}{{id}}{end}"), "template")
        .with_description("The data of an ID.")
        .with_mime_type(JSON_KIND);
    vec![template]
}

pub fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let contents = match uri {
        TEXT => text(uri, TEXT_KIND, "This is the content of the static text resource."),
        BINARY => ResourceContents::blob(PICTURE, uri).with_mime_type(PICTURE_KIND),
        WATCHED => text(uri, TEXT_KIND, "Watched resource content."),
        _ => {
            let id = id_in(uri)
                .ok_or_else(|| ErrorData::resource_not_found(format!("there is no resource {uri}"), None))?;
            let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            text(uri, JSON_KIND, &data.to_string())
        }
    };
    Ok(ReadResourceResult::new(vec![contents]))
}

pub fn text(uri: &str, kind: &str, text: &str) -> ResourceContents {
    ResourceContents::text(text, uri).with_mime_type(kind)
}

fn id_in(uri: &str) -> Option<&str> {
    let (start, end) = TEMPLATE;
    let id = uri.strip_prefix(start)?.strip_suffix(end)?;
    (!id.is_empty() && !id.contains('/')).then_some(id)
}
