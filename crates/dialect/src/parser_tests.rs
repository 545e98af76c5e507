use super::*;

/// Joins neighbours of one kind, so that results can be compared whatever the cuts were.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (joined.last_mut(), piece) {
            (Some(Piece::Text(last)), Piece::Text(text))
            | (Some(Piece::Reasoning(last)), Piece::Reasoning(text)) => {
                last.push_str(&text);
            }
            (_, piece) => joined.push(piece),
        }
    }
    joined
}

fn parse<'a>(chunks: impl IntoIterator<Item = &'a str>) -> Vec<Piece> {
    let mut parser = Parser::default();
    let mut pieces: Vec<Piece> = chunks.into_iter().flat_map(|chunk| parser.push(chunk)).collect();
    pieces.extend(parser.finish());
    joined(pieces)
}

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

fn thought(text: &str) -> Piece {
    Piece::Reasoning(text.to_owned())
}

fn cases() -> Vec<(&'static str, Vec<Piece>)> {
    vec![
        ("", vec![]),
        ("Hello.", vec![text("Hello.")]),
        ("Two\nlines\n", vec![text("Two\nlines\n")]),
        ("<think>Hmm.</think>Yes.", vec![thought("Hmm."), text("Yes.")]),
        ("<think>\nHmm.\n</think>\n\nYes.", vec![thought("\nHmm.\n"), text("Yes.")]),
        ("\n \n<think>a</think>b", vec![thought("a"), text("b")]),
        ("  <think>a</think>", vec![thought("a")]),
        ("<think></think>Yes.", vec![text("Yes.")]),
        ("<think>cut off", vec![thought("cut off")]),
        ("<think>ends in <", vec![thought("ends in <")]),
        ("<think>a < b </thin", vec![thought("a < b </thin")]),
        ("First.\n<think>again</think>\nSecond.", vec![text("First.\n"), thought("again"), text("Second.")]),
        ("<think>a</think><think>b</think>c", vec![thought("ab"), text("c")]),
        ("The tag <think> opens it.", vec![text("The tag <think> opens it.")]),
        ("</think> alone", vec![text("</think> alone")]),
        ("<thin ice", vec![text("<thin ice")]),
        ("<", vec![text("<")]),
        ("  indented\n\n  more", vec![text("  indented\n\n  more")]),
        ("```\n<think>example</think>\n```\nDone.", vec![text("```\n<think>example</think>\n```\nDone.")]),
        (
            "```rust\nlet a;\n```\n<think>x</think>y",
            vec![text("```rust\nlet a;\n```\n"), thought("x"), text("y")],
        ),
        ("<think>```\n</think>a", vec![thought("```\n"), text("a")]),
        ("``", vec![text("``")]),
        ("<think>月🌙</think>Lune 🌙", vec![thought("月🌙"), text("Lune 🌙")]),
    ]
}

#[test]
fn replies_become_text_and_reasoning() {
    for (reply, expected) in cases() {
        assert_eq!(parse([reply]), expected, "{reply:?}");
    }
}

#[test]
fn cuts_change_nothing() {
    for (reply, expected) in cases() {
        for cut in (0..=reply.len()).filter(|&cut| reply.is_char_boundary(cut)) {
            assert_eq!(parse([&reply[..cut], &reply[cut..]]), expected, "{reply:?} cut at {cut}");
        }
        let mut buffer = [0; 4];
        let mut parser = Parser::default();
        let mut pieces: Vec<Piece> =
            reply.chars().flat_map(|character| parser.push(character.encode_utf8(&mut buffer))).collect();
        pieces.extend(parser.finish());
        assert_eq!(joined(pieces), expected, "{reply:?} by characters");
    }
}

#[test]
fn plain_text_is_passed_on_at_once() {
    let mut parser = Parser::default();
    assert_eq!(parser.push("Hel"), [text("Hel")]);
    assert_eq!(parser.push("lo <b"), [text("lo <b")]);
}

/// What is shown before the bar; what follows it is held back.
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
        "a {|",
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
    ];
    let vocabulary = Arc::new(Vocabulary::new(["web_search"], ["WEB_SEARCH"]));
    for case in cases {
        // A mark of Llama's has bars of its own.
        let (shown, held) = match case.strip_prefix('|') {
            Some(held) => ("", held),
            None => case.rsplit_once('|').unwrap(),
        };
        let mut parser = Parser::new(Arc::clone(&vocabulary));
        let pieces = parser.push(&format!("{shown}{held}"));
        let expected = if shown.is_empty() { vec![] } else { vec![text(shown)] };
        assert_eq!(pieces, expected, "{case}");
    }
}

#[test]
fn a_long_reply_takes_linear_time() {
    let started = std::time::Instant::now();
    let line = "<<<<think </think <think ```` text\n";
    let reply = line.repeat(30_000);
    let parts = parse(reply.as_bytes().chunks(7).map(|chunk| std::str::from_utf8(chunk).unwrap()));
    assert_eq!(parts, [text(&reply)]);
    assert!(started.elapsed().as_secs() < 5);
}
