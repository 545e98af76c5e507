import type { AuditDecision, Confirmation, Permission, Risk, ToolInfo, ToolStatus } from '@/api/protocol.gen'
import { capital } from '@/design/format'
import { own } from '@/design/own'

/** Returns a text field of an unknown value, or an empty text. */
export function field(value: unknown, name: string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const found = own(value as Record<string, unknown>, name)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : ''
}

/** Formats the result of a tool as text. */
export function resultText(result: unknown): string {
  if (result === null || result === undefined) return ''
  if (typeof result === 'string') return result
  return JSON.stringify(result, null, 2)
}

/** Characters that are invisible or change the direction of text, and so can disguise it. */
const UNSEEN = String.raw`(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`
/** Joiners and variation selectors that are legitimate within an emoji. */
const IN_EMOJI = String.raw`(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[\d#*])\ufe0f(?=\u20e3)`
const DECEPTIVE = new RegExp(`(?!${IN_EMOJI})${UNSEEN}`, 'gu')

/** Escapes such characters, because users decide by what they see. */
export function plain(text: string): string {
  return text.replace(DECEPTIVE, (sign) => `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
}

const BETWEEN = '__'

/** Returns the server in the name of a tool, or null for a built-in one. */
export function serverOf(tool: string): string | null {
  const at = tool.indexOf(BETWEEN)
  return at > 0 ? tool.slice(0, at) : null
}

/** Returns true if the tool's arguments contain the source code of a server. */
export function makesServer(tool: string): boolean {
  return tool === 'mcp_server_create' || tool === 'mcp_server_edit'
}

type Asked = Pick<Confirmation, 'tool' | 'id' | 'description'> & { form?: unknown }

/**
 * Returns true if the running tool itself requests something, as opposed to a confirmation of its use. The
 * ids of such requests end in a counter, as in `12.2`.
 */
export function asksItself({ tool, form, id }: Asked): boolean {
  return serverOf(tool) !== null && (form !== undefined || /\.\d+$/.test(id))
}

/**
 * The meaning of an approval: permission for an action, text for a server, use of the model, or that a page
 * was opened.
 */
export type ApprovalKind = 'leave' | 'words' | 'model' | 'page'

export function approvalKind(confirmation: Asked): ApprovalKind {
  if (!asksItself(confirmation)) return 'leave'
  if (confirmation.form !== undefined) return 'words'
  // Text by a server appears only below the first line, so it cannot disguise a use of the model as a page.
  return /^The server .+ wants to use your model, for this:$/.test(split(confirmation.description).first) ? 'model' : 'page'
}

interface ConfirmationText {
  /** The first line, and the text below it. */
  first: string
  rest: string
  /** The address of a page to open, or null. */
  address: string | null
}

const PAGE = /(?:^|\n\n)It wants you to open (\S+) and come back here\.$/

/** Returns the text of a confirmation without what its heading already says. */
export function confirmationText(confirmation: Asked): ConfirmationText {
  const description = confirmation.description.trim()
  const kind = approvalKind(confirmation)
  if (kind === 'model') return { first: '', rest: split(description).rest, address: null }
  const page = kind === 'page' ? PAGE.exec(description) : null
  return { ...split(page ? description.slice(0, page.index) : description), address: page?.[1] ?? null }
}

function split(description: string): { first: string; rest: string } {
  const [first = '', ...rest] = description.trim().split('\n')
  return { first, rest: rest.join('\n').trim() }
}

interface Verb {
  /** The verb forms: `search the web for`, `searching the web for`, `searched the web for`. */
  forms: readonly [string, string, string]
  /** The arguments that may name the object; the first one present is used. */
  on?: readonly string[]
  quoted?: boolean
}

const verb = (to: string, ing: string, ed: string, on: readonly string[] = [], quoted = false): Verb => ({ forms: [to, ing, ed], on, quoted })

const MEMORY = ['filename'] as const
const SERVER = ['name'] as const

/** The argument names used for a path by the original projects and other agents. */
const PATH = ['path', 'file', 'filepath', 'file_path', 'filename', 'target_file', 'relative_path'] as const

const VERBS: Record<string, Verb> = {
  time: verb('check the time in', 'checking the time in', 'checked the time in', ['zone', 'to']),
  calculate: verb('calculate', 'calculating', 'calculated', ['expression']),
  system_info: verb('look at this machine', 'looking at this machine', 'looked at this machine'),
  memory_create: verb('write the memory', 'writing the memory', 'wrote the memory', MEMORY),
  memory_read: verb('read the memory', 'reading the memory', 'read the memory', MEMORY),
  memory_edit: verb('rewrite the memory', 'rewriting the memory', 'rewrote the memory', MEMORY),
  memory_patch: verb('change the memory', 'changing the memory', 'changed the memory', MEMORY),
  memory_delete: verb('delete the memory', 'deleting the memory', 'deleted the memory', MEMORY),
  memory_list: verb('look through her memories', 'looking through her memories', 'looked through her memories'),
  state_set: verb('note', 'noting', 'noted', ['key']),
  state_get: verb('look up the note', 'looking up the note', 'looked up the note', ['key']),
  state_list: verb('look through her notes', 'looking through her notes', 'looked through her notes'),
  state_check_time: verb('check when she noted', 'checking when she noted', 'checked when she noted', ['key']),
  read_file: verb('read the file', 'reading the file', 'read the file', PATH),
  list_files: verb('look through the files in', 'looking through the files in', 'looked through the files in', ['folder', 'path']),
  write_file: verb('write the file', 'writing the file', 'wrote the file', PATH),
  create_new_file: verb('write the file', 'writing the file', 'wrote the file', PATH),
  edit_existing_file: verb('change the file', 'changing the file', 'changed the file', PATH),
  edit_file: verb('change the file', 'changing the file', 'changed the file', PATH),
  multi_edit: verb('change the file', 'changing the file', 'changed the file', PATH),
  search_replace: verb('change the file', 'changing the file', 'changed the file', PATH),
  apply_patch: verb('change files', 'changing files', 'changed files'),
  delete_file: verb('delete the file', 'deleting the file', 'deleted the file', PATH),
  rename_file: verb('move the file', 'moving the file', 'moved the file', ['from']),
  glob: verb('look for files like', 'looking for files like', 'looked for files like', ['pattern'], true),
  codebase_search: verb('look through the code for', 'looking through the code for', 'looked through the code for', ['query'], true),
  symbols: verb('look up what is defined in', 'looking up what is defined in', 'looked up what is defined in', ['path', 'name']),
  view_repo_map: verb('look at the map of the code', 'looking at the map of the code', 'looked at the map of the code'),
  view_diff: verb('look over her changes in', 'looking over her changes in', 'looked over her changes in', ['path']),
  grep: verb('search the files for', 'searching the files for', 'searched the files for', ['pattern', 'query'], true),
  run_terminal_cmd: verb('run', 'running', 'ran', ['command']),
  run_command: verb('run', 'running', 'ran', ['command']),
  clipboard_read: verb('read the clipboard', 'reading the clipboard', 'read the clipboard'),
  clipboard_write: verb('copy to the clipboard', 'copying to the clipboard', 'copied to the clipboard'),
  notify: verb('notify you', 'notifying you', 'notified you'),
  open: verb('open', 'opening', 'opened', ['target']),
  web_search: verb('search the web for', 'searching the web for', 'searched the web for', ['query'], true),
  web_fetch: verb('read', 'reading', 'read', ['url']),
  web_research: verb('research', 'researching', 'researched', ['question'], true),
  weather: verb('look up the weather in', 'looking up the weather in', 'looked up the weather in', ['place']),
  spotify: verb('use the music player', 'using the music player', 'used the music player'),
  widget: verb('prepare', 'preparing', 'prepared', ['title', 'type']),
  map: verb('draw a map of', 'drawing a map of', 'drew a map of', ['place', 'title']),
  scene: verb('build a scene of', 'building a scene of', 'built a scene of', ['title', 'prompt']),
  skill: verb('read the skill', 'reading the skill', 'read the skill', ['name']),
  skill_file: verb('read the skill’s file', 'reading the skill’s file', 'read the skill’s file', ['path']),
  forget: verb('forget', 'forgetting', 'forgot', ['words'], true),
  mcp_server_create: verb('make the server', 'making the server', 'made the server', SERVER),
  mcp_server_edit: verb('change the server', 'changing the server', 'changed the server', SERVER),
  mcp_server_delete: verb('delete the server', 'deleting the server', 'deleted the server', SERVER),
  mcp_server_list: verb('look through her servers', 'looking through her servers', 'looked through her servers'),
  mcp_server_start: verb('start the server', 'starting the server', 'started the server', SERVER),
  mcp_server_stop: verb('stop the server', 'stopping the server', 'stopped the server', SERVER),
  mcp_server_logs: verb('read the log of', 'reading the log of', 'read the log of', SERVER),
  find_tool: verb('look for a tool for', 'looking for a tool for', 'looked for a tool for', ['query'], true),
}

const MUSIC: Record<string, Verb> = {
  play: verb('play', 'playing', 'played', ['query']),
  pause: verb('pause the music', 'pausing the music', 'paused the music'),
  next: verb('skip to the next song', 'skipping to the next song', 'skipped to the next song'),
  previous: verb('go back a song', 'going back a song', 'went back a song'),
  volume: verb('set the volume to', 'setting the volume to', 'set the volume to', ['volume']),
  queue: verb('queue', 'queueing', 'queued', ['query']),
  status: verb('check what is playing', 'checking what is playing', 'checked what is playing'),
}

/** The maximum length of the object, which is shown in one line with the verb. */
const LONGEST_SUBJECT = 120

function spoken(name: string, args: unknown): { forms: Verb['forms']; subject: string } {
  const known = (name === 'spotify' ? own(MUSIC, field(args, 'action')) : undefined) ?? own(VERBS, name)
  const server = serverOf(name)
  if (!known) return { forms: ['use', 'using', 'used'], subject: plain(server === null ? name : `${name.slice(server.length + BETWEEN.length)} of ${server}`) }
  const found = known.on?.map((argument) => field(args, argument).trim()).find((value) => value !== '') ?? ''
  const line = plain(found.replace(/\s+/g, ' '))
  const subject = line.length > LONGEST_SUBJECT ? `${line.slice(0, LONGEST_SUBJECT)}…` : line
  return { forms: known.forms, subject: known.quoted && subject !== '' ? `“${subject}”` : subject }
}

/** Removes the preposition from a verb without an object. */
const bare = (verb: string) => verb.replace(/ (?:for|in|like|of|to)$/, '')

/** The state of a tool call: `stopped` was interrupted, `dropped` had not begun by then. */
export type ActState = ToolStatus | 'stopped' | 'dropped'

/** Describes a tool call in two parts, the action and its object. */
export function phrase(name: string, args: unknown, state: ActState): { does: string; what: string } {
  const { forms, subject } = spoken(name, args)
  const [to, ing, ed] = forms
  const form = (text: string) => (subject === '' ? bare(text) : text)
  const active = { running: form(ing), done: form(ed), stopped: `stopped ${form(ing)}` }[state as string]
  const does = active ?? `${BEFORE[state as Exclude<ActState, PhraseTense>]} ${form(to)}`
  return { does: capital(does), what: subject }
}

type PhraseTense = 'running' | 'done' | 'stopped'

const BEFORE: Record<Exclude<ActState, PhraseTense>, string> = {
  requested: 'asked to',
  waiting: 'wants to',
  failed: 'could not',
  denied: 'was not allowed to',
  blocked: 'may not',
  dropped: 'did not get to',
}

/** The permissions with the texts of their controls. */
export const PERMISSIONS: { permission: Permission; title: string; about: string }[] = [
  { permission: 'allow', title: 'Allow', about: 'She may, without asking' },
  { permission: 'confirm', title: 'Ask', about: 'She asks each time' },
  { permission: 'block', title: 'Block', about: 'She may not use it, and is not told that it exists' },
]

export const RISKS: Record<Risk, string> = { safe: 'Safe', risky: 'Risky', dangerous: 'Dangerous' }

export const AUDIT_DECISIONS: Record<AuditDecision, string> = {
  allowed: 'Allowed',
  approved: 'You said yes',
  denied: 'You said no',
  timedOut: 'No answer',
  stopped: 'Stopped before you answered',
  blocked: 'Blocked',
  refused: 'Refused',
}

/** Describes the effects of a tool in a few words each. */
export function effects(tool: Pick<ToolInfo, 'readsPrivate' | 'bringsUntrusted' | 'sendsOut' | 'changes'>): string[] {
  return [
    ...(tool.readsPrivate ? ['reads your data'] : []),
    ...(tool.bringsUntrusted ? ['reads outside text'] : []),
    ...(tool.sendsOut ? ['sends data out'] : []),
    ...(tool.changes ? ['makes changes'] : []),
  ]
}

/** Describes the risks of a tool call, worst first. */
export function dangers({ risk, tainted }: Pick<Confirmation, 'risk' | 'tainted'>, tool: ToolInfo | undefined): string[] {
  const found: string[] = []
  if (risk === 'dangerous') found.push('It can do lasting harm if it is wrong.')
  if (tainted) found.push('Somebody else may be using her to get at your data.')
  if (tool?.readsPrivate && tool.sendsOut) found.push('It can read your data, and some of it may leave this machine.')
  else if (tool?.sendsOut) found.push('What you see here leaves this machine, and cannot be taken back.')
  else if (tool?.readsPrivate) found.push('She gets to read your data.')
  if (tool?.name === 'forget') found.push('What is forgotten is gone for good.')
  else if (tool?.name === 'mcp_server_delete') found.push('It is deleted with what it stored. You can restore it on the Servers page.')
  else if (tool?.changes) found.push('It makes a change that may not be easy to undo.')
  if (tool?.bringsUntrusted) found.push('It reads text that others wrote, which may try to mislead her.')
  if (found.length > 0) return found
  if (risk === 'risky') return ['It acts outside this conversation.']
  return [tool ? 'Little: it makes no changes and sends nothing out.' : 'Nobody has said what this tool can do.']
}

/**
 * Formats a question such as `May Luna search the web for “moon”?` The object is quoted, so that its end is
 * recognisable.
 */
export function question(companionName: string, name: string, args: unknown): string {
  const { forms, subject } = spoken(name, args)
  if (subject === '') return `May ${companionName} ${bare(forms[0])}?`
  return `May ${companionName} ${forms[0]} ${subject.startsWith('“') ? subject : `“${subject}”`}?`
}

/** Returns the heading of a confirmation. */
export function heading(companionName: string, confirmation: Asked & Pick<Confirmation, 'args'>): string {
  const server = plain(serverOf(confirmation.tool) ?? '')
  switch (approvalKind(confirmation)) {
    case 'model':
      return `The server ${server} wants to use your model`
    case 'page':
      return `The server ${server} wants you to open a page`
    case 'words':
      return `The server ${server} asks you`
    case 'leave':
      return question(companionName, confirmation.tool, confirmation.args)
  }
}
