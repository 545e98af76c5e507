import './user.css'
import { ChevronUp, Command, HatGlasses, SquarePen, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Composer } from '@/composer/Composer'
import { opensContent } from '@/chat/ActList'
import { lastOf } from '@/chat/conversation'
import type { OpenChat } from '@/chat/OpenChat'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { TrialNote } from '@/models/TrialNote'
import { useStore } from '@/store'
import { Questions } from '@/tools/Questions'
import { Captions } from '../Captions'
import { useBackgroundKind } from '../useBackgroundKind'
import { useEscape } from '../escape'
import { greeting } from '../greeting'
import { useDrag } from '../useDrag'
import { ViewSwitch } from '../ViewSwitch'
import { Control } from './Control'
import { History } from './History'
import { ConversationTrouble } from './Trouble'

type OpenPart = 'none' | 'writing' | 'history'

/** The face-to-face view: the avatar, captions, and one main button. */
export default function UserView({ chat }: { chat: OpenChat }) {
  const [open, setOpen] = useOpen(chat)
  const close = () => setOpen('none')
  useEscape(open !== 'none', close)
  const opened = lastOf(chat.conversation?.messages ?? [], 'assistant')?.acts.some(opensContent) ?? false
  const onGlass = useBackgroundKind() !== 'sky'
  const swipe = useDrag({ onUp: () => setOpen('history') })
  return (
    <div className="face" data-open={open}>
      <Bar />
      {/* A swipe up anywhere on the avatar opens the conversation. */}
      <div className="face-reach" {...swipe.handlers} />
      <div className="face-foot" inert={open === 'history'}>
        <Captions chat={chat} resting={greeting(new Date().getHours())} onGlass={onGlass} />
        <ConversationTrouble chat={chat} onShow={() => setOpen('history')} />
        {open !== 'writing' && <TrialNote className="trial-line glass" />}
        {chat.id !== null && <Questions key={chat.id} chat={chat.id} onEmptied={toControl} edge="w-full px-3" />}
        {open === 'writing' && !chat.gone ? (
          <div className="face-composer">
            <Composer key={chat.draftKey} draftKey={chat.draftKey} />
            <IconButton label="Close" keys="escape" onClick={close} className={classNames('face-put-away', onGlass && 'glass')}>
              <X size={18} />
            </IconButton>
          </div>
        ) : (
          <Control chat={chat} onGlass={onGlass} onWrite={() => setOpen('writing')} />
        )}
        <button
          type="button"
          id={HISTORY_BUTTON}
          aria-expanded={open === 'history'}
          onClick={() => setOpen('history')}
          data-news={opened || undefined}
          className={classNames('face-history', onGlass && 'glass')}
        >
          <ChevronUp size={16} aria-hidden="true" />
          {opened ? 'She opened something' : 'Conversation'}
        </button>
      </div>
      {open === 'history' && <History chat={chat} onClose={close} />}
    </div>
  )
}

const HISTORY_BUTTON = 'face-history'
const CONTROL = 'face-control'
const toControl = () => document.getElementById(CONTROL)?.focus()

/**
 * Holds the open part, one at a time. The composer closes when its message is sent, and opens when it is
 * called.
 */
function useOpen({ draftKey, sending }: OpenChat) {
  const [open, setOpen] = useState<OpenPart>('none')
  const call = useStore((state) => state.composerFocus)
  const heard = useRef(call)
  const { focusComposer } = useStore.getState()
  useEffect(() => {
    if (call === heard.current) return
    heard.current = call
    setOpen('writing')
  }, [call])
  useEffect(() => {
    if (sending) setOpen((before) => (before === 'writing' ? 'none' : before))
  }, [sending, draftKey])
  const change = (next: OpenPart) => {
    if (next === 'writing') focusComposer()
    else setOpen(next)
    if (next === 'none') requestAnimationFrame(() => document.getElementById(open === 'history' ? HISTORY_BUTTON : CONTROL)?.focus())
  }
  return [open, change] as const
}

function Bar() {
  const name = useStore((state) => state.companionName)
  const secret = useStore((state) => state.incognito !== null)
  const { go, show } = useStore.getState()
  return (
    <header className="face-bar">
      <h1 className="pill glass min-w-0">
        <span className="display truncate text-22">{name}</span>
        {secret && (
          <span className="label flex items-center gap-1.5 self-center">
            <HatGlasses size={14} className="text-blue" />
            incognito
          </span>
        )}
      </h1>
      <div className="pill glass">
        <IconButton label="New chat" keys="mod+shift+o" side="bottom" onClick={() => go({ page: 'new' })}>
          <SquarePen size={17} />
        </IconButton>
        <IconButton label="Command palette" keys="mod+k" side="bottom" onClick={() => show({ kind: 'palette', query: '' })}>
          <Command size={17} />
        </IconButton>
        <ViewSwitch />
      </div>
    </header>
  )
}
