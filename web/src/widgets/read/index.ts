import { type Mapped, readMap } from '@/map/read'
import {
  type Fetched, type DesktopNotice, type Opened, type Pictures, type Playback, type PlaybackTrouble, readFetched, readNotice, readOpened, readPictures, readPlayer, readResearch,
  readSearch, readWeather, type Research, type WebSearchResults, type Weather,
} from '@/media/read'
import { readScene, type Scene } from '@/scene/read'
import { fields, isProblem, pick, type Problem, unquoted, textOf } from '../lenient'
import { type Chart, readChart } from './chart'
import {
  type Checklist, type Comparison, type ComparisonTable, type Emails, type Flashcards, type Formula, type Interactive, readChecklist, readCompare,
  readEmails, readFlashcards, readFormula, readInteractive, readSteps, readSummary, readTabs, readTimelineContent, type Steps, type Summary, type Tabs,
  type TimelineContent,
} from './lists'
import { readTable, type Table } from './table'

/** The parsed content of everything that can be shown on the screen. */
export type Widget =
  | Steps | Summary | Comparison | ComparisonTable | TimelineContent | Formula | Tabs | Flashcards | Checklist | Table | Chart | Emails | Interactive
  | Mapped | Scene | WebSearchResults | Fetched | Research | Weather | Playback | PlaybackTrouble | DesktopNotice | Opened
  | Pictures

export interface Titled {
  /** The given title; empty if there was none. */
  title: string
  content: Widget
}

type Reader = (value: unknown) => Widget | Problem

/** The readers of `data`, by the kind of widget. */
const WIDGETS = new Map<string, Reader>([
  ['steps', readSteps],
  ['summary', readSummary],
  ['compare', readCompare],
  ['timeline', readTimelineContent],
  ['formula', readFormula],
  ['tabs', readTabs],
  ['flashcards', readFlashcards],
  ['checklist', readChecklist],
  ['table', readTable],
  ['chart', readChart],
  ['emails', readEmails],
  ['interactive', readInteractive],
  ['model3d', readScene],
])

/** The readers of the whole payload, by the name of the tool. */
const ACTIONS = new Map<string, Reader>([
  ['widget', readWidget],
  ['map', readMap],
  ['scene', readScene],
  ['spotify', readPlayer],
  ['web_search', readSearch],
  ['web_fetch', readFetched],
  ['web_research', readResearch],
  ['weather', readWeather],
  ['notify', readNotice],
  ['open', readOpened],
  ['pictures', readPictures],
])

function readWidget(payload: unknown): Widget | Problem {
  const from = fields(payload)
  const kind = textOf(pick(from, 'type', 'kind'), 40).toLowerCase() || 'steps'
  const reader = WIDGETS.get(kind)
  return reader ? reader(pick(from, 'data')) : { problem: `There is no kind of widget named “${kind}”.` }
}

export function read(action: string, payload: unknown): Titled | Problem {
  const reader = ACTIONS.get(action)
  if (!reader) return { problem: `Nothing can be shown for “${action}”.` }
  const given = unquoted(payload)
  if (!fields(given)) return { problem: 'It is empty, or not made of fields with values.' }
  const content = reader(given)
  if (isProblem(content)) return content
  // For a fetched page the title is that of the page, and is shown in its card.
  return { title: content.kind === 'page' ? '' : textOf(pick(fields(given), 'title'), 160), content }
}
