import { useEffect } from 'react'
import type { Dimension, MemoryItem } from '@/api/protocol.gen'
import { moonAt, moonName } from '@/backdrop/moon'
import { lastOf } from '@/chat/conversation'
import { since } from '@/design/format'
import { withoutMarkdown } from '@/markdown/withoutMarkdown'
import { SIDES, positionWords } from '@/personality/wording'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { partOfDay } from '../../greeting'
import { avatarStateWords, useAvatarState } from '../../avatarState'
import { useMinute } from './ClockPanel'
import { Bar, Line, Section } from './parts'

const NONE: MemoryItem[] = []
/** The most memories shown; more are in the conversation, one tap away. */
const MOST = 5
/** The traits shown, state before style of speaking. */
const FIRST: Dimension[] = ['mood', 'energy', 'supportNeed', 'humor', 'depth']

/** The context of the companion: the time of day, its traits, and the memories used for the last reply. */
export function Awareness() {
  const now = useMinute()
  const presence = useAvatarState()
  return (
    <div className="h-full overflow-y-auto px-4 pb-4" tabIndex={0} role="group" aria-label="What she has in mind">
      <Section title="Now">
        <Line name="She is" value={avatarStateWords(presence)} />
        <Line name="It is" value={partOfDay(now.getHours())} />
        <Line name="Moon" value={moonName(moonAt(now)).toLowerCase()} />
      </Section>
      <Traits />
      <Recalled now={now} />
    </div>
  )
}

function Traits() {
  const personality = useStore((state) => state.personality)
  useEffect(() => {
    const { personality: known, refreshPersonality } = useStore.getState()
    if (known === null) void refreshPersonality()
  }, [])
  const traits = FIRST.flatMap((dimension) => personality?.traits.filter((trait) => trait.dimension === dimension) ?? [])
  if (traits.length === 0) return null
  return (
    <Section title="How she is">
      {traits.map(({ dimension, value }) => (
        <Bar key={dimension} name={SIDES[dimension].title} value={value} text={positionWords(SIDES[dimension], value)} />
      ))}
    </Section>
  )
}

function Recalled({ now }: { now: Date }) {
  const items = useStore((state) => {
    const messages = state.route.page === 'chat' ? (state.conversations[state.route.id]?.messages ?? []) : []
    return lastOf(messages, 'assistant')?.memory ?? NONE
  })
  if (items.length === 0) return null
  return (
    <Section title="Came to mind">
      <ul className="flex flex-col gap-2 pt-1">
        {items.slice(0, MOST).map((item) => (
          <li key={`${item.kind} ${item.id}`} className="text-13">
            <p dir="auto" className="line-clamp-3 wrap-anywhere">
              {plain(withoutMarkdown(item.text))}
            </p>
            <p className="text-12 text-faint">{item.at !== null && since(item.at, now)}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
