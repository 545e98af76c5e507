import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useStore } from '@/store'
import { exampleConfig } from '@/testkit/config'
import { clear, draw, press } from '@/testkit/draw'
import { routes, json, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { choiceTitle, FIELDS } from './fields'
import { find } from './find'
import { fieldsOf, offeredFields, SECTIONS, sectionNamed } from './sections'
import SettingsPage from './SettingsPage'
import { locked } from './wording'

const CONFIG = exampleConfig()
const text = () => document.body.textContent

async function search(words: string): Promise<void> {
  const field = document.querySelector('input[aria-label="Search settings"]') as HTMLInputElement
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  await act(async () => {
    set?.call(field, words)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

beforeEach(() => {
  Element.prototype.scrollIntoView = () => {}
  serve()
  localStorage.clear()
  routes['GET /api/config'] = () => json(CONFIG)
  freshStores({ session: 'in', config: CONFIG, route: { page: 'settings' } })
})
afterEach(async () => {
  await clear()
  vi.unstubAllGlobals()
})

describe('each setting', () => {
  test('that something reads has a name for people, and each name is of one that there is', () => {
    const there = offeredFields(CONFIG).map(({ key }) => key)
    expect(there.filter((key) => !(key in FIELDS))).toEqual([])
    expect(Object.keys(FIELDS).filter((key) => !there.includes(key))).toEqual([])
    expect(there.length).toBeGreaterThan(60)
  })

  test('stands on one page, and has a name of its own there', () => {
    const shown = SECTIONS.flatMap((place) => {
      const { usual, advanced } = fieldsOf(place, CONFIG)
      const titles = [...usual, ...advanced].map(({ key }) => FIELDS[key]?.title)
      expect(new Set(titles).size, place.title).toBe(titles.length)
      return [...usual, ...advanced].map(({ key }) => key)
    })
    expect(shown.toSorted()).toEqual(offeredFields(CONFIG).map(({ key }) => key).toSorted())
  })

  test('of a choice says its values in words', () => {
    for (const { key, choices } of offeredFields(CONFIG)) {
      for (const value of choices.filter((name) => name !== 'llama-server')) expect(choiceTitle(key, value), `${key} ${value}`).not.toMatch(/^[a-z-]+$/)
    }
  })

  test('that cannot be changed here says where it can', () => {
    expect(locked('flag')).toBe('A command-line flag decides this. Leave it out, and start Perigee again.')
    expect(locked('environment')).toMatch(/^An environment variable decides this\./)
    expect(locked('file')).toBeNull()
  })

  test('of a part that is not built is not offered', () => {
    const keys = offeredFields(CONFIG).map(({ key }) => key)
    expect(keys.filter((key) => /^(tts|stt|wakeword|heartbeat)\./.test(key) || key === 'llm.learn_from_api')).toEqual([])
  })
})

describe('a search', () => {
  const titles = (query: string) => find(CONFIG, query).hits.map((hit) => (hit.kind === 'field' ? FIELDS[hit.field.key]?.title : hit.item.title))
  test.each([
    ['dark', 'Theme'],
    ['font', 'Text size'],
    ['bigger letters', 'Text size'],
    ['wallpaper', 'Background'],
    ['temperature', 'Creativity'],
    ['internet', 'Web search'],
    ['google', 'Web search'],
    ['rename', 'Her name'],
    ['nickname', 'Your name'],
    ['terminal', 'Shell commands'],
    ['phone', 'Your phone'],
    ['log out', 'Signed-in browsers'],
    ['api key', 'Server key'],
    ['logging', 'Debug log'],
    ['llm.num_ctx', 'Context length'],
    ['humour', 'Personality'],
  ])('for “%s” finds %s', (query, title) => expect(titles(query).slice(0, 5)).toContain(title))

  test.each(['read', 'talk', 'word', 'sound'])('for “%s”, which is in real settings, offers those and says nothing of a voice', (query) => {
    const { note, hits } = find(CONFIG, query)
    expect(note).toBeNull()
    expect(hits).not.toEqual([])
  })

  test.each(['voice', 'speech', 'speak', 'microphone', 'wake word', 'read aloud'])('for “%s”, which is not built, says so and offers nothing for it', (query) => {
    const { note, hits } = find(CONFIG, query)
    expect(note).toContain('no voice yet')
    expect(hits).toEqual([])
  })
})

describe('an address', () => {
  test.each([
    [null, 'appearance'],
    ['llm', 'llm'],
    ['llm.temperature', 'llm'],
    ['bash', 'tools'],
    ['builtin_tools.web_search', 'tools'],
    ['builtin_tools.web_search.enabled', 'tools'],
    ['builtin_tools', 'tools'],
    ['server', 'advanced'],
    ['debug', 'advanced'],
    ['weather.enabled', 'tools'],
    ['nowhere', undefined],
  ])('%s leads to the page %s', (wanted, page) => expect(sectionNamed(wanted, CONFIG)?.name).toBe(page))
})

describe('the page', () => {
  test('names what people look for, without keys and tables', async () => {
    await draw(<SettingsPage />)
    const links = [...document.querySelectorAll('nav a')].map((link) => link.textContent)
    expect(links).toEqual(['Appearance', 'Names', 'Avatar', 'Model', 'Chats', 'Memory', 'Tools', 'Music', 'Code', 'Devices and access', 'Advanced', 'About'])
    await act(async () => useStore.setState({ route: { page: 'settings', section: 'chat' } }))
    expect(text()).toContain('Chat titles')
    expect(text()).not.toContain('chat.title')
    expect([...document.querySelectorAll('option')].map(({ textContent }) => textContent)).toContain('First words of the chat')
  })

  test('has the theme as dark, light and system, and letters of four sizes', async () => {
    await draw(<SettingsPage />)
    const radios = (name: string) => [...document.querySelectorAll(`input[name="${name}"]`)].map((radio) => radio.closest('label')?.textContent?.replace(/^A/, ''))
    expect(radios('theme')).toEqual(['Dark', 'Light', 'System'])
    expect(radios('text size')).toEqual(['Small', 'Normal', 'Large', 'Larger'])
    await act(async () => (document.querySelector('input[value="large"]') as HTMLInputElement).click())
    expect(document.documentElement.dataset['text']).toBe('large')
    expect(localStorage.getItem('perigee.text-size')).toBe('large')
    await act(async () => (document.querySelector('input[value="normal"]') as HTMLInputElement).click())
    expect(document.documentElement.dataset['text']).toBeUndefined()
  })

  test('folds away what few people need, and opens it for a link to it', async () => {
    useStore.setState({ route: { page: 'settings', section: 'llm' } })
    await draw(<SettingsPage />)
    expect(text()).not.toContain('Min-p')
    await act(async () => useStore.setState({ route: { page: 'settings', section: 'appearance' } }))
    await act(async () => useStore.setState({ route: { page: 'settings', section: 'llm.min_p' } }))
    expect(text()).toContain('Min-p')
  })

  test('finds by other words, and says what is not there', async () => {
    await draw(<SettingsPage />)
    await search('font')
    expect(text()).toContain('Text size')
    await search('voice')
    expect(text()).toContain('There is no voice yet')
    await search('qwertz')
    expect(text()).toContain('No setting matches “qwertz”.')
    await press('Clear the search')
    expect(document.querySelector('input[name="theme"]')).not.toBeNull()
  })
})
