import { ChevronRight } from 'lucide-react'
import { memo, useState } from 'react'
import type { Act, ConversationId, MessageId } from '@/api/protocol.gen'
import { Boundary } from '@/design/Boundary'
import { classNames } from '@/design/classNames'
import { own } from '@/design/own'
import { useStore } from '@/store'
import { opensSomething } from '@/widgets/command'
import { CommandView } from '@/widgets/CommandView'
import { actState, ToolCard } from './ToolCard'

/** The most lines shown in a row; beyond it, all but the last ones are folded. */
const MOST_IN_A_ROW = 5
const LAST_SHOWN = 3

interface Props {
  chat: ConversationId
  message: MessageId
  acts: Act[]
  live: boolean
  /** True if the cards of finished tool calls are left out. */
  hidden: boolean
}

/** The tool calls at one place of a reply: their cards, grouped, with the content they opened below. */
export const ActList = memo(
  function ActList({ chat, message, acts, live, hidden }: Props) {
    return (
      <div className="flex flex-col gap-3">
        {runs(acts, hidden).map(({ cards, shown }) => (
          // Keyed by the opened content, so that it is not remounted when a card above it comes or goes.
          <div key={(shown ?? cards[0])?.id} className="flex min-w-0 flex-col gap-2">
            {cards.length > 0 && (
              <Boundary fallback={UNREADABLE} resetOn={cards.at(-1)}>
                <Cards chat={chat} acts={cards} live={live} />
              </Boundary>
            )}
            {shown && <OpenedContent chat={chat} message={message} act={shown} />}
          </div>
        ))}
      </div>
    )
  },
  (before, after) =>
    before.live === after.live &&
    before.hidden === after.hidden &&
    before.acts.length === after.acts.length &&
    before.acts.every((act, index) => act === after.acts[index]),
)

export function opensContent(act: Act): boolean {
  return act.command !== null && opensSomething(act.command.action)
}

/** Returns true if any part of the tool call is shown on the page. */
export function isShown(act: Act, hidden: boolean): boolean {
  return !(hidden && act.status === 'done') || opensContent(act)
}

interface Run {
  cards: Act[]
  shown: Act | null
}

function runs(acts: Act[], hidden: boolean): Run[] {
  const found: Run[] = []
  let cards: Act[] = []
  for (const act of acts) {
    if (!(hidden && act.status === 'done')) cards.push(act)
    if (!opensContent(act)) continue
    found.push({ cards, shown: act })
    cards = []
  }
  if (cards.length > 0) found.push({ cards, shown: null })
  return found
}

const UNREADABLE = <p className="text-13 text-muted">One of her steps cannot be shown here. Everything else works.</p>

function Cards({ chat, acts, live }: { chat: ConversationId; acts: Act[]; live: boolean }) {
  const [unfolded, setUnfolded] = useState(false)
  const folds = acts.length > MOST_IN_A_ROW
  const earlier = folds ? acts.slice(0, -LAST_SHOWN) : []
  const failed = earlier.filter((act) => actState(act, live) === 'failed').length
  const visible = folds && !unfolded ? acts.slice(-LAST_SHOWN) : acts
  return (
    <ul aria-label="What she did" className="-mx-2.5 flex max-w-[35rem] flex-col rounded-card sm:-ms-2.5">
      {folds && (
        <li>
          <button
            type="button"
            aria-expanded={unfolded}
            onClick={() => setUnfolded(!unfolded)}
            className="flex h-8 w-full items-center gap-2.5 rounded-control px-2.5 text-13 text-faint transition-colors hover:bg-hover hover:text-text pointer-coarse:h-11"
          >
            <ChevronRight size={15} className={classNames('transition-transform duration-200', unfolded && 'rotate-90')} />
            {earlier.length} earlier steps
            {failed > 0 && <span className="text-12 text-danger">{failed} failed</span>}
          </button>
        </li>
      )}
      {visible.map((act) => (
        <ToolCard key={act.id} chat={chat} act={act} live={live} />
      ))}
    </ul>
  )
}

interface ShownProps {
  chat: ConversationId
  message: MessageId
  act: Act
  /** True if the content can be pinned and unpinned in place. */
  pinnable?: boolean
}

/** The content that a tool call opened on the screen. */
export function OpenedContent({ chat, message, act, pinnable = true }: ShownProps) {
  const pinned = useStore((state) => state.conversations[chat]?.pinned.some((entry) => entry.act.id === act.id) ?? false)
  const fresh = useStore((state) => own(state.freshPayloads, act.id))
  const { pin, runTool } = useStore.getState()
  if (!act.command) return null
  return (
    <CommandView
      id={act.id}
      action={act.command.action}
      payload={fresh ?? act.command.payload}
      {...(pinnable ? { pinned, onPin: (wanted) => void pin(chat, message, act, wanted) } : {})}
      onRun={(tool, args) => runTool(tool, args, { chat, act: act.id })}
    />
  )
}
