// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { nameTrouble, readPairs, readPasted, readCommandOrAddress, splitCommand } from './paste'

const TIME = { command: 'uvx', args: ['mcp-server-time'] }

describe('what is pasted', () => {
  test.each([
    ['a whole file', JSON.stringify({ mcpServers: { time: TIME } }), [['time', TIME]]],
    ['a file of another editor', JSON.stringify({ servers: { time: TIME } }), [['time', TIME]]],
    ['the list of a file', JSON.stringify({ time: TIME, web: { url: 'https://a.example/mcp' } }), [['time', TIME], ['web', { url: 'https://a.example/mcp' }]]],
    ['one entry without its braces', `"time": ${JSON.stringify(TIME)},`, [['time', TIME]]],
    ['what stands under a name', JSON.stringify(TIME), [['', TIME]]],
    ['a file with comments and commas', '{\n  // mine\n  "mcpServers": { /* all */ "time": { "command": "uvx", "args": ["mcp-server-time",], }, // here\n },\n}', [['time', TIME]]],
    ['settings of an editor', JSON.stringify({ mcp: { servers: { time: TIME } } }), [['time', TIME]]],
    ['another word for the address', JSON.stringify({ mcpServers: { web: { serverUrl: 'https://a.example/mcp//x' } } }), [['web', { url: 'https://a.example/mcp//x' }]]],
    ['a name with dots', JSON.stringify({ mcpServers: { 'awslabs.core.server': TIME } }), [['awslabs-core-server', TIME]]],
    ['a text that looks like a comment', '{"a": {"command": "x", "args": ["// no, }", "/* no */,]"]}}', [['a', { command: 'x', args: ['// no, }', '/* no */,]'] }]]],
    ['one that says its name', JSON.stringify({ name: 'time', ...TIME }), [['time', TIME]]],
  ])('is read from %s', (_, text, entries) => {
    const read = readPasted(text)
    expect('entries' in read && read.entries.map(({ name, server }) => [name, server])).toEqual(entries)
  })

  test.each([
    ['', /Paste the JSON first/],
    ['{"mcpServers": {', /This is not valid JSON/],
    ['[1, 2]', /not a server/],
    ['{"mcpServers": {}}', /empty/],
    ['{"time": {"args": []}}', /“time” is not a server/],
    ['{"time": {"command": 4}}', /In “time”, "command" should be text/],
    ['{"time": {"command": "x", "args": "y"}}', /"args" should be a list of strings/],
    ['{"time": {"command": "x", "env": {"A": 1}}}', /"env" should contain only strings/],
    ['{"time": {"command": "x", "url": "https://a.example"}}', /one of them/],
    ['{"time": {"command": "x", "env": {"KEY": "${input:my-key}"}}}', /“my-key” is a placeholder/],
    ['{"time": {"url": "ftp://a.example"}}', /http:\/\/ or https:\/\//],
  ])('is refused with a reason: %s', (text, reason) => {
    const read = readPasted(text)
    expect('trouble' in read ? read.trouble : '').toMatch(reason)
  })
})

describe('what is written in one line', () => {
  test.each([
    ['npx -y  server', ['npx', '-y', 'server']],
    [`python3 "my server.py" 'a "b"'`, ['python3', 'my server.py', 'a "b"']],
    [String.raw`run my\ file "a \" b" C:\tools`, ['run', 'my file', 'a " b', String.raw`C:\tools`]],
    [`say ''`, ['say', '']],
    ['  ', []],
    ['say "open', null],
  ])('is cut as a shell would: %s', (line, parts) => expect(splitCommand(line)).toEqual(parts))

  test('is an address or a command', () => {
    expect(readCommandOrAddress(' https://a.example/mcp ')).toEqual({ server: { url: 'https://a.example/mcp' } })
    expect(readCommandOrAddress('uvx mcp-server-time')).toEqual({ server: TIME })
    expect(readCommandOrAddress('')).toHaveProperty('trouble')
    expect(readCommandOrAddress('say "open')).toHaveProperty('trouble')
  })

  test('has variables and headers beside it', () => {
    expect(readPairs('KEY=a=b\n\n OTHER = c ', '=')).toEqual({ pairs: { KEY: 'a=b', OTHER: 'c' } })
    expect(readPairs('Authorization: Bearer x:y', ':')).toEqual({ pairs: { Authorization: 'Bearer x:y' } })
    expect(readPairs('KEY', '=')).toEqual({ line: 'KEY' })
  })
})

test.each([
  ['time', null],
  ['', /short name/],
  ['a.b', /no dots/],
  ['x'.repeat(65), /short/],
  ['taken', /already/],
])('the name “%s” is looked at before it is sent', (name, reason) => {
  const trouble = nameTrouble(name, ['taken'])
  if (reason === null) expect(trouble).toBeNull()
  else expect(trouble).toMatch(reason)
})
