use std::time::{Duration, Instant};

use reqwest::Url;

use super::*;

fn page(kind: &str, charset: Option<&str>, body: impl Into<Vec<u8>>) -> WebPage {
    WebPage {
        url: Url::parse("https://news.example/moon/").unwrap(),
        content_type: kind.into(),
        charset: charset.map(Into::into),
        body: body.into(),
        is_cut: false,
    }
}

fn text(html: &str) -> String {
    readable(&page("text/html", Some("utf-8"), html))
        .map_or_else(|error| format!("({error})"), |found| found.text)
}

const STORY: &str = "The moon moves away from us, slowly but surely, by almost four centimetres a year. \
    Tides slow the turning earth, and the moon takes up what the earth loses, which lifts its orbit. ";

#[test]
fn marks_stand_for_the_form_of_a_text() {
    let cases = [
        ("<p>One\n   two</p><p>Three", "One two\n\nThree"),
        ("<h1>Top</h1><h3>Low<b>er</b></h3>words", "# Top\n\n### Lower\n\nwords"),
        ("<ul><li>a<li>b<ul><li>c</ul><li><p>d</p></ul>", "- a\n- b\n  - c\n- d"),
        ("<ol><li>a</li>\n<li>b</li></ol>after", "1. a\n2. b\n\nafter"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<blockquote><p>Said he</p><p>twice</p></blockquote>x", "> Said he\n\n> twice\n\nx"),
        ("<pre>\nlet  a = 1;\n  b\n</pre>", "```\nlet  a = 1;\n  b\n```"),
        ("use <code>cargo  run</code> here", "use `cargo run` here"),
        ("<table><tr><th>Day<th>Sun<tr><td>Mon<td><p>3 h</p></table>", "Day | Sun\nMon | 3 h"),
        ("<dl><dt>Moon<dd>A stone<dt>Sun<dd>A fire</dl>", "Moon\n  A stone\nSun\n  A fire"),
        ("caf&eacute; &amp; &lt;b&gt; &#x1F319; &nbsp;x &zzz;", "café & <b> 🌙 x &zzz;"),
        ("a <span>b</span><i>c</i> d", "a bc d"),
        ("<div>a</div><div>b</div>", "a\nb"),
    ];
    for (html, expected) in cases {
        assert_eq!(text(html), expected, "{html}");
    }
}

#[test]
fn what_is_no_text_or_hidden_stays_out() {
    let html = "<script>var a = '<p>script</p>';</script><style>p {}</style><p>seen</p>\
        <noscript>turn it on</noscript><template><p>later</p></template><svg><text>drawn</text></svg>\
        <p hidden>secret one</p><p aria-hidden=true>secret two</p><div style='display: none'>secret three</div>\
        <p style=\"visibility:hidden\">secret four</p><!-- <p>secret five</p> --><select><option>choice</select>\
        <iframe src=x>frame</iframe><textarea>typed</textarea><p>seen too</p>";
    assert_eq!(text(html), "seen\n\nseen too");
}

#[test]
fn the_matter_is_found_among_what_is_around_it() {
    let around = "<nav><a href=/>Home</a> <a href=/x>Sports</a></nav><div class=sidebar><p>Buy our newsletter, today, \
        or tomorrow, or whenever you like, it is always a bargain.</p></div>";
    let end = "<div id=comments><p>First, as always, and proud of it, every single time.</p></div><footer>Imprint</footer>";
    let story = STORY.repeat(3);
    let cases = [
        format!("<body>{around}<article><h1>Far away</h1><p>{story}</p></article>{end}"),
        format!("<body>{around}<main><h1>Far away</h1><p>{story}</p></main>{end}"),
        format!("<body>{around}<div role=main><h1>Far away</h1><p>{story}</p></div>{end}"),
        format!("<body>{around}<div class=x><h1>Far away</h1><p>{story}</p></div>{end}"),
        format!("<body>{around}<table><tr><td><h1>Far away</h1><p>{story}</p></td></tr></table>{end}"),
        format!("<body>{around}<div><h1>Far away</h1>{story}<br><br>{story}</div>{end}"),
    ];
    for html in cases {
        let text = text(&html);
        assert!(text.starts_with("# Far away\n\nThe moon moves"), "{html}\n{text}");
        for beside in ["Sports", "newsletter", "proud", "Imprint"] {
            assert!(!text.contains(beside), "{beside}: {html}\n{text}");
        }
    }
}

#[test]
fn a_page_without_a_matter_is_read_as_a_whole() {
    let html = "<title>Links</title><nav><ul><li><a href=/a>Alpha</a><li><a href=/b>Beta</a></ul></nav>";
    let found = readable(&page("text/html", None, html)).unwrap();
    assert_eq!(found.title.as_deref(), Some("Links"));
    assert_eq!(found.text, "- Alpha\n- Beta");
    let links: Vec<_> = found.links.iter().map(|link| (link.text.as_str(), link.url.as_str())).collect();
    assert_eq!(links, [("Alpha", "https://news.example/a"), ("Beta", "https://news.example/b")]);
    let described =
        "<meta name=description content='All about &quot;tea&quot;'><div id=root></div><script>x</script>";
    assert_eq!(text(described), "All about \"tea\"");
    assert_eq!(text("<div id=root></div>"), "(has no text. It may need a browser to show anything)");
    assert_eq!(text(""), "(has no text. It may need a browser to show anything)");
}

#[test]
fn links_that_lead_nowhere_are_only_words() {
    let html = "<p><a href='javascript:alert(1)'>one</a> <a href='#top'>two</a> <a href='mailto:a@b.example'>three</a> \
        <a href='../four?x=1&amp;y=2'>four</a> <a href='http://['>five</a> <a>six</a></p>";
    let found = readable(&page("text/html", None, html)).unwrap();
    assert_eq!(found.text, "one two three four five six");
    let four = PageLink { text: "four".into(), url: "https://news.example/four?x=1&y=2".into() };
    assert_eq!(found.links, [four]);
}

#[test]
fn every_encoding_is_read() {
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("<p>Mond über See</p>".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let cases: [(&str, Option<&str>, Vec<u8>, &str); 8] = [
        ("text/html", Some("utf-8"), "<p>Mond über</p>".into(), "Mond über"),
        ("text/html", None, "<p>Mond über</p>".into(), "Mond über"),
        ("text/html", Some("iso-8859-1"), b"<p>Mond \xfcber</p>".to_vec(), "Mond über"),
        ("text/html", None, b"<meta charset=windows-1252><p>Mond \xfcber</p>".to_vec(), "Mond über"),
        ("text/html", None, b"<p>Mond \xfcber</p>".to_vec(), "Mond über"),
        ("text/html", None, utf16, "Mond über See"),
        (
            "text/html",
            None,
            b"<meta http-equiv=Content-Type content='text/html; charset=Shift_JIS'><p>\x8c\x8e</p>".to_vec(),
            "月",
        ),
        ("text/html", Some("nonsense"), "<p>Mond über</p>".into(), "Mond über"),
    ];
    for (kind, charset, body, expected) in cases {
        let found = readable(&page(kind, charset, body)).unwrap();
        assert_eq!(found.text, expected, "{charset:?}");
    }
}

#[test]
fn text_json_and_markdown_stay_as_they_are_and_binaries_are_refused() {
    for (kind, body) in [
        ("text/plain", "a\n  b <b>\n"),
        ("application/json", "{\"a\": [1]}"),
        ("text/markdown", "# T\n\n- x"),
    ] {
        assert_eq!(readable(&page(kind, None, body)).unwrap().text, body);
    }
    assert_eq!(readable(&page("text/plain", None, "<!DOCTYPE html><p>a")).unwrap().text, "a");
    assert_eq!(readable(&page("text/plain", None, "%PDF-1.7 …")), Err(PageTextError::Pdf));
    let noise: Vec<u8> = (0..4_000_u32).map(|i| (i * 7 % 32) as u8).collect();
    assert_eq!(readable(&page("text/html", None, noise)), Err(PageTextError::Binary));
    let bell = readable(&page("text/plain", None, "a calm night \u{7} and a long line of words")).unwrap();
    assert_eq!(bell.text, "a calm night  and a long line of words");
}

#[test]
fn a_snippet_becomes_one_line() {
    for (fragment, expected) in [
        ("The <strong>moon</strong> &amp; the\n sea", "The moon & the sea"),
        ("<script>alert(1)</script>x", "alert(1)x"),
        ("a < b and c > d", "a < b and c > d"),
        ("&#x202E;evil\u{0}", "evil"),
        ("<img src=x onerror=alert(1)", ""),
    ] {
        assert_eq!(plain(fragment), expected, "{fragment}");
    }
}

/// Returns the CPU time of this thread, which other load on the machine does not lengthen; without it the elapsed time.
fn worked(begun: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

#[test]
fn hostile_pages_take_little_time() {
    let mib = 1 << 20;
    let cases: [(&str, String); 12] = [
        ("deep", "<div>".repeat(2 * mib)),
        ("deep inline", "<b>".repeat(3 * mib)),
        ("deep and closed", "<div>".repeat(mib / 2) + "words" + &"</div>".repeat(mib / 2)),
        ("ends", "<div>".repeat(200) + &"</p>".repeat(2 * mib)),
        ("links", "<a href=x>".repeat(mib)),
        ("code", "<code>x".repeat(mib)),
        ("tables", "<table><tr><td>x".repeat(mib / 2)),
        ("items", "<ul><li>x".repeat(mib)),
        ("attribute", format!("<p class=\"{}\">words", "x".repeat(10 * mib))),
        ("attributes", format!("<p {}>words", "a=b ".repeat(2 * mib))),
        ("unclosed", format!("<p>words<!-- {}", "x".repeat(10 * mib))),
        ("brackets", "<".repeat(10 * mib)),
    ];
    for (name, html) in cases {
        let begun = Instant::now();
        let before = worked(begun);
        let _ = readable(&page("text/html", Some("utf-8"), html));
        let took = worked(begun).saturating_sub(before);
        assert!(took < Duration::from_secs(20), "{name}: {took:?}");
    }
}

#[test]
fn what_stands_deep_is_still_read() {
    let html = format!("{}deep words{}<p>after</p>", "<div>".repeat(10_000), "</div>".repeat(10_000));
    assert_eq!(text(&html), "deep words\n\nafter");
}

#[test]
fn hostile_pages_become_no_larger_than_long_ones() {
    let quotes = "<blockquote>".repeat(127);
    let lists = "<ul><li>".repeat(60);
    let cases = [
        ("line ends", format!("{quotes}<pre>x{}x", "\n".repeat(2_000_000))),
        ("lines", format!("{quotes}<pre>{}", "x\n".repeat(1_000_000))),
        ("items", format!("{lists}<pre>x{}x", "\n".repeat(2_000_000))),
        ("breaks", format!("{quotes}<pre>{}", "<br>x".repeat(140_000))),
        ("one line", format!("<pre>{}", "月".repeat(700_000))),
        ("words", format!("<p>{}", "word ".repeat(400_000))),
        ("one word", format!("<p>{}", "月".repeat(700_000))),
        ("paragraphs", format!("{quotes}{}", "<p>x".repeat(70_000))),
    ];
    for (name, html) in cases {
        let length = text(&html).len();
        assert!((100..=400_000).contains(&length), "{name}: {length}");
    }
}

#[test]
fn what_is_quoted_over_and_over_stays_a_quotation() {
    let html = format!("{}said", "<blockquote>".repeat(100));
    assert_eq!(text(&html), format!("{}said", "> ".repeat(16)));
}
