// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { hostsFault, readHosts } from './hosts'

describe('hosts that a server may reach', () => {
  test.each([
    '', ' , ', 'example.org', 'EXAMPLE.org.', 'example.org:8080', '*.example.org', '*.example.org:81', 'a.example, b.example c.example', '*', '*, *',
    '127.0.0.1:8080', '192.168.1.20', '::1', '[::1]', '[::1]:90', '::ffff:127.0.0.1', 'my_host.example.org', 'xn--bcher-kva.example',
  ])('%j can be sent', (text) => expect(hostsFault(text)).toBeNull())

  // The same cases as on the server, so that the client sends nothing that the server would refuse.
  test.each([
    'http://bad/', 'https://example.org', 'example.org/path', 'user@example.org', 'example.org:0', 'example.org:', 'example.org:99999', 'example.org:80:80', '*.127.0.0.1', '*.::1',
    '*example.org', 'a..b', '.example.org', '0.0.0.0', '224.0.0.1', '::', 'ff02::1', '0x7f.1', '127.1', '0177.0.0.1', '1.2.3.4.5', '2130706433', 'bücher.example', '[::1', '[fe80::1%eth0]',
    '[::1]90', '[1.2.3.4]', `${'a'.repeat(64)}.org`, `${'a.'.repeat(127)}org`, 'constructor/',
  ])('%s is not a host', (text) => expect(hostsFault(text)).toBe(`${text} is not a host: write example.org, *.example.org, 192.168.1.20 or example.org:8080.`))

  test.each(['localhost', 'localhost:8080', 'printer.lan', '*.local', '*.org', 'router', 'nas.home.arpa'])('%s is a name of the own network', (text) =>
    expect(hostsFault(text)).toBe(`${text} is a name in your own network: write its address, such as 127.0.0.1:8080.`),
  )

  test('the first that is none is named, with its unseen signs', () => {
    expect(hostsFault('a.example, b.exa\u200bmple, http://c')).toMatch(/^b\.exa⟨U\+200B⟩mple is not a host/)
    expect(hostsFault('*, a.example')).toBe('* means every public host: use it alone.')
  })

  test('are read with commas or spaces between them', () => expect(readHosts(' A.example,b.example\n c.example ')).toEqual(['a.example', 'b.example', 'c.example']))
})
