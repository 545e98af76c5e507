import { ArrowUp, AtSign, Square } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { lastOf } from '@/chat/conversation'
import { Queue } from '@/composer/Queue'
import { EMPTY_DRAFT } from '@/composer/state'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { hasMouse } from '@/design/media'
import { Tooltip } from '@/design/Tooltip'
import { useStore } from '@/store'
import { fileInView } from './tabSlice'
import { Chips } from './Chips'
import { MentionMenu, mentionOption } from './MentionMenu'
import { inserted, type Mention, mentioned, suggestedMentions, typedMention } from './mentions'
import { ApplyModeMenu, ModeSwitch } from './ModeSwitch'
import { useCodeStore } from './useCodeStore'

const touch = !hasMouse()
/** The last composer call that was handled. */
let answered = 0

const PLACEHOLDERS = { agent: 'What should change?', ask: 'Ask about the code', plan: 'What should be planned?', repair: 'What is broken?' }

/** The composer of the workspace. `@` attaches files, folders, symbols and more. */
export function CodeComposer({ draftKey }: { draftKey: string }) {
  const text = useStore((state) => (state.drafts[draftKey] ?? EMPTY_DRAFT).text)
  const busy = useStore((state) => state.live[draftKey] !== undefined)
  const stopping = useStore((state) => state.live[draftKey]?.stopping ?? false)
  const call = useStore((state) => state.composerFocus)
  const name = useStore((state) => state.companionName)
  const mode = useCodeStore((state) => state.mode)
  const paths = useCodeStore((state) => state.paths)
  const field = useRef<HTMLTextAreaElement>(null)
  const menuId = useId()
  const { setText, stop } = useStore.getState()

  useEffect(() => {
    if (touch && call === answered) return
    // The first render does not move the focus, since the user may be reading code.
    const wanted = call !== answered
    answered = call
    if (!wanted) return
    field.current?.focus()
    const end = field.current?.value.length ?? 0
    field.current?.setSelectionRange(end, end)
  }, [call])

  const menu = useMentions(text, (changed, cursor) => {
    setText(draftKey, changed)
    requestAnimationFrame(() => field.current?.setSelectionRange(cursor, cursor))
  })
  const ready = text.trim() !== ''
  const send = () => {
    if (!ready) return
    useStore.getState().clearDraft(draftKey)
    useCodeStore.getState().ask(text.trim())
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (menu.press(event)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey && !(touch && !event.ctrlKey && !event.metaKey)) {
      event.preventDefault()
      send()
    } else if (event.key === 'ArrowUp' && text === '') {
      const last = lastOf(useStore.getState().conversations[draftKey]?.messages ?? [], 'user')
      if (!last) return
      event.preventDefault()
      setText(draftKey, last.content)
    } else if (event.key === 'Escape' && busy) void stop(draftKey)
  }
  const bringing = useMemo(() => mentioned(text, paths), [text, paths])

  return (
    <div className="shrink-0 px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      <form
        aria-label="Message about the code"
        className="relative mx-auto w-full max-w-[44.5rem]"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Queue draftKey={draftKey} />
        {menu.open && <MentionMenu id={menuId} mentions={menu.list} active={menu.active} onPick={menu.pick} onHover={menu.setActive} />}
        <div className="composer focus-within-ring rounded-panel bg-raised shadow-lit transition-shadow">
          <Chips mentions={bringing} />
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            value={text}
            aria-label={`Tell ${name} about the code`}
            aria-autocomplete="list"
            {...(menu.open ? { 'aria-controls': menuId, 'aria-activedescendant': mentionOption(menuId, menu.active) } : {})}
            placeholder={busy ? 'Write the next message' : PLACEHOLDERS[mode]}
            enterKeyHint={touch ? 'enter' : 'send'}
            onChange={(event) => {
              setText(draftKey, event.target.value)
              menu.at(event.target.value, event.target.selectionStart)
            }}
            onSelect={(event) => menu.at(event.currentTarget.value, event.currentTarget.selectionStart)}
            onBlur={() => menu.at('', 0)}
            onKeyDown={press}
            className="block max-h-[min(16rem,40vh)] min-h-11 w-full resize-none bg-transparent px-4 pt-3 pb-1 text-15 outline-none pointer-coarse:text-[1rem]/6"
          />
          <div className="flex items-center gap-1 px-2 pb-2">
            <ModeSwitch />
            <span className="min-w-0 flex-1" />
            <IconButton
              size="small"
              label="Attach files or context"
              className="max-[24rem]:hidden"
              onClick={() => {
                const at = text === '' || /\s$/.test(text) ? `${text}@` : `${text} @`
                setText(draftKey, at)
                field.current?.focus()
                requestAnimationFrame(() => {
                  field.current?.setSelectionRange(at.length, at.length)
                  menu.at(at, at.length)
                })
              }}
            >
              <AtSign size={15} />
            </IconButton>
            <ApplyModeMenu />
            {busy && (
              <Tooltip label="Stop" keys="escape">
                <button
                  type="button"
                  aria-label="Stop"
                  disabled={stopping}
                  onClick={() => void stop(draftKey)}
                  className="grid size-8 place-items-center rounded-full bg-[color-mix(in_oklab,var(--text)_12%,transparent)] text-text transition-colors hover:bg-pressed pointer-coarse:size-11"
                >
                  <Square size={12} fill="currentColor" strokeWidth={0} />
                </button>
              </Tooltip>
            )}
            {(!busy || ready) && (
              <Tooltip label={busy ? 'Send after this answer' : 'Send'} keys="enter">
                <button
                  type="submit"
                  aria-label={busy ? 'Send after this answer' : 'Send'}
                  aria-disabled={!ready}
                  className={classNames(
                    'grid size-8 place-items-center rounded-full transition-colors pointer-coarse:size-11',
                    ready ? 'bg-accent text-on-accent hover:brightness-105' : 'bg-[color-mix(in_oklab,var(--text)_9%,transparent)] text-faint',
                  )}
                >
                  <ArrowUp size={17} strokeWidth={2} />
                </button>
              </Tooltip>
            )}
          </div>
        </div>
      </form>
    </div>
  )
}

/** The mention being typed, and its completions. */
function useMentions(text: string, onChange: (text: string, cursor: number) => void) {
  const files = useCodeStore((state) => state.files)
  const buffers = useCodeStore((state) => state.buffers)
  const tabs = useCodeStore((state) => state.tabs)
  const seen = useCodeStore(fileInView)
  const [cursor, setCursor] = useState(0)
  const [active, setActive] = useState(0)
  const [dismissed, setDismissed] = useState<number | null>(null)
  const typed = useMemo(() => typedMention(text, cursor), [text, cursor])
  const list = useMemo((): Mention[] => {
    if (!typed) return []
    const symbols = Object.values(buffers).flatMap(({ file }) => (file ? file.symbols.map((symbol) => ({ ...symbol, path: file.path })) : []))
    const open = tabs.flatMap((tab) => (tab.kind === 'file' && tab.path !== seen ? [tab.path] : [])).reverse()
    return suggestedMentions(typed.query, { files: files ?? [], symbols, recent: [...(seen ? [seen] : []), ...open] })
  }, [typed, files, buffers, tabs, seen])
  const open = typed !== null && list.length > 0 && dismissed !== typed.from
  useEffect(() => setActive(0), [typed?.query])

  const pick = (mention: Mention) => {
    if (!typed) return
    const made = inserted(text, typed, mention)
    onChange(made.text, made.cursor)
    setCursor(made.cursor)
    if (mention.kind === 'page') setDismissed(typed.from)
  }
  return {
    open,
    list,
    active: Math.min(active, Math.max(0, list.length - 1)),
    setActive,
    pick,
    at: (value: string, offset: number) => {
      setCursor(offset)
      if (!typedMention(value, offset)) setDismissed(null)
    },
    /** Handles a key. Returns true if it was meant for the menu. */
    press: (event: KeyboardEvent): boolean => {
      if (!open) return false
      const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (by !== 0) setActive((active + by + list.length) % list.length)
      else if (event.key === 'Escape') setDismissed(typed.from)
      else if (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey)) {
        const chosen = list[Math.min(active, list.length - 1)]
        // A fully typed mention needs no selection: Enter sends the message.
        if (event.key === 'Enter' && list.some((mention) => mention.text === typed.query)) return false
        if (chosen) pick(chosen)
      } else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}
