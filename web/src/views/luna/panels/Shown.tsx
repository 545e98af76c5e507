import { useState } from 'react'
import { OpenedContent } from '@/chat/ActList'
import { pinTitle } from '@/chat/Pins'
import { classNames } from '@/design/classNames'
import { ScrollRow } from '@/design/ScrollRow'
import { useStore } from '@/store'
import { toolIcon } from '@/tools/icons'
import { type Kind, shownActs, type OpenedAct as Entry } from './opened'

/** The content that the companion opened, the newest first; the others are a tap away. */
function OpenedPanel({ kind }: { kind: Kind }) {
  const chat = useStore((state) => (state.route.page === 'chat' ? state.route.id : null))
  const all = useStore((state) => shownActs(state, kind))
  const [chosen, setChosen] = useState<{ id: string; newest: string } | null>(null)
  const newest = all[0]?.act.id ?? ''
  // Newly opened content replaces the user's choice.
  const shown = (chosen?.newest === newest ? all.find(({ act }) => act.id === chosen.id) : undefined) ?? all[0]
  if (chat === null || !shown) return null
  return (
    <div className="flex h-full flex-col">
      {all.length > 1 && (
        <ScrollRow label="What she opened" className="shrink-0 gap-1 px-3 pb-2">
          {all.map((entry) => (
            <li key={entry.act.id} className="shrink-0">
              <Choice entry={entry} current={entry === shown} onChoose={() => setChosen({ id: entry.act.id, newest })} />
            </li>
          ))}
        </ScrollRow>
      )}
      {/* The panel already provides a frame, so the widget has none. */}
      <div className="panel-widget min-h-0 flex-1 overflow-y-auto" tabIndex={0} role="group" aria-label={titleOf(shown)}>
        <OpenedContent key={shown.act.id} chat={chat} message={shown.message} act={shown.act} />
      </div>
    </div>
  )
}

function titleOf({ message, act }: Entry): string {
  return pinTitle({ messageId: message, act })
}

function Choice({ entry, current, onChoose }: { entry: Entry; current: boolean; onChoose: () => void }) {
  const Icon = toolIcon(entry.act.command?.action ?? entry.act.name)
  return (
    <button
      type="button"
      aria-pressed={current}
      onClick={onChoose}
      className={classNames('flex h-7 max-w-40 items-center gap-1.5 rounded-full px-2.5 text-12 transition-colors pointer-coarse:h-10', current ? 'bg-pressed text-text' : 'text-muted hover:bg-hover hover:text-text')}
    >
      <Icon size={13} />
      <bdi className="truncate">{titleOf(entry)}</bdi>
    </button>
  )
}

export const WidgetsPanel = () => <OpenedPanel kind="widgets" />
export const MapPanel = () => <OpenedPanel kind="map" />
export const WeatherPanel = () => <OpenedPanel kind="weather" />
