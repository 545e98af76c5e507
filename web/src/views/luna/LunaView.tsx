import './luna.css'
import { EyeOff, WandSparkles } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { OpenChat } from '@/chat/OpenChat'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { useMedia } from '@/design/media'
import { useSize } from '@/design/useSize'
import { NoModel } from '@/models/NoModel'
import { TrialNote } from '@/models/TrialNote'
import { useStore } from '@/store'
import { Questions } from '@/tools/Questions'
import { Captions } from '../Captions'
import { useBackgroundKind } from '../useBackgroundKind'
import { useEscape } from '../escape'
import { avatarStateWords, useAvatarState } from '../avatarState'
import { ViewSwitch } from '../ViewSwitch'
import { HiddenPanelsHint, usePanelsHidden } from './HiddenPanels'
import { Dock } from './Dock'
import { ClockFace } from './panels/ClockPanel'
import { Panel } from './panels/Panel'
import { Sheet } from './Sheet'
import { useLuna } from './store'
import { useCycle } from './useCycle'
import { useRestingClock } from './useRestingClock'
import { usePanels } from './usePanels'
import { useResting } from './useResting'

/** The media query of screens on which panels cannot be moved. */
const PHONE = '(max-width: 47.99rem), (max-height: 27rem)'

/** The Luna view: the avatar in the middle, surrounded by glass panels. */
export default function LunaView({ chat }: { chat: OpenChat }) {
  const place = useRef<HTMLDivElement>(null)
  const hour = useRef<HTMLDivElement>(null)
  const phone = useMedia(PHONE)
  const size = useSize(place)
  useEffect(() => {
    if (size.width > 0) useLuna.getState().setSize(size)
  }, [size])
  const panels = usePanels(phone)
  const asked = useStore((state) => state.questions.some((question) => question.conversationId === chat.id))
  const bare = usePanelsHidden(asked)
  // On a phone an open panel is being read, so the view does not rest.
  const resting = useResting(place, chat.sending || asked || (phone && panels.shown.length > 0))
  const forward = useRestingClock(hour, resting)
  const onGlass = useBackgroundKind() !== 'sky'
  useCycle(place)
  return (
    <div ref={place} className="luna" data-luna data-resting={resting || undefined} data-hour={forward || undefined} data-bare={bare || undefined}>
      <div className="luna-ui contents" inert={bare}>
        <Bar />
        {phone ? (
          <PhoneSheet panels={panels} />
        ) : (
          panels.shown.map((kind) => (
            <Panel
              key={kind.id}
              kind={kind}
              others={panels.shown.filter((other) => other !== kind).map(({ id }) => id)}
              level={panels.levelOf(kind.id)}
              topmost={panels.shown.every(({ id }) => panels.levelOf(id) <= panels.levelOf(kind.id))}
              onClose={panels.close}
            />
          ))
        )}
        <Foot>
          {!panels.isOpen('conversation') && (
            <>
              <Captions chat={chat} onGlass />
              <NoModel className="luna-note glass" />
              <TrialNote className="trial-line glass" />
            </>
          )}
          {chat.id !== null && <Questions key={chat.id} chat={chat.id} edge="w-full max-w-[37rem] px-3" />}
          <Dock offered={panels.offered} isOpen={panels.isOpen} onToggle={panels.toggle} />
        </Foot>
      </div>
      <div ref={hour} className={classNames('rest-clock', onGlass && 'glass')} aria-hidden={!forward}>
        <ClockFace moon={26} />
      </div>
      <HiddenPanelsHint shown={bare} />
    </div>
  )
}

function PhoneSheet({ panels }: { panels: ReturnType<typeof usePanels> }) {
  const [kind] = panels.shown
  useEscape(kind !== undefined, () => kind && panels.close(kind.id))
  return kind ? <Sheet key={kind.id} kind={kind} onClose={() => panels.close(kind.id)} /> : null
}

/** The companion's name and status, and the actions on the whole view. */
function Bar() {
  const name = useStore((state) => state.companionName)
  const secret = useStore((state) => state.incognito !== null)
  const presence = useAvatarState()
  const { tidyPanels, hidePanels } = useStore.getState()
  return (
    <header className="luna-bar">
      <h1 className="pill glass">
        <span className="display text-22">{name}</span>
        <span className="label" data-presence={presence}>
          {secret ? 'incognito' : avatarStateWords(presence)}
        </span>
      </h1>
      <div className="pill glass">
        <span className="luna-tidy">
          <IconButton label="Tidy up the panels" keys="t" side="bottom" onClick={tidyPanels}>
            <WandSparkles size={16} />
          </IconButton>
        </span>
        <IconButton label="Hide everything but her" keys="h" side="bottom" onClick={() => hidePanels(true)}>
          <EyeOff size={16} />
        </IconButton>
        <ViewSwitch />
      </div>
    </header>
  )
}

const Foot = ({ children }: { children: ReactNode }) => <div className="luna-foot">{children}</div>
