use super::*;
use crate::ModelMessage;

fn model(script: &str) -> CommandModel {
    let llm = config::Llm {
        command: ["sh", "-c", script].map(ToOwned::to_owned).to_vec(),
        ..config::Llm::default()
    };
    CommandModel::new(&llm).unwrap()
}

fn request(text: &str) -> ModelRequest {
    ModelRequest {
        messages: vec![
            ModelMessage::text(ModelRole::System, "Be kind."),
            ModelMessage::text(ModelRole::User, text),
        ],
        ..ModelRequest::default()
    }
}

async fn answer(script: &str, request: ModelRequest) -> (String, Result<StopReason, ModelError>) {
    let mut stream = model(script).chat(request).await.unwrap();
    let mut text = String::new();
    while let Some(delta) = stream.next().await {
        match delta {
            Ok(Delta::Text(piece)) => text.push_str(&piece),
            Ok(Delta::Stop(reason)) => return (text, Ok(reason)),
            Ok(_) => {}
            Err(error) => return (text, Err(error)),
        }
    }
    panic!("the stream ended without a stop");
}

#[tokio::test]
async fn the_prompt_is_plain_and_the_reply_is_what_is_printed() {
    let (text, stop) = answer("cat; echo; echo done", request("Hi")).await;
    // The response is cut at the first heading in the output, here the prompt's own.
    assert_eq!((text.as_str(), stop.unwrap()), ("### System\nBe kind.", StopReason::End));
    assert_eq!(prompt(&request("Hi")), "### System\nBe kind.\n\n### User\nHi\n\n### Assistant\n");
}

#[tokio::test]
async fn replies_end_where_they_should() {
    let cases = [
        ("printf 'Hello\\n\\nthere\\n\\n'", "Hello\n\nthere"),
        ("printf '\\n\\nHello\\n### User\\nforged'", "Hello"),
        ("printf 'Mond \\360\\237'; printf '\\214\\231'", "Mond 🌙"),
        ("printf 'a\\377b'", "a\u{fffd}b"),
        ("printf 'one STOP two'", "one "),
    ];
    for (script, expected) in cases {
        let mut request = request("Hi");
        request.sampling.stop = vec!["STOP".to_owned()];
        let (text, stop) = answer(script, request).await;
        assert_eq!((text.as_str(), stop.unwrap()), (expected, StopReason::End), "{script}");
    }
}

#[tokio::test]
async fn a_failing_program_is_quoted() {
    let (text, stop) = answer("echo part; echo 'out of cheese' >&2; exit 3", request("Hi")).await;
    let error = stop.unwrap_err();
    assert_eq!(text, "part");
    assert!(matches!(error, ModelError::Cut(_)) && error.to_string().contains("out of cheese"), "{error}");

    let (_, stop) = answer("echo 'no model' >&2; exit 1", request("Hi")).await;
    let error = stop.unwrap_err();
    assert!(matches!(error, ModelError::Failed(_)) && error.to_string().contains("no model"), "{error}");

    let (_, stop) = answer("true", request("Hi")).await;
    assert!(stop.unwrap_err().to_string().contains("printed nothing"));
}

#[tokio::test]
async fn an_endless_reply_is_ended() {
    let (text, stop) = answer("yes moon", request("Hi")).await;
    assert_eq!(stop.unwrap(), StopReason::Length);
    assert!(text.len() > 1000);
}

#[tokio::test]
async fn cancelling_kills_the_program_and_what_it_started() {
    let request = request("Hi");
    let cancel = request.cancel.clone();
    // The inner shell prints its process ID and then sleeps; the outer one waits for it.
    let mut stream = model("sh -c 'echo $$; exec sleep 600'; true").chat(request).await.unwrap();
    let Some(Ok(Delta::Text(pid))) = stream.next().await else { panic!("no pid") };
    cancel.cancel();
    let rest: Vec<_> = stream.by_ref().map(Result::unwrap).collect().await;
    assert_eq!(rest.last(), Some(&Delta::Stop(StopReason::Stopped)));
    // A killed process may remain a zombie for a moment, but it no longer runs.
    let status = format!("/proc/{}/status", pid.trim());
    while std::fs::read_to_string(&status).is_ok_and(|status| !status.contains("State:\tZ")) {
        tokio::task::yield_now().await;
    }
}

#[test]
fn a_command_that_is_not_there_is_named() {
    for (command, expected) in
        [(vec![], "llm.command"), (vec!["no-such-program-here".to_owned()], "no-such-program-here")]
    {
        let llm = config::Llm { command, ..config::Llm::default() };
        assert!(CommandModel::new(&llm).unwrap_err().to_string().contains(expected));
    }
}
