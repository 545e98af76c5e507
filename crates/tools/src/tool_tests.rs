use serde::Deserialize;
use serde_json::json;

use super::*;

/// Says something back.
#[derive(Deserialize, JsonSchema)]
struct Words {
    /// What to say.
    text: String,
    /// How often.
    times: Option<u32>,
}

struct Echo;

#[async_trait]
impl Ability for Echo {
    type Arguments = Words;
    const NAME: &'static str = "echo";
    const ABOUT: &'static str = "Says something back.";
    const EFFECTS: &'static [Effect] = &[Effect::ReadsPrivate];
    const TAGS: &'static [&'static str] = &["ECHO"];
    const TIME_LIMIT: Duration = Duration::from_millis(50);

    async fn run(&self, words: Words, _: &Invocation) -> Result<ToolOutput, ToolError> {
        match words.text.as_str() {
            "for ever" => std::future::pending().await,
            "broken" => panic!("as the test wants"),
            text => Ok(ToolOutput::text(text.repeat(words.times.unwrap_or(1) as usize))),
        }
    }
}

fn invocation(arguments: Value) -> Invocation {
    let Value::Object(arguments) = arguments else { panic!("an object") };
    Invocation {
        folder: Path::new("").into(),
        arguments,
        user: UserId::new(1),
        conversation: ConversationId::new(1),
        origins: Vec::new(),
        cancel: CancellationToken::new(),
        user_channel: Arc::new(crate::user_channel::NoUser),
    }
}

#[tokio::test]
async fn arguments_make_the_schema_and_are_read_by_it() {
    let echo = tool(Echo).unwrap();
    let spec = echo.spec();
    assert_eq!(spec.outline(), "text: string, times?: integer");
    assert_eq!(spec.parameters["properties"]["text"]["description"], "What to say.");
    assert!(spec.parameters.get("$schema").is_none());
    assert!(spec.has(Effect::ReadsPrivate) && !spec.has(Effect::SendsOut));
    assert_eq!(spec.tags, ["ECHO"]);
    assert!(spec.check(json!({"text": "hi", "volume": 3}).as_object().unwrap()).is_err());
    let said = echo.run(invocation(json!({"text": "hi ", "times": 2}))).await;
    assert_eq!(said, Ok(ToolOutput::text("hi hi ")));
}

#[tokio::test]
async fn what_takes_too_long_is_ended_and_what_is_long_is_cut() {
    let echo = tool(Echo).unwrap();
    let late = run(&echo, invocation(json!({"text": "for ever"}))).await;
    assert_eq!(late, Err(ToolError::TookTooLong(1)));
    let long = run(&echo, invocation(json!({"text": "moon", "times": 9000}))).await.unwrap().text;
    assert!(long.ends_with("[28000 more characters are left out]"), "{}", long.len());
    let stopped = invocation(json!({"text": "for ever"}));
    stopped.cancel.cancel();
    assert_eq!(run(&echo, stopped).await, Err(ToolError::Stopped));
    let broken = run(&echo, invocation(json!({"text": "broken"}))).await;
    assert!(matches!(broken, Err(ToolError::Failed(_))), "{broken:?}");
}
