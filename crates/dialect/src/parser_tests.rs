use super::*;

fn text(text: &str) -> ReplyPart {
    ReplyPart::Text(text.to_owned())
}

#[test]
fn plain_text_is_passed_on_at_once() {
    let mut parser = ReplyParser::default();
    assert_eq!(parser.push("Hel"), [text("Hel")]);
    assert_eq!(parser.push("lo <b"), [text("lo <b")]);
}

/// The text before the bar is shown; the text after it is held back.
#[test]
fn only_what_may_become_a_call_is_held_back() {
    let cases = [
        "I saw |[",
        "I saw [x|",
        "I saw [1] and (2|",
        "- |[",
        "- [x|",
        "I saw |[W",
        "I saw [We|",
        "I saw |[WEB_SEARCH:moon",
        "I saw [WEB_SEARCH |",
        "I saw \"|[WEB_SEARCH:moon]",
        "I saw \"[WEB_SEARCH:moon]\"|",
        "a |<",
        "a <3|",
        "a < b|",
        "a |<t",
        "a <ta|",
        "a |<tool_call>{\"name\":\"web_search\"}",
        "a <tool_call> o|",
        "a <tool_call>{\"name\":\"web_search\"}</tool_call> i|",
        "|{",
        "{x|",
        "|{ \"na",
        "{ \"planets|",
        "|{\"name\": \"we",
        "{\"name\": \"wi|",
        "{\"name\": 3|",
        "a |{",
        "a {x|",
        "a {\"name|",
        "a |{{\"na",
        "a {{na|",
        "a {\"tool\":\"web_search|",
        "|w",
        "we |",
        "The web|",
        "|web_search",
        "web_search |",
        "web_search is|",
        "|web_search(query",
        "web_search(what's|",
        "web_search(a)\n|",
        "a web_search(|",
        "|[TOOL_CALLS]",
        "[TOOL_CALLS] a|",
        "a |[TOOL_CALLS] [",
        "|<|python_tag|> ",
        "The mark <|python_tag|> o|",
        "`[WEB_SEARCH:moon|",
        "> [WEB_SEARCH:moon|",
        "\\[WEB_SEARCH:moon|",
        "```\n[WEB_SEARCH:moon|",
        "```tool_code\nweb_search(|",
        "|<think",
        "a |<think",
        "a |<think>",
        "a <think> o|",
        "a. |<think> o",
        "\"|<think>",
        "\"<think>\"|",
        "a |◁thi",
    ];
    let vocabulary = Arc::new(ReplyVocabulary::new(["web_search"], ["WEB_SEARCH"]));
    for case in cases {
        // Llama's marker contains bars, so a leading bar is handled first.
        let (shown, held) = match case.strip_prefix('|') {
            Some(held) => ("", held),
            None => case.rsplit_once('|').unwrap(),
        };
        let mut parser = ReplyParser::new(Arc::clone(&vocabulary));
        let pieces = parser.push(&format!("{shown}{held}"));
        let expected = if shown.is_empty() { vec![] } else { vec![text(shown)] };
        assert_eq!(pieces, expected, "{case}");
    }
}
