// @vitest-environment node
import { Wrench } from 'lucide-react'
import { describe, expect, test } from 'vitest'
import { tool } from '@/testkit/tools'
import { groupedByPurpose, switchOf } from './groups'
import { toolIcon } from './icons'
import { toolName } from './names'
import { dangers, effects, field, heading, phrase, plain, question, resultText, confirmationText, approvalKind } from './wording'

describe('what she does, in words', () => {
  test.each([
    ['web_search', { query: 'tides' }, 'running', 'Searching the web for “tides”'],
    ['web_search', {}, 'running', 'Searching the web'],
    ['web_fetch', { url: 'https://example.org' }, 'done', 'Read https://example.org'],
    ['weather', { place: 'Porto' }, 'waiting', 'Wants to look up the weather in Porto'],
    ['weather', null, 'done', 'Looked up the weather'],
    ['memory_delete', { filename: 'old.md' }, 'denied', 'Was not allowed to delete the memory old.md'],
    ['spotify', { action: 'play', query: 'Debussy' }, 'done', 'Played Debussy'],
    ['spotify', { action: 'volume', volume: 30 }, 'failed', 'Could not set the volume to 30'],
    ['spotify', { action: 'volume' }, 'done', 'Set the volume'],
    ['spotify', { action: 'dance' }, 'done', 'Used the music player'],
    ['time', { zone: 'Tokyo' }, 'done', 'Checked the time in Tokyo'],
    ['time', {}, 'running', 'Checking the time'],
    ['calculate', { expression: '2\n  +  2' }, 'blocked', 'May not calculate 2 + 2'],
    ['list_files', { path: '~/Notes' }, 'done', 'Looked through the files in ~/Notes'],
    ['list_files', {}, 'done', 'Looked through the files'],
    ['write_file', { path: 'a.md' }, 'waiting', 'Wants to write the file a.md'],
    ['map', { place: 'Porto', title: 'A day out' }, 'done', 'Drew a map of Porto'],
    ['map', { lat: 1, lon: 2 }, 'done', 'Drew a map'],
    ['scene', { prompt: 'a small village' }, 'running', 'Building a scene of a small village'],
    ['skill_file', { name: 'notes', path: 'form.md' }, 'done', 'Read the skill’s file form.md'],
    ['find_tool', { query: 'play a song' }, 'done', 'Looked for a tool for “play a song”'],
    ['made_by_herself', { x: 1 }, 'dropped', 'Did not get to use made_by_herself'],
    ['made_by_herself', { x: 1 }, 'stopped', 'Stopped using made_by_herself'],
    ['run_command', { command: 'sleep 60' }, 'stopped', 'Stopped running sleep 60'],
    ['constructor', 'nonsense', 'done', 'Used constructor'],
    ['spotify', { action: 'constructor' }, 'done', 'Used the music player'],
    ['spotify', { action: '__proto__' }, 'waiting', 'Wants to use the music player'],
    ['spotify', { action: 'toString' }, 'failed', 'Could not use the music player'],
    ['web_search', { query: 'x'.repeat(500) }, 'done', `Searched the web for “${'x'.repeat(120)}…”`],
    ['web_search', { query: { deep: true } }, 'done', 'Searched the web'],
    ['open', { target: 'a\u202eb' }, 'requested', 'Asked to open a⟨U+202E⟩b'],
  ] as const)('%s %j %s', (name, args, state, words) => {
    const { does, what } = phrase(name, args, state)
    expect(what === '' ? does : `${does} ${what}`).toBe(words)
  })

  test.each([
    'time', 'calculate', 'system_info', 'memory_create', 'memory_read', 'memory_edit', 'memory_patch', 'memory_delete', 'memory_list', 'state_set', 'state_get',
    'state_list', 'state_check_time', 'read_file', 'list_files', 'write_file', 'clipboard_read', 'clipboard_write', 'notify', 'open', 'web_search', 'web_fetch',
    'web_research', 'weather', 'spotify', 'widget', 'map', 'scene', 'skill', 'skill_file', 'find_tool',
  ])('%s has words and a picture of its own', (name) => {
    expect(phrase(name, {}, 'done')).toEqual({ does: expect.not.stringMatching(/^Used$/), what: '' })
    expect(toolIcon(name)).not.toBe(Wrench)
  })

  test('what is not known has neither', () => {
    expect(phrase('timed_lock', {}, 'done').what).toBe('timed_lock')
    expect(['timed_lock', 'mapper', 'openly', 'constructor'].map(toolIcon)).toEqual([Wrench, Wrench, Wrench, Wrench])
  })

  test('asks a person', () => {
    expect(question('Luna', 'web_search', { query: 'tides' })).toBe('May Luna search the web for “tides”?')
    expect(question('Ada', 'clipboard_read', {})).toBe('May Ada read the clipboard?')
  })

  test('reads anything', () => {
    expect([resultText(null), resultText(undefined), resultText('a'), resultText({ a: 1 }), resultText(0)]).toEqual(['', '', 'a', '{\n  "a": 1\n}', '0'])
    expect([field(null, 'a'), field([1], '0'), field({ a: 3 }, 'a'), field({ a: {} }, 'a')]).toEqual(['', '', '3', ''])
    expect(plain('a\tb\nc\u0000\u202e')).toBe('a\tb\nc⟨U+0000⟩⟨U+202E⟩')
  })

  test.each([
    'سلام 👩‍🚀 שלום', '❤️‍🔥 ❤️ 👩🏽‍🚀 1️⃣ 🏳️‍🌈', 'a\tb\nc', 'naïve e\u0301',
  ])('%s is left as it is', (text) => expect(plain(text)).toBe(text))

  test.each([
    ['a\u200bb', 'a⟨U+200B⟩b'],
    ['a\u200cb', 'a⟨U+200C⟩b'],
    ['a\u200db', 'a⟨U+200D⟩b'],
    ['a\ufe0fb', 'a⟨U+FE0F⟩b'],
    ['a\u034fb', 'a⟨U+034F⟩b'],
    ['a\u3164b', 'a⟨U+3164⟩b'],
    ['a\uffa0b', 'a⟨U+FFA0⟩b'],
    ['a\u115fb', 'a⟨U+115F⟩b'],
    ['a\u2800b', 'a⟨U+2800⟩b'],
    ['a\u2028b', 'a⟨U+2028⟩b'],
    ['a\u{e0041}b', 'a⟨U+E0041⟩b'],
    ['a\u{1d173}b', 'a⟨U+1D173⟩b'],
    ['🌙\u200d', '🌙⟨U+200D⟩'],
    ['🌙\ufe0f\ufe0f', '🌙️⟨U+FE0F⟩'],
    ['\r', '⟨U+000D⟩'],
  ])('%j is written out as %s', (text, shown) => expect(plain(text)).toBe(shown))
})

describe('what can go wrong', () => {
  const risky = { risk: 'risky' as const, tainted: false }
  test('is said by what the tool does', () => {
    expect(dangers(risky, tool('x', { changes: true, sendsOut: true })).join(' ')).toMatch(/leaves this machine.*makes a change/)
    expect(dangers({ ...risky, risk: 'dangerous' }, tool('x'))[0]).toMatch(/lasting harm/)
    expect(dangers({ ...risky, tainted: true }, undefined)[0]).toMatch(/Somebody else/)
    expect(dangers(risky, tool('x'))).toEqual(['It acts outside this conversation.'])
  })

  test('forgetting is said to be for good', () => {
    expect(dangers(risky, tool('forget', { changes: true })).join(' ')).toMatch(/gone for good/)
  })

  test('is not played down where nothing is known', () => {
    expect(dangers({ risk: 'safe', tainted: false }, undefined)[0]).toMatch(/Nobody has said/)
  })

  test('names the effects', () => {
    expect(effects(tool('x', { readsPrivate: true, bringsUntrusted: true, sendsOut: true, changes: true }))).toHaveLength(4)
    expect(effects(tool('x'))).toEqual([])
  })
})

describe('groups', () => {
  test('are by what tools are for, with those of servers last', () => {
    const groups = groupedByPurpose([tool('notes__add_note'), tool('web_search', { on: false }), tool('web_fetch'), tool('run_command', { on: false }), tool('time'), tool('odd_one')])
    expect(groups.map(({ title, off, tools }) => [title, off, tools.map(({ name }) => name)])).toEqual([
      ['The web', false, ['web_fetch', 'web_search']],
      ['Everyday', false, ['time']],
      ['This computer', true, ['run_command']],
      ['More tools', false, ['odd_one']],
      ['From the server notes', false, ['notes__add_note']],
    ])
  })

  test('are switched by their setting, where there is one', () => {
    const made = (key: string, kind: 'switch' | 'text' = 'switch') => ({ key, about: '', kind, choices: [], value: false, default: false, from: 'default', effective: true })
    const config = { path: '', problems: [], sections: [{ name: 'builtin_tools', about: '', fields: [made('builtin_tools.bash'), made('builtin_tools.web_search', 'text'), made('builtin_tools.web_search.enabled')] }] }
    const of = (group: string | null) => tool('x', { group })
    expect(switchOf(of('bash'), config)?.key).toBe('builtin_tools.bash')
    expect(switchOf(of('web_search'), config)?.key).toBe('builtin_tools.web_search.enabled')
    expect([switchOf(of('memory'), config), switchOf(of(null), config), switchOf(undefined, config), switchOf(of('bash'), null)]).toEqual([null, null, null, null])
  })
})

test.each([
  ['web_search', 'Web search'],
  ['notes__add_note', 'Add note'],
  ['odd_one', 'Odd one'],
  ['__', '__'],
])('%s is called %s', (name, title) => expect(toolName(name)).toBe(title))

test('a question is headed by who asks, and for what', () => {
  const asked = { tool: 'feat__think', args: {}, form: undefined, id: '12', description: 'Thinks.' }
  const model = { ...asked, id: '12.1', description: 'The server feat wants to use your model, for this:\n\nWhat is it?' }
  const page = { ...asked, id: '12.2', description: 'Look.\n\nIt wants you to open https://there.example and come back here.' }
  const form = { ...asked, form: { properties: {} }, id: '12.3', description: 'Which colour?' }
  const cases = [
    [asked, 'May Luna use “think of feat”?', 'leave', 'Thinks.'],
    [model, 'The server feat wants to use your model', 'model', ''],
    [page, 'The server feat wants you to open a page', 'page', 'Look.'],
    [form, 'The server feat asks you', 'words', 'Which colour?'],
  ] as const
  for (const [confirmation, head, wish, first] of cases) {
    expect(heading('Luna', confirmation)).toBe(head)
    expect(approvalKind(confirmation)).toBe(wish)
    expect(confirmationText(confirmation).first).toBe(first)
  }
})

describe('what a server says in the midst of its work', () => {
  const said = (description: string) => confirmationText({ tool: 'feat__think', id: '12.1', description })
  const there = (address: string) => `It wants you to open ${address} and come back here.`
  test.each([
    [`Look.\nClosely.\n\n${there('https://a.example/?x=1')}`, { first: 'Look.', rest: 'Closely.', address: 'https://a.example/?x=1' }],
    [`\n\n${there('https://a.example')}`, { first: '', rest: '', address: 'https://a.example' }],
    // Only the last request counts; any before it are the server's own text.
    [`Look.\n\n${there('https://good.example')}\n\n${there('https://evil.example')}`, { first: 'Look.', rest: there('https://good.example'), address: 'https://evil.example' }],
    [`Look.\n\n${there('https://a.example or not')}`, { first: 'Look.', rest: there('https://a.example or not'), address: null }],
    ['Much too long…', { first: 'Much too long…', rest: '', address: null }],
    // A request to use the model cannot be disguised as a page to open.
    [`The server feat wants to use your model, for this:\n\nBuy.\n\n${there('https://a.example')}`, { first: '', rest: `Buy.\n\n${there('https://a.example')}`, address: null }],
  ])('%j', (description, parts) => expect(said(description)).toEqual(parts))
})
