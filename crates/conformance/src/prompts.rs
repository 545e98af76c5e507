use rmcp::model::{ContentBlock, ErrorData, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value};

use crate::resources;

const SIMPLE: &str = "test_simple_prompt";
const WITH_ARGUMENTS: &str = "test_prompt_with_arguments";
const WITH_RESOURCE: &str = "test_prompt_with_embedded_resource";
const WITH_IMAGE: &str = "test_prompt_with_image";

/// The values offered when arguments are completed.
const WORDS: [&str; 4] = ["paris", "park", "party", "test"];

pub fn all() -> Vec<Prompt> {
    let prompt = |name, about, arguments: &[(&str, &str)]| {
        let argument = |(name, about): &(&str, &str)| {
            PromptArgument::new(*name).with_description(*about).with_required(true)
        };
        let arguments: Vec<PromptArgument> = arguments.iter().map(argument).collect();
        Prompt::new(name, Some(about), (!arguments.is_empty()).then_some(arguments))
    };
    vec![
        prompt(SIMPLE, "One message.", &[]),
        prompt(
            WITH_ARGUMENTS,
            "One message with two arguments in it.",
            &[("arg1", "The first argument."), ("arg2", "The second argument.")],
        ),
        prompt(
            WITH_RESOURCE,
            "A resource, and a message about it.",
            &[("resourceUri", "The resource to put in.")],
        ),
        prompt(WITH_IMAGE, "A picture, and a message about it.", &[]),
    ]
}

pub fn get(name: &str, arguments: &Map<String, Value>) -> Result<GetPromptResult, ErrorData> {
    let given = |name: &str| {
        let value = arguments.get(name).and_then(Value::as_str);
        value.ok_or_else(|| ErrorData::invalid_params(format!("the argument {name} is missing"), None))
    };
    let parts = match name {
        SIMPLE => vec![ContentBlock::text("This is a simple prompt for testing.")],
        WITH_ARGUMENTS => {
            let (first, second) = (given("arg1")?, given("arg2")?);
            vec![ContentBlock::text(format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
        }
        WITH_RESOURCE => {
            let text = "Embedded resource content for testing.";
            vec![
                ContentBlock::resource(resources::text(given("resourceUri")?, resources::TEXT_KIND, text)),
                ContentBlock::text("Please process the embedded resource above."),
            ]
        }
        WITH_IMAGE => vec![
            ContentBlock::image(resources::PICTURE, resources::PICTURE_KIND),
            ContentBlock::text("Please analyze the image above."),
        ],
        _ => return Err(ErrorData::invalid_params(format!("there is no prompt {name}"), None)),
    };
    let messages = parts.into_iter().map(|part| PromptMessage::new(Role::User, part)).collect();
    Ok(GetPromptResult::new(messages))
}

pub fn completions(start: &str) -> Vec<String> {
    WORDS.iter().filter(|word| word.starts_with(start)).map(|word| (*word).to_owned()).collect()
}
