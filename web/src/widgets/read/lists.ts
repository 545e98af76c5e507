import { fields, LINE, lines, list, pick, type Problem, type PartialList, partialList, TEXT, unquoted, textOf, yes } from '../lenient'

export interface Step {
  title: string
  text: string
  done: boolean
}

export interface Steps {
  kind: 'steps'
  steps: PartialList<Step>
}

const MOST = 200

export function readSteps(data: unknown): Steps | Problem {
  const steps = partialList(list(data, 'steps', 'items', 'data'), MOST, (value) => {
    const from = fields(value)
    const title = from ? textOf(pick(from, 'title', 'name', 'step', 'label')) : textOf(value, TEXT).replace(/^\d{1,3}[.)]\s+/, '')
    const text = from ? textOf(pick(from, 'text', 'description', 'detail', 'content'), TEXT) : ''
    if (title === '' && text === '') return null
    return { title: title || text, text: title ? text : '', done: yes(pick(from, 'done', 'completed')) }
  })
  return steps.shown.length > 0 ? { kind: 'steps', steps } : { problem: 'It has no steps that can be read.' }
}

export interface Summary {
  kind: 'summary'
  text: string
  points: PartialList<string>
}

export function readSummary(data: unknown): Summary | Problem {
  const inner = unquoted(data)
  const from = fields(inner)
  const text = typeof inner === 'string' ? textOf(inner, TEXT) : textOf(pick(from, 'text', 'summary', 'content'), TEXT)
  const given = Array.isArray(inner) ? inner : list(pick(from, 'points', 'items', 'bullets'))
  const points = partialList(given, MOST, (point) => textOf(point, TEXT) || null)
  return text || points.shown.length > 0 ? { kind: 'summary', text, points } : { problem: 'It has neither a text nor points.' }
}

export interface Moment {
  when: string
  title: string
  text: string
}

export interface TimelineContent {
  kind: 'timeline'
  moments: PartialList<Moment>
}

export function readTimelineContent(data: unknown): TimelineContent | Problem {
  const moments = partialList(list(data, 'events', 'items', 'moments', 'timeline'), MOST, (value) => {
    const from = fields(value)
    const title = from ? textOf(pick(from, 'title', 'event', 'name', 'label')) : textOf(value)
    const when = textOf(pick(from, 'when', 'date', 'time', 'year'), 60)
    const text = textOf(pick(from, 'text', 'description', 'detail'), TEXT)
    return title || text ? { when, title: title || text, text: title ? text : '' } : null
  })
  return moments.shown.length > 0 ? { kind: 'timeline', moments } : { problem: 'It has no moments that can be read.' }
}

export interface Tab {
  title: string
  text: string
}

export interface Tabs {
  kind: 'tabs'
  tabs: PartialList<Tab>
}

export function readTabs(data: unknown): Tabs | Problem {
  const tabs = partialList(list(data, 'tabs', 'items'), 30, (value) => {
    const from = fields(value)
    const title = textOf(pick(from, 'title', 'name', 'label'), 80)
    const text = textOf(pick(from, 'text', 'content', 'body'), TEXT * 2)
    return title || text ? { title: title || 'Untitled', text } : null
  })
  return tabs.shown.length > 0 ? { kind: 'tabs', tabs } : { problem: 'It has no tabs that can be read.' }
}

export interface Card {
  front: string
  back: string
}

export interface Flashcards {
  kind: 'flashcards'
  cards: PartialList<Card>
}

export function readFlashcards(data: unknown): Flashcards | Problem {
  const cards = partialList(list(data, 'cards', 'items', 'flashcards'), 500, (value) => {
    const from = fields(value)
    const pair = Array.isArray(value) ? value : null
    const front = textOf(pair ? pair[0] : pick(from, 'front', 'question', 'term'), 2000)
    const back = textOf(pair ? pair[1] : pick(from, 'back', 'answer', 'definition'), 2000)
    return front && back ? { front, back } : null
  })
  return cards.shown.length > 0 ? { kind: 'flashcards', cards } : { problem: 'It has no card with both a front and a back.' }
}

export interface ChecklistItem {
  text: string
  done: boolean
}

export interface Checklist {
  kind: 'checklist'
  checks: PartialList<ChecklistItem>
}

export function readChecklist(data: unknown): Checklist | Problem {
  const checks = partialList(list(data, 'items', 'checklist', 'tasks'), 500, (value) => {
    const from = fields(value)
    const text = from ? textOf(pick(from, 'text', 'title', 'label', 'task'), TEXT) : textOf(value, TEXT)
    return text ? { text, done: yes(pick(from, 'done', 'checked', 'completed')) } : null
  })
  return checks.shown.length > 0 ? { kind: 'checklist', checks } : { problem: 'It has no items.' }
}

export interface Email {
  from: string
  to: string
  subject: string
  date: string
  text: string
}

export interface Emails {
  kind: 'emails'
  emails: PartialList<Email>
}

export function readEmails(data: unknown): Emails | Problem {
  const emails = partialList(list(data, 'emails', 'items', 'messages'), MOST, (value) => {
    const given = fields(value)
    if (!given) return null
    const email = {
      from: textOf(pick(given, 'from', 'sender')),
      to: textOf(pick(given, 'to')),
      subject: textOf(pick(given, 'subject', 'title')),
      date: textOf(pick(given, 'date', 'when'), 80),
      text: textOf(pick(given, 'text', 'body', 'content', 'snippet'), TEXT * 2),
    }
    return email.subject || email.text || email.from ? email : null
  })
  return emails.shown.length > 0 ? { kind: 'emails', emails } : { problem: 'It has no emails that can be read.' }
}

export interface Formula {
  kind: 'formula'
  latex: string
  text: string
  variables: PartialList<{ name: string; meaning: string }>
}

export function readFormula(data: unknown): Formula | Problem {
  const from = fields(unquoted(data))
  const given = textOf(from ? pick(from, 'latex', 'formula', 'tex') : data, 4000)
  const latex = given.replace(/^(?:\$\$|\\\[)([\s\S]*)(?:\$\$|\\\])$/, '$1').replace(/^\$([^$]*)\$$/, '$1').trim()
  if (latex === '') return { problem: 'It has no formula.' }
  const meant = pick(from, 'variables', 'where')
  const named = fields(meant)
  const pairs = named ? Object.entries(named).map(([name, meaning]) => ({ name, meaning })) : list(meant)
  const variables = partialList(pairs, 40, (value) => {
    const pair = fields(value)
    const name = textOf(pick(pair, 'name', 'symbol', 'variable'), 80)
    return name ? { name: name.replace(/^\$([^$]*)\$$/, '$1'), meaning: textOf(pick(pair, 'meaning', 'text', 'description'), LINE) } : null
  })
  return { kind: 'formula', latex, text: textOf(pick(from, 'text', 'description'), TEXT), variables }
}

export interface Comparison {
  kind: 'compare'
  items: PartialList<{ name: string; points: PartialList<string>; pros: PartialList<string>; cons: PartialList<string> }>
}

export interface ComparisonTable {
  kind: 'compareTable'
  columns: string[]
  moreColumns: number
  rows: PartialList<{ label: string; values: string[] }>
}

const MOST_COLUMNS = 8

export function readCompare(data: unknown): Comparison | ComparisonTable | Problem {
  const inner = unquoted(data)
  const from = fields(inner)
  const named = list(pick(from, 'columns')).map((name) => textOf(name, TEXT))
  if (named.some(Boolean)) {
    const columns = named.slice(0, MOST_COLUMNS)
    const rows = partialList(list(pick(from, 'rows')), MOST, (value) => {
      const row = fields(value)
      const cells = Array.isArray(value) ? value : [pick(row, 'label', 'name', 'title'), ...list(pick(row, 'values', 'cells'))]
      const [label = '', ...values] = cells.slice(0, columns.length + 1).map((cell) => textOf(cell, 1000))
      return label || values.some(Boolean) ? { label, values: columns.map((_, index) => values[index] ?? '') } : null
    })
    return rows.shown.length > 0 ? { kind: 'compareTable', columns, moreColumns: named.length - columns.length, rows } : { problem: 'Its table has no rows.' }
  }
  const items = partialList(list(inner, 'items', 'options'), 12, (value) => {
    const item = fields(value)
    const name = item ? textOf(pick(item, 'name', 'title', 'label')) : textOf(value)
    if (name === '') return null
    return { name, points: lines(pick(item, 'points')), pros: lines(pick(item, 'pros')), cons: lines(pick(item, 'cons')) }
  })
  return items.shown.length > 0 ? { kind: 'compare', items } : { problem: 'It has nothing to compare.' }
}

export interface Interactive {
  kind: 'interactive'
}

export function readInteractive(data: unknown): Interactive | Problem {
  const html = typeof data === 'string' ? data : textOf(pick(fields(data), 'html'), TEXT) || textOf(pick(fields(data), 'js'), TEXT)
  return html.trim() ? { kind: 'interactive' } : { problem: 'It has no page to show.' }
}

