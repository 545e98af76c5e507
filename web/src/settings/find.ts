import type { ConfigField, ConfigReport } from '@/api/protocol.gen'
import { own } from '@/design/own'
import { FIELDS, fieldTitle } from './fields'
import { offeredFields, SECTIONS, spotOf } from './sections'

/** A setting that is not in the config file, with its location and search terms. */
export interface Elsewhere {
  title: string
  about: string
  words: string
  href: string
}

export const ELSEWHERE: Elsewhere[] = [
  { title: 'Theme', about: 'Dark, light, or the same as the system.', words: 'dark light night day mode colour color colours colors black white contrast', href: '#/settings/appearance' },
  { title: 'Text size', about: 'How large the text is.', words: 'font fonts size letters bigger smaller zoom scale reading accessibility', href: '#/settings/appearance' },
  { title: 'Finished steps', about: 'Whether tools leave a line in the conversation.', words: 'hide show tool cards', href: '#/settings/appearance' },
  { title: 'Notifications', about: 'When she has something to say while you are looking elsewhere.', words: 'alerts notify desktop sound', href: '#/settings/appearance' },
  { title: 'Install Perigee', about: 'A window and an icon of its own.', words: 'app home screen pwa desktop', href: '#/settings/appearance' },
  { title: 'Avatar', about: 'What she looks like.', words: 'body character vrm model 3d clothes looks face skin', href: '#/settings/body' },
  { title: 'Background', about: 'What is behind her.', words: 'wallpaper picture image sky scenery', href: '#/settings/body' },
  { title: 'Animations', about: 'How she moves.', words: 'dance gestures vrma fbx moves', href: '#/settings/body' },
  { title: 'Drawing quality', about: 'How finely she is drawn.', words: 'graphics performance fps battery gpu slow', href: '#/settings/body' },
  { title: 'Personality', about: 'How she talks: humour, warmth, length.', words: 'mood tone humor humour style formal temper character', href: '#/personality' },
  { title: 'Tools and permissions', about: 'What she may do by herself, and what she asks for.', words: 'allow ask block permission safety confirm', href: '#/tools' },
  { title: 'Servers', about: 'Tools from other programs.', words: 'mcp plugins extensions connect integrations', href: '#/servers' },
  { title: 'What she remembers', about: 'See, correct, export and forget facts.', words: 'memory facts forget export import delete data privacy', href: '#/memory' },
  { title: 'Your phone', about: 'Use her from a phone on your network.', words: 'mobile qr lan network android iphone tablet', href: '#/settings/access' },
  { title: 'Signed-in browsers', about: 'Sign other devices out.', words: 'sessions devices logout log out sign out security', href: '#/settings/access' },
  { title: 'Access tokens', about: 'For programs that talk to her.', words: 'api key token password', href: '#/settings/access' },
  { title: 'Spotify account', about: 'Sign in, to play music there.', words: 'music songs player', href: '#/settings/spotify' },
  { title: 'Version and background work', about: 'Which version this is, and what runs in the background.', words: 'about update processes licence license maintenance', href: '#/settings/about' },
]

/**
 * Features that do not exist but may be searched for. They are mentioned only if no setting is found, since
 * some of the words have other meanings.
 */
const NOT_HERE = [
  { words: 'voice voices speech speak speaking microphone mic tts stt dictate dictation wakeword talk aloud read listen listening hear hearing wake word audio sound', text: 'There is no voice yet: she reads and writes, so there is nothing to set for it.' },
  { words: 'heartbeat proactive initiative', text: 'She does not write on her own yet, so there is nothing to set for it.' },
  { words: 'language translate locale german french spanish', text: 'Perigee speaks English. She answers in the language you write, as far as the model knows it.' },
]

export type Hit = { kind: 'field'; field: ConfigField } | { kind: 'elsewhere'; item: Elsewhere }

export interface Findings {
  hits: Hit[]
  /** A note about a feature that was searched for but does not exist. */
  note: string | null
}

/**
 * Finds the settings that match a query: each word of it must be a prefix of a word of the setting, and
 * matches in the title score highest.
 */
export function find(config: ConfigReport, query: string): Findings {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
  const scored: { hit: Hit; score: number }[] = []
  const put = (hit: Hit, title: string, words: string, about: string) => {
    const score = closeness(asked, title, words, about)
    if (score > 0) scored.push({ hit, score })
  }
  for (const item of ELSEWHERE) put({ kind: 'elsewhere', item }, item.title, item.words, item.about)
  for (const field of offeredFields(config)) {
    const known = own(FIELDS, field.key)
    put({ kind: 'field', field }, fieldTitle(field.key), `${known?.words ?? ''} ${field.key} ${spotOf(field.key).section.title}`, known?.about ?? field.about)
  }
  const missing = scored.length === 0 ? NOT_HERE.find(({ words }) => words.split(' ').some((word) => asked.includes(word))) : undefined
  return { hits: scored.sort((one, other) => other.score - one.score).map(({ hit }) => hit), note: missing?.text ?? null }
}

function closeness(asked: string[], title: string, words: string, about: string): number {
  let score = 0
  for (const word of asked) {
    const found = begins(title, word) ? 4 : begins(words, word) ? 2 : word.length > 2 && begins(about, word) ? 1 : 0
    if (found === 0) return 0
    score += found
  }
  return score
}

/** Returns true if a word of the text begins with the given one. A dotted key also matches as a whole. */
function begins(text: string, word: string): boolean {
  const all = text.toLowerCase()
  return all.split(/[\s,.:;_()/-]+/).some((part) => part.startsWith(word)) || (word.includes('.') && all.includes(word))
}

/** Returns the title of the page that contains a setting. */
export function sectionTitle(key: string): string {
  return spotOf(key).section.title
}

export const PAGE_NAMES = new Map(SECTIONS.map(({ name, title }) => [`#/settings/${name}`, title]))
