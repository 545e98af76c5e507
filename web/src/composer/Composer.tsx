import { ArrowUp, Paperclip, Pencil, Square, X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Action, FILE_FIELD } from '@/actions/registry'
import { interpret, suggestions } from '@/actions/slash'
import { FileChips, fromDraft } from '@/chat/FileChips'
import { lastOf } from '@/chat/conversation'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { hasMouse } from '@/design/media'
import { Tooltip } from '@/design/Tooltip'
import { useStore } from '@/store'
import { ModelButton } from './ModelButton'
import { Queue } from './Queue'
import { optionId, SlashMenu } from './SlashMenu'
import { EMPTY_DRAFT } from './state'
import { ToolsMenu } from './ToolsMenu'

const touch = !hasMouse()
/** The last value of `composerCall` that was handled. */
let answered = 0

export function Composer({ draftKey }: { draftKey: string }) {
  const draft = useStore((state) => state.drafts[draftKey] ?? EMPTY_DRAFT)
  const busy = useStore((state) => state.live[draftKey] !== undefined)
  const stopping = useStore((state) => state.live[draftKey]?.stopping ?? false)
  const call = useStore((state) => state.composerFocus)
  const blind = useStore((state) => state.models?.current.state === 'ready' && !state.models.current.vision)
  const { setText, addFiles, removeFile, cancelEdit, stop } = useStore.getState()
  const field = useRef<HTMLTextAreaElement>(null)
  const [warning, setWarning] = useState<string | null>(null)
  const name = useStore((state) => state.companionName)
  const menuId = useId()
  const noteId = useId()

  const commands = useMemo(() => suggestions(draft.text, useStore.getState()), [draft.text])
  const [active, setActive] = useState(0)
  const [dismissed, setDismissed] = useState<string | null>(null)
  const menuOpen = commands.length > 0 && dismissed !== draft.text
  useEffect(() => {
    setActive(0)
    setWarning(null)
  }, [draft.text])

  useGrowing(field, draft.text)
  useEffect(() => {
    // On a phone the on-screen keyboard opens only on request, not with every page.
    if (touch && call === answered) return
    answered = call
    field.current?.focus()
    const end = field.current?.value.length ?? 0
    field.current?.setSelectionRange(end, end)
  }, [call])

  const ready = draft.text.trim() !== '' || draft.files.length > 0
  const send = () => {
    if (!ready || draft.reading > 0) return
    const state = useStore.getState()
    const message = { text: draft.text.trim(), files: draft.files, editOf: draft.edit?.message ?? null }
    state.clearDraft(draftKey)
    void state.send(draftKey, message)
  }
  const submit = (literally: boolean) => {
    const state = useStore.getState()
    const outcome = literally ? { kind: 'text' as const } : interpret(draft.text, state)
    switch (outcome.kind) {
      case 'text':
        send()
        break
      case 'run':
        state.setText(draftKey, '')
        outcome.action.run(state, outcome.argument)
        break
      case 'unavailable':
        setWarning(`“${outcome.action.title}” cannot be used here.`)
        break
      case 'unknown':
        setWarning(`There is no command /${outcome.name}. Ctrl+Enter sends it as it is.`)
        break
    }
  }
  const pick = (action: Action) => {
    const name = action.slash?.name ?? ''
    if (action.slash?.takes) setText(draftKey, `/${name} `)
    else {
      setText(draftKey, '')
      action.run(useStore.getState(), '')
    }
  }

  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (menuOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const by = event.key === 'ArrowDown' ? 1 : -1
      setActive((active + by + commands.length) % commands.length)
      return
    }
    const chosen = commands[active]
    if (menuOpen && chosen && (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey))) {
      const typed = interpret(draft.text, useStore.getState())
      event.preventDefault()
      if (event.key === 'Enter' && typed.kind === 'run') submit(false)
      else pick(chosen)
      return
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey && !(touch && !event.ctrlKey && !event.metaKey)) {
      event.preventDefault()
      submit(event.ctrlKey || event.metaKey)
    } else if (event.key === 'ArrowUp' && draft.text === '' && !draft.edit) {
      const last = lastOf(useStore.getState().conversations[draftKey]?.messages ?? [], 'user')
      if (!last || busy) return
      event.preventDefault()
      void useStore.getState().startEdit(draftKey, last)
    } else if (event.key === 'Escape' && (menuOpen || draft.edit || busy)) {
      // Escape is handled here and must have no further effect.
      event.preventDefault()
      if (menuOpen) setDismissed(draft.text)
      else if (draft.edit) cancelEdit(draftKey)
      else void stop(draftKey)
    }
  }

  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    // Word processors put a picture of the text beside the text on the clipboard; the text is what was meant.
    if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return
    event.preventDefault()
    void addFiles(draftKey, files)
  }

  const blindNote = blind && draft.files.some((file) => file.kind === 'picture') ? 'The model in use cannot see pictures.' : null
  const note = draft.trouble ?? warning ?? blindNote
  return (
    <div className="shrink-0 px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6 sm:pb-5">
      <form
        aria-label="Message"
        className="relative mx-auto w-full max-w-[46rem]"
        onSubmit={(event) => {
          event.preventDefault()
          submit(false)
        }}
      >
        <Queue draftKey={draftKey} />
        {menuOpen && <SlashMenu id={menuId} actions={commands} active={active} onPick={pick} onHover={setActive} />}
        <div className="composer focus-within-ring rounded-composer bg-raised shadow-lit transition-shadow">
          {draft.edit && <EditBar trouble={draft.editTrouble} onCancel={() => cancelEdit(draftKey)} />}
          {(draft.files.length > 0 || draft.reading > 0) && (
            <div className="px-4 pt-4">
              <FileChips files={draft.files.map(fromDraft)} onRemove={(id) => removeFile(draftKey, id)} />
              {draft.reading > 0 && <p className="pt-2 text-13 text-faint">Reading files…</p>}
            </div>
          )}
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            value={draft.text}
            aria-label={`Message ${name}`}
            aria-describedby={noteId}
            aria-autocomplete="list"
            {...(menuOpen ? { 'aria-controls': menuId, 'aria-activedescendant': optionId(menuId, active) } : {})}
            placeholder={busy ? 'Write the next message' : `Message ${name}`}
            enterKeyHint={touch ? 'enter' : 'send'}
            onChange={(event) => setText(draftKey, event.target.value)}
            onKeyDown={press}
            onPaste={paste}
            className="block max-h-[min(22rem,45vh)] min-h-13 w-full resize-none bg-transparent px-5 pt-3.5 pb-1 text-[1rem]/6 outline-none"
          />
          <p id={noteId} role="status" className={classNames('px-5 text-13', note !== null && 'pb-1', draft.trouble ? 'text-danger' : 'text-muted')}>
            {note}
          </p>
          <div className="flex items-center gap-0.5 px-2.5 pb-2.5">
            <AttachButton draftKey={draftKey} />
            <ToolsMenu />
            <ModelButton />
            <span className="flex-1" />
            {busy && (
              <Tooltip label="Stop" keys="escape">
                <button
                  type="button"
                  aria-label="Stop"
                  disabled={stopping}
                  onClick={() => void stop(draftKey)}
                  className="grid size-9 place-items-center rounded-full bg-[color-mix(in_oklab,var(--text)_12%,transparent)] text-text transition-colors hover:bg-pressed pointer-coarse:size-11"
                >
                  <Square size={13} fill="currentColor" strokeWidth={0} />
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
                    'grid size-9 place-items-center rounded-full transition-colors pointer-coarse:size-11',
                    ready ? 'bg-accent text-on-accent hover:brightness-105' : 'bg-[color-mix(in_oklab,var(--text)_9%,transparent)] text-faint',
                  )}
                >
                  <ArrowUp size={18} strokeWidth={2} />
                </button>
              </Tooltip>
            )}
          </div>
        </div>
      </form>
    </div>
  )
}

function EditBar({ trouble, onCancel }: { trouble: string | null; onCancel: () => void }) {
  return (
    <div className="px-5 pt-2.5 text-13 text-muted">
      <div className="flex items-center gap-2">
        <Pencil size={14} className="text-blue" />
        <span className="flex-1">Editing. The earlier version stays as a branch.</span>
        <IconButton size="small" label="Cancel editing" keys="escape" onClick={onCancel}>
          <X size={15} />
        </IconButton>
      </div>
      {trouble && (
        <p role="alert" className="pb-1 text-danger">
          {trouble}
        </p>
      )}
    </div>
  )
}

function AttachButton({ draftKey }: { draftKey: string }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        id={FILE_FIELD}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          if (files.length > 0) void useStore.getState().addFiles(draftKey, files)
        }}
      />
      <IconButton label="Attach files or pictures" className="rounded-full" onClick={() => input.current?.click()}>
        <Paperclip size={17} />
      </IconButton>
    </>
  )
}

/** Makes the field as tall as its text, up to the limit of the style. */
function useGrowing(field: React.RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = field.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [field, text])
}
