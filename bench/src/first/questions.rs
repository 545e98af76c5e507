//! Typical questions of the first evening, with the words that a rule can check.

/// A question of the first conversation, and words of which a good answer contains one. The list is empty if only a
/// person can judge.
pub struct FirstQuestion {
    pub text: &'static str,
    pub fits: &'static [&'static str],
}

const fn ask(text: &'static str, fits: &'static [&'static str]) -> FirstQuestion {
    FirstQuestion { text, fits }
}

/// The questions, asked in order in one conversation.
pub const FIRST: [FirstQuestion; 20] = [
    ask("hello", &[]),
    ask("Who are you and what can you do?", &["luna", "companion"]),
    ask("What is your name?", &["luna"]),
    ask("Tell me a joke", &[]),
    ask("What day is it?", &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]),
    ask("What's the capital of France?", &["paris"]),
    ask("How are you?", &[]),
    ask("I feel sad today", &["sorry", "feel", "sad", "here", "hear", "okay", "listen"]),
    ask("Help me write a birthday message", &["birthday"]),
    ask("What is 2+2?", &["4", "four"]),
    ask("My name is Anna", &["anna", "nice", "meet", "hello", "hi"]),
    ask("What is my name?", &["anna"]),
    ask("Can you speak German?", &["german", "deutsch", "english", "yes", "no", "little"]),
    ask("Explain rain to a child", &["rain", "water", "cloud", "drop"]),
    ask("Give me an idea for dinner", &[]),
    ask("Good night", &["night", "sleep", "dream", "rest", "tomorrow", "well"]),
    ask("Thank you", &["welcome", "glad", "pleasure", "anytime", "any time", "happy", "thank"]),
    ask("Who made you?", &[]),
    ask("Do you have a body?", &["no", "not", "don't", "body", "computer", "yes"]),
    ask("What is the moon?", &["moon"]),
];

/// A request for a tool, the suitable tools, and a word that the arguments must contain.
pub struct ToolRequest {
    pub text: &'static str,
    pub tools: &'static [&'static str],
    pub argument: &'static str,
}

const fn want(text: &'static str, tools: &'static [&'static str], argument: &'static str) -> ToolRequest {
    ToolRequest { text, tools, argument }
}

/// The requests, each made in a new conversation.
pub const TOOL_REQUESTS: [ToolRequest; 20] = [
    want("What's the weather in Lisbon?", &["weather"], "lisbon"),
    want("Will it rain in Kiel tomorrow?", &["weather"], "kiel"),
    want("What time is it in Tokyo?", &["time"], "tokyo"),
    want("Search the web for night trains to Vienna.", &["web_search", "web_research"], "vienna"),
    want("Please look up the latest news about the moon.", &["web_search", "web_research"], "moon"),
    want("Convert 5 miles to kilometers.", &["calculate"], "5"),
    want("Can you calculate 12.5 percent of 640 and add 7?", &["calculate"], "640"),
    want("Read the file notes.txt for me.", &["read_file"], "notes.txt"),
    want("Write a file todo.txt with the text: buy milk", &["write_file"], "todo.txt"),
    want("Which files are in my folder?", &["list_files"], ""),
    want("Could you open https://example.org in my browser?", &["open", "web_fetch"], "example.org"),
    want("Show me a table of the three largest planets.", &["widget"], ""),
    want("Show me Paris on a map.", &["map"], "paris"),
    want("How much memory does this computer have?", &["system_info"], ""),
    want("Make a note that the key is under the mat.", &["memory_create"], "key"),
    want("What is in my clipboard?", &["clipboard_read"], ""),
    want("Send me a notification that says: tea is ready", &["notify"], "tea"),
    want("Play some jazz.", &["spotify"], "jazz"),
    want("Draw a red cube in 3D.", &["scene", "widget"], "cube"),
    want("What does https://example.org say?", &["web_fetch", "open"], "example.org"),
];
