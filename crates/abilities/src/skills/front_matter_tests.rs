use super::*;

fn front(text: &str) -> Result<FrontMatter, String> {
    let (front, _) = split(text)?;
    FrontMatter::read(front)
}

#[test]
fn front_matter_is_read() {
    let text = "\u{feff}---\r\nname: tidy-up\r\ndescription: >\r\n  Tidies\r\n  a desk.\r\nlicense: MIT\r\nversion: 3\r\n\
        metadata:\r\n  author: Ada\r\nallowed-tools: Read Bash(git:*)\r\n---\r\n\r\n# Body\r\n";
    assert_eq!(split(text).unwrap().1.trim(), "# Body");
    let expected = FrontMatter {
        name: "tidy-up".into(),
        description: "Tidies a desk.".into(),
        licence: Some("MIT".into()),
        allowed_tools: Some(vec!["read_file".into(), "run_command(git:*)".into()]),
    };
    assert_eq!(front(text), Ok(expected));
}

#[test]
fn a_colon_in_a_description_is_understood() {
    let read = front("---\nname: a\ndescription: Tidies: use when \"asked\"\n---\n").unwrap();
    assert_eq!(read.description, "Tidies: use when \"asked\"");
}

#[test]
fn the_body_may_have_lines_of_its_own() {
    let (front, body) = split("---\nname: a\n---\nText\n---\nmore\n").unwrap();
    assert_eq!((front, body), ("name: a\n", "Text\n---\nmore\n"));
}

#[test]
fn what_is_wrong_is_said() {
    let long_name = format!("---\nname: {}\ndescription: d\n---", "a".repeat(65));
    let long_description = format!("---\nname: a\ndescription: {}\n---", "d".repeat(1_025));
    let endless = format!("---\n{}", "a: b\n".repeat(10_000));
    let cases = [
        ("", "begin with front matter"),
        ("# Title\n", "begin with front matter"),
        ("---\nname: a\n", "begin with front matter"),
        ("---\n---\n", "a name and a description"),
        ("---\n- a\n---\n", "a name and a description"),
        ("---\ndescription: d\n---\n", "The name is missing."),
        ("---\nname: a\ndescription: ' '\n---\n", "The description is missing."),
        ("---\nname: Tidy Up\ndescription: d\n---\n", "small letters"),
        ("---\nname: a--b\ndescription: d\n---\n", "small letters"),
        ("---\nname: ../etc\ndescription: d\n---\n", "small letters"),
        ("---\nname: [a]\ndescription: d\n---\n", "The name has to be text."),
        ("---\nname: a\ndescription: d\nallowed-tools: {a: b}\n---\n", "allowed-tools has to be"),
        ("---\nname: a\ndescription: d\nmetadata: x\n---\n", "metadata has to be"),
        ("---\nname: a\n\tdescription: d\n---\n", "In the front matter, line "),
        (long_name.as_str(), "longer than 64"),
        (long_description.as_str(), "longer than 1024"),
        (endless.as_str(), "longer than 16 KB"),
    ];
    for (text, says) in cases {
        let error = front(text).expect_err(&text[..text.len().min(60)]);
        assert!(error.contains(says), "{error}");
    }
}
