import { capital } from '@/design/format'
import { own } from '@/design/own'
import { plain, serverOf } from './wording'

/** The display names of tools. */
const NAMES: Record<string, string> = {
  time: 'Time and date',
  calculate: 'Calculator',
  system_info: 'About this computer',
  memory_create: 'Write a memory file',
  memory_read: 'Read a memory file',
  memory_edit: 'Rewrite a memory file',
  memory_patch: 'Change part of a memory file',
  memory_delete: 'Delete a memory file',
  memory_list: 'List memory files',
  state_set: 'Keep a value',
  state_get: 'Look up a kept value',
  state_list: 'List kept values',
  state_check_time: 'How long ago a value was kept',
  vector_save: 'Save an entry',
  vector_search: 'Find entries by meaning',
  vector_list: 'List entries',
  vector_delete: 'Delete an entry',
  forget: 'Forget something',
  read_file: 'Read files',
  list_files: 'List files',
  write_file: 'Write files',
  clipboard_read: 'Read the clipboard',
  clipboard_write: 'Copy to the clipboard',
  notify: 'Notifications',
  open: 'Open apps, files and links',
  run_command: 'Run commands',
  web_search: 'Web search',
  web_research: 'Web research',
  web_fetch: 'Read a web page',
  weather: 'Weather',
  spotify: 'Play music',
  map: 'Maps',
  scene: '3D scenes',
  widget: 'Charts, tables and lists',
  play_animation: 'Play an animation',
  get_animations: 'List animations',
  set_background: 'Change the background',
  get_backgrounds: 'List backgrounds',
  skill: 'Follow a skill',
  skill_file: 'Read the files of a skill',
  mcp_server_create: 'Write a tool',
  mcp_server_edit: 'Change a tool she wrote',
  mcp_server_delete: 'Delete a tool she wrote',
  mcp_server_list: 'List the tools she wrote',
  mcp_server_start: 'Start a tool she wrote',
  mcp_server_stop: 'Stop a tool she wrote',
  mcp_server_logs: 'Read the log of a tool she wrote',
  find_tool: 'Find a tool',
}

/** Descriptions for users, where the tool's own description addresses the model. */
const ABOUT: Record<string, string> = {
  time: 'Tells the time and date, here or anywhere, and converts between zones.',
  calculate: 'Works out sums, percentages, functions and units.',
  system_info: 'Looks at processor, memory, disk and battery.',
  memory_create: 'Writes one of her longer notes.',
  memory_read: 'Reads one of her longer notes.',
  memory_edit: 'Replaces the whole text of a note.',
  memory_patch: 'Changes a passage of a note.',
  memory_delete: 'Deletes a note. It can be restored from its history.',
  memory_list: 'Looks through the names of her notes.',
  state_set: 'Remembers a small value under a name, such as a score.',
  state_get: 'Looks up a value she kept.',
  state_list: 'Looks through the values she kept.',
  state_check_time: 'Tells how long ago she kept a value.',
  vector_save: 'Saves a text, to find it again by meaning.',
  vector_search: 'Finds saved texts by what they mean.',
  read_file: 'Reads a file in a folder you have allowed.',
  list_files: 'Looks through a folder you have allowed.',
  write_file: 'Writes a text file in a folder you have allowed.',
  clipboard_read: 'Reads what you have copied.',
  clipboard_write: 'Copies a text for you to paste.',
  notify: 'Shows a notification on your desktop and in open pages.',
  open: 'Opens a program, a web address, or a file in a folder you have allowed.',
  run_command: 'Runs a shell command in its own folder, in the sandbox.',
  web_search: 'Searches the web and names its sources.',
  web_research: 'Reads several pages on a question and sums them up, with sources.',
  web_fetch: 'Reads the text of a web page.',
  weather: 'Tells the weather at a place, up to seven days ahead.',
  spotify: 'Plays, pauses, skips and queues music, and sets the volume.',
  map: 'Shows places on a map.',
  scene: 'Builds a small 3D scene to look around in.',
  widget: 'Shows tables, charts, checklists, flashcards and more in the chat.',
  play_animation: 'Makes her avatar wave, nod, dance and so on.',
  set_background: 'Changes what is behind her.',
  get_animations: 'Looks up which animations there are.',
  get_backgrounds: 'Looks up which backgrounds there are.',
  forget: 'Forgets something for good, after showing you what goes.',
  skill: 'Reads the instructions of a skill and follows them.',
  skill_file: 'Reads a file that belongs to a skill.',
  mcp_server_create: 'Writes a small program that gives her a new tool. You see its code first.',
}

export function toolAbout({ name, description }: { name: string; description: string }): string {
  return own(ABOUT, name) ?? description
}

/**
 * Returns the display name of a tool. Without one it is derived from the tool's name: `create_issue` becomes
 * *Create issue*.
 */
export function toolName(name: string): string {
  const server = serverOf(name)
  const inner = server === null ? name : name.slice(server.length + 2)
  return own(NAMES, name) ?? capital(plain(inner.replace(/[_-]+/g, ' ').trim() || name))
}
