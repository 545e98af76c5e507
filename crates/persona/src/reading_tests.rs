use protocol::Dimension;

use super::*;

/// Formats the sign of the valence, all cues and all wishes: `+ laughter humor+`.
fn seen(message: &str) -> String {
    let signals = read(message);
    let sign = match signals.valence {
        valence if valence >= 0.25 => "+",
        valence if valence <= -0.25 => "-",
        _ => "0",
    };
    let cues = signals.cues.iter().map(|cue| format!("{cue:?}").to_lowercase());
    let wishes = signals.wishes.iter().map(|wish| {
        let name = format!("{:?}", wish.dimension).to_lowercase();
        format!("{name}{}", if wish.direction == Direction::Up { '+' } else { '-' })
    });
    let all: Vec<String> = [sign.to_owned()].into_iter().chain(cues).chain(wishes).collect();
    all.join(" ")
}

#[track_caller]
fn check(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .filter(|(message, expected)| seen(message) != *expected)
        .map(|(message, expected)| format!("{message:?}: expected {expected:?}, saw {:?}", seen(message)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

#[test]
fn how_the_user_feels() {
    check(&[
        ("", "0"),
        ("What time is it in Lisbon?", "0"),
        ("Remind me to call the dentist at nine", "0"),
        ("I had a great day", "+"),
        ("I'm so happy, I got the job!!!", "+"),
        ("best day ever 🎉", "+"),
        ("this is not good", "-"),
        ("not bad at all", "+"),
        ("I don't hate it", "+"),
        ("I never felt better", "+"),
        ("the food was good but the service was terrible", "-"),
        ("the weather is awful", "-"),
        ("I'm not happy with my new phone", "-"),
        ("my boss is a nightmare", "-"),
        ("I'm a little worried about tomorrow", "- distress"),
        ("AMAZING", "+ praise"),
        ("yaaay we won", "+"),
        (":)", "+"),
        ("see you later :(", "-"),
        ("ok", "0"),
        ("We spent the weekend in Nice with Joy", "0"),
        ("Nice, that works", "+"),
        ("I'm not married", "0"),
        ("I got married yesterday", "+"),
        ("No, great, let's do it", "+"),
        ("what a wonderful morning", "+"),
        ("I can't believe how good this is", "+"),
    ]);
}

#[test]
fn laughter_thanks_and_kind_words() {
    check(&[
        ("haha", "0 laughter"),
        ("hahahahaha", "0 laughter"),
        ("ha ha, very clever", "+ laughter"),
        ("bahahaha no way", "0 laughter"),
        ("lol", "0 laughter slang"),
        ("LMAO", "0 laughter slang"),
        ("😂😂😂", "+ laughter"),
        ("that's hilarious", "+ laughter"),
        ("you crack me up", "0 laughter"),
        ("jajaja", "0 laughter"),
        ("that was not funny", "- humor-"),
        ("thanks", "+ thanks"),
        ("thank you so much!", "+ thanks"),
        ("thx, that works", "+ thanks slang"),
        ("ty", "0 thanks"),
        ("I can't thank you enough", "+ thanks"),
        ("I really appreciate it", "+ thanks"),
        ("thanks for explaining", "+ thanks"),
        ("no thanks", "-"),
        ("thanks for nothing", "+ irritation"),
        ("you're the best", "+ praise"),
        ("Good job, Luna", "+ praise"),
        ("I love you", "+ praise"),
        ("I missed you", "0 praise"),
        ("that helped a lot", "0 praise"),
        ("Perfect!", "+ praise"),
        ("exactly what I needed", "0 praise"),
        ("you're so funny 😂", "+ laughter praise"),
        ("merci beaucoup", "0 thanks"),
        ("well done ❤️", "+ praise"),
    ]);
}

#[test]
fn annoyance() {
    check(&[
        ("ugh", "- irritation"),
        ("That's wrong.", "- irritation"),
        ("no, that's not what I asked", "0 irritation"),
        ("you're useless", "- irritation"),
        ("I already told you that", "0 irritation"),
        ("how many times do I have to say it", "0 irritation"),
        ("shut up", "0 irritation"),
        ("you never listen", "0 irritation"),
        ("are you even listening?", "0 irritation"),
        ("wtf is this", "- irritation slang"),
        ("stop repeating yourself", "0 irritation"),
        ("that wasn't helpful", "- irritation"),
        ("did you even read my message?", "0 irritation"),
        ("WHAT IS WRONG WITH YOU", "- irritation"),
        ("🙄", "- irritation"),
        ("I'm angry at my brother", "-"),
        ("I told my mum that I love her", "+"),
    ]);
}

#[test]
fn a_hard_time() {
    check(&[
        ("I feel so lonely", "- distress"),
        ("I'm really depressed lately", "- distress"),
        ("my dog died yesterday", "0 distress"),
        ("my grandmother just passed away", "0 distress"),
        ("I lost my job", "- distress"),
        ("she broke up with me", "0 distress"),
        ("I can't stop crying", "- distress"),
        ("I had a panic attack this morning", "- distress"),
        ("everything is falling apart", "0 distress"),
        ("I hate myself", "- distress"),
        ("I'm not okay", "0 distress"),
        ("rough day at work", "- distress"),
        ("I feel like a failure", "0 distress"),
        ("nobody understands me", "0 distress"),
        ("I'm overwhelmed 😭", "- distress"),
        ("I want to die", "0 crisis"),
        ("sometimes I think about killing myself", "0 crisis"),
        ("I don't want to live anymore", "0 crisis"),
        ("I'm dying to see the new film", "0"),
        ("how do I kill a process", "0"),
        ("I'm not sad", "+"),
        ("I'm down for pizza", "0"),
        ("Write a sad poem about a lonely robot", "0"),
        ("What is depression?", "0"),
        ("I need a hug", "0 distress supportneed+"),
        ("just listen please", "0 supportneed+"),
        ("I just need to vent", "0 supportneed+"),
        ("can you comfort me", "0 supportneed+"),
        ("cheer me up", "0 supportneed+"),
        ("you're so cold", "0 supportneed+"),
        ("be nice to me", "+ supportneed+"),
        ("don't sugarcoat it", "0 supportneed-"),
        ("give it to me straight", "0 supportneed-"),
        ("I don't need your pity", "0 supportneed-"),
        ("you're not my therapist", "0 supportneed-"),
        ("stop being so nice", "+ supportneed-"),
    ]);
}

#[test]
fn how_long_and_how_deep() {
    check(&[
        ("too long", "0 verbosity-"),
        ("way too long!", "0 verbosity-"),
        ("That was too long.", "0 verbosity-"),
        ("shorter please", "0 verbosity-"),
        ("Shorter!", "0 verbosity-"),
        ("please be brief", "0 verbosity-"),
        ("can you be more concise?", "0 verbosity-"),
        ("get to the point", "0 verbosity-"),
        ("cut to the chase", "0 verbosity-"),
        ("tl;dr", "0 verbosity-"),
        ("keep it short", "0 verbosity-"),
        ("keep your answers short please", "0 verbosity-"),
        ("your answers are too long", "0 verbosity-"),
        ("you talk too much", "0 verbosity-"),
        ("stop rambling", "0 verbosity-"),
        ("I prefer short answers", "0 verbosity-"),
        ("no walls of text", "0 verbosity-"),
        ("answer in one sentence", "0 verbosity-"),
        ("I didn't ask for an essay", "0 verbosity-"),
        ("don't be so wordy", "0 verbosity-"),
        ("just give me the answer", "0 verbosity-"),
        ("don't be brief", "0 verbosity+"),
        ("tell me more", "0 verbosity+ depth+"),
        ("Tell me more about that!", "0 verbosity+ depth+"),
        ("explain in detail", "0 verbosity+ depth+"),
        ("can you explain that in more detail?", "0 verbosity+ depth+"),
        ("please elaborate", "0 verbosity+ depth+"),
        ("go on", "0 verbosity+"),
        ("longer answers please", "0 verbosity+"),
        ("you can write more", "0 verbosity+"),
        ("go deeper", "0 depth+"),
        ("more details please", "0 depth+"),
        ("be more specific", "0 depth+"),
        ("that's not detailed enough", "0 depth+"),
        ("walk me through it step by step", "0 depth+"),
        ("explain like I'm five", "0 depth-"),
        ("ELI5", "0 depth-"),
        ("dumb it down", "- depth-"),
        ("in simple words please", "0 depth-"),
        ("that's too technical", "0 depth-"),
        ("too complicated", "0 depth-"),
        ("simpler please", "0 depth-"),
        ("spare me the details", "0 depth-"),
        ("keep it simple", "0 depth-"),
        ("the movie was too long", "0"),
        ("my essay is too long", "0"),
        ("write a short story about a cat", "0"),
        ("make the email shorter", "0"),
        ("my teacher told me to get to the point", "0"),
        ("I need to slow down at work", "0"),
        ("it took too long to get here", "0"),
        ("I wrote a brief report", "0"),
        ("I'd like to tell you more about my day", "0"),
    ]);
}

#[test]
fn questions_humor_and_manners() {
    check(&[
        ("stop asking questions", "0 questionfrequency-"),
        ("stop asking me so many questions", "0 questionfrequency-"),
        ("no more questions please", "0 questionfrequency-"),
        ("you ask too many questions", "0 questionfrequency-"),
        ("don't ask me anything", "0 questionfrequency-"),
        ("enough with the questions", "0 questionfrequency-"),
        ("just answer me", "0 questionfrequency-"),
        ("ask me something", "0 questionfrequency+"),
        ("you never ask about my day", "0 questionfrequency+"),
        ("be more curious", "0 questionfrequency+"),
        ("feel free to ask", "0 questionfrequency+"),
        ("I have a question about Rust", "0"),
        ("I asked my boss too many questions", "0"),
        ("be serious", "0 humor-"),
        ("can you be serious for a moment", "0 humor-"),
        ("stop joking", "0 humor-"),
        ("no jokes please", "0 humor-"),
        ("I'm not in the mood for jokes", "0 humor-"),
        ("I'm not kidding", "0 humor-"),
        ("don't be so serious", "0 humor+"),
        ("you're too serious", "0 humor+"),
        ("tell me a joke", "0 jokewanted"),
        ("can you tell me another joke?", "0 jokewanted"),
        ("say something funny", "+ jokewanted"),
        ("make me laugh", "+ jokewanted"),
        ("you make me laugh", "+ laughter"),
        ("don't tell me any jokes", "0 humor-"),
        ("he wanted to tell a joke at the wedding", "0"),
        ("tell more jokes", "0 humor+"),
        ("lighten up", "0 humor+"),
        ("be funnier", "0 humor+"),
        ("he is a serious man", "0"),
        ("don't be so formal", "0 formality-"),
        ("you're too formal", "0 formality-"),
        ("why are you so formal?", "0 formality-"),
        ("talk to me like a friend", "0 formality-"),
        ("you sound like a robot", "0 formality-"),
        ("no need to be so polite", "0 formality-"),
        ("you don't have to be formal with me", "0 formality-"),
        ("be more casual", "0 formality-"),
        ("please be more professional", "0 formality+"),
        ("stop using emojis", "0 formality+"),
        ("call me sir", "0 courtesy formality+"),
        ("don't call me dude", "0 slang formality+"),
        ("watch your language", "0 formality+"),
        ("write a formal letter to my landlord", "0"),
        ("Make it more formal", "0"),
        ("yo dude whats up", "0 slang"),
        ("u there?", "0 slang"),
        ("I'm gonna be late", "0 slang"),
        ("Dear Luna, would you kindly look at this", "0 courtesy"),
        ("I would be grateful for your opinion", "+ courtesy"),
        ("Good evening. May I ask something?", "+ courtesy"),
    ]);
}

#[test]
fn energy_and_curiosity() {
    check(&[
        ("I'm so tired", "- tired"),
        ("exhausted", "- tired"),
        ("long day", "0 tired"),
        ("good night", "0 tired"),
        ("going to bed", "0 tired"),
        ("I haven't slept", "0 tired"),
        ("it's late", "0 tired"),
        ("🥱", "- tired"),
        ("I'm not tired", "+"),
        ("I'm tired of this", "- irritation"),
        ("calm down", "+ energy-"),
        ("Luna, slow down", "0 energy-"),
        ("be calm", "+ energy-"),
        ("more enthusiasm please", "0 energy+"),
        ("you sound bored", "0 energy+"),
        ("don't be sad", "+ mood+"),
        ("cheer up", "0 mood+"),
        ("why does ice float?", "0 curiosity"),
        ("how does a fridge work", "0 curiosity"),
        ("I wonder what stars are made of", "0 curiosity"),
    ]);
}

#[test]
fn the_words_of_others_and_code_say_nothing() {
    check(&[
        ("> I hate you\nwhat did she mean?", "0"),
        ("Translate \"I am so sad and lonely\" into French", "0"),
        ("He wrote “get to the point, you idiot” to me", "0"),
        ("```\nfn angry() { panic!(\"stop asking questions\") }\n```", "0"),
        ("```\nI hate this\nunclosed", "0"),
        ("~~~\nbe brief\n~~~\nthanks", "+ thanks"),
        ("what does `assert!(happy)` do", "0"),
        ("if (sad) { return hate[0]; } else { cry(); }", "0"),
        ("see https://example.org/i-hate-you/shut-up", "0"),
        ("error: process killed, fatal signal 9", "0"),
        ("5\" and 6\" screws", "0"),
        ("\"\"\"\"", "0"),
    ]);
}

#[test]
fn what_comes_last_counts_and_the_longer_wording_does() {
    check(&[
        ("Be brief. No wait, tell me more.", "0 verbosity+ depth+"),
        ("Tell me more. But keep it short.", "0 verbosity- depth+"),
        ("Be brief and be serious, please", "0 humor- verbosity-"),
        ("shorter and simpler please, and stop asking questions", "0 verbosity- depth- questionfrequency-"),
    ]);
}

#[test]
fn other_wordings() {
    check(&[
        ("Could you keep things brief from now on?", "0 verbosity-"),
        ("That's a lot of text, can you make it shorter?", "0 verbosity-"),
        ("just the short version pls", "0 slang verbosity-"),
        ("Please answer in fewer words.", "0 verbosity-"),
        ("You're rambling again", "0 verbosity-"),
        ("I'd prefer shorter replies", "0 verbosity-"),
        ("I want the full story", "0 verbosity+ depth+"),
        ("could you go into more depth?", "0 verbosity+ depth+"),
        ("You can be more detailed with me", "0 depth+"),
        ("I don't understand, can you explain it more simply?", "0 depth-"),
        ("explain it to me like I'm a beginner", "0 depth-"),
        ("Do you have to ask so many questions?", "0 questionfrequency-"),
        ("please don't end every message with a question", "0 questionfrequency-"),
        ("I'd like it if you asked me more questions", "0 questionfrequency+"),
        ("Why don't you ever ask me anything?", "0 questionfrequency+"),
        ("Now is not the time for jokes", "0 humor-"),
        ("Relax, no need to be so stiff", "0 formality-"),
        ("You can drop the formalities", "0 formality-"),
        ("Use a more professional tone", "0 formality+"),
        ("I could really use some comfort right now", "0 supportneed+"),
        ("You are being really harsh", "0 supportneed+"),
        ("Be honest and direct with me", "0 supportneed-"),
        ("You're way too excited", "+ energy-"),
        ("Less exclamation marks please", "0 energy-"),
        ("My mom is in the hospital and I'm scared", "- distress"),
        ("I've been feeling really down lately", "0 distress"),
        ("nobody would miss me if I was gone", "+ crisis"),
        ("lmfao stop it", "0 laughter slang"),
        ("You didn't answer my question", "0 irritation"),
        ("Could you please be so kind as to help me?", "+ courtesy"),
        ("You wrote way too much", "0 verbosity-"),
        ("your messages are super long", "0 verbosity-"),
        ("I want to understand it properly, so go deep", "0 depth+"),
        ("Explain it so a child would get it", "0 depth-"),
        ("Not so many questions please", "0 questionfrequency-"),
        ("Could you be a little less technical?", "0 depth-"),
        ("Don't be so soft on me", "0 supportneed-"),
        ("Can you be less hyper", "0 energy-"),
        ("I had a fight with my girlfriend", "0 distress"),
        ("no that's not it", "0 irritation"),
        ("You're really warm", "+"),
        ("Play some sad music", "0"),
        ("My doctor says I need more energy", "0"),
        ("She is too formal for my taste", "0"),
        ("How can I be more concise in my emails?", "0"),
        ("My son asks too many questions", "0"),
        ("We talked in detail about the contract", "0"),
        ("He told me to relax", "0"),
        ("I need more details from the client", "0"),
        ("Books guide us and keep us calm", "+"),
        ("You must be so excited!", "+"),
        ("It's important to stay positive", "0"),
    ]);
}

#[test]
fn strength_shows_in_arousal() {
    let arousal = |message: &str| read(message).arousal;
    for (calm, excited) in [
        ("we won", "WE WON THE GAME"),
        ("that is great", "that is great!!!"),
        ("i am content", "i am thrilled"),
        ("no", "noooooo"),
        ("fine", "furious"),
    ] {
        assert!(arousal(calm) < arousal(excited), "{calm} / {excited}");
    }
}

#[test]
fn own_words_are_counted_without_quotations() {
    for (message, words) in [
        ("one two three", 3),
        ("I said \"a b c d e\" twice", 3),
        ("```\na b c\n```\nwhy", 1),
        ("😀 :)", 0),
        ("> quoted\nmine", 1),
    ] {
        assert_eq!(read(message).words, words, "{message}");
    }
}

#[test]
fn a_long_paste_is_read_at_both_ends() {
    let paste = "lorem ipsum dolor sit amet. ".repeat(20_000);
    let signals = read(&format!("Thanks. {paste} Please be brief."));
    assert!(signals.shows(Cue::Thanks));
    assert_eq!(signals.wishes, [Wish { dimension: Dimension::Verbosity, direction: Direction::Down }]);
    assert_eq!(signals.words, 100_004);
}

#[test]
fn nothing_that_can_be_typed_breaks_it() {
    let hostile = [
        "\u{0}\u{202e}\u{200d}",
        "'",
        "''''",
        "’’s",
        "n't",
        "'s",
        ">",
        "`",
        "```",
        "\"",
        "“",
        "…",
        "!!!!",
        "????",
        "..",
        ":",
        "👩‍👩‍👧‍👦",
        "ß",
        "ǅ",
        "i̇İ",
        "٣",
        "don't",
        "too",
        "be",
        "not",
        "being",
        "make it",
        "not enough",
        "so",
        "you are",
        "$",
        "^ ~ *",
    ];
    let mut seed = 7_u64;
    for _ in 0..5_000 {
        let mut message = String::new();
        for _ in 0..6 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            message.push_str(hostile[usize::try_from(seed >> 33).unwrap() % hostile.len()]);
            if seed & (1 << 40) == 0 {
                message.push(' ');
            }
        }
        let signals = read(&message);
        assert!(signals.valence.abs() <= 1.0 && (0.0..=1.0).contains(&signals.arousal), "{message:?}");
    }
    for unit in ["“", "\"", "`", "> ", "be ", "a", "!", "😀", "```\n", "you are too "] {
        read(&unit.repeat(200_000));
    }
}
