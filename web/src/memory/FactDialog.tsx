import { Lock, LockOpen } from 'lucide-react'
import { useState } from 'react'
import type { FactCategory } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { Dialog } from '@/design/Dialog'
import { TextField } from '@/design/Field'
import { Select } from '@/design/Select'
import { useStore } from '@/store'
import type { MemoryDraft } from './drafts'
import { EditText, editKeys } from './EditText'
import { useDraft } from './useDraft'
import { useMemoryStore } from './useMemoryStore'
import { CATEGORIES } from './wording'

/** The dialog to add a fact outside a conversation. Closing it keeps the text as a draft. */
export default function FactDialog() {
  const { addFact, keepDraft, dropDraft } = useMemoryStore.getState()
  const { show } = useStore.getState()
  const draft = useDraft('new fact')
  const { content = '', category, subject = '', private: isPrivate = false } = draft ?? {}
  const [state, setState] = useState<{ busy: boolean; trouble: string | null }>({ busy: false, trouble: null })
  const close = () => show(null)
  const clear = () => dropDraft('new fact')
  const write = (next: MemoryDraft) => (Object.values(next).some(Boolean) ? keepDraft('new fact', next) : clear())
  const decide = (kind: FactCategory | '') => {
    const { category: _before, ...rest } = draft ?? {}
    write(kind === '' ? rest : { ...rest, category: kind })
  }
  const save = async () => {
    if (state.busy) return
    if (content.trim() === '') {
      setState({ busy: false, trouble: 'Write a sentence first.' })
      return
    }
    setState({ busy: true, trouble: null })
    const trouble = await addFact({
      content: content.trim(),
      private: isPrivate,
      ...(category ? { category } : {}),
      ...(subject.trim() === '' ? {} : { subject: subject.trim() }),
    })
    if (trouble === null) {
      clear()
      close()
    } else setState({ busy: false, trouble })
  }
  return (
    <Dialog title="Add a fact" onClose={close} width="sm:w-[30rem]">
      <form
        className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pb-5"
        onKeyDown={editKeys(() => void save(), close)}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <label className="flex flex-col gap-1.5">
          <span className="text-13 text-muted">A sentence that makes sense on its own</span>
          <EditText focus label="What she should know" placeholder="My sister Anna does not eat fish." value={content} onChange={(text) => write({ ...draft, content: text })} maxLength={2000} className="min-h-18" />
        </label>
        <div className="flex flex-wrap gap-3">
          <label className="flex min-w-40 flex-1 flex-col gap-1.5">
            <span className="text-13 text-muted">About</span>
            <TextField value={subject} placeholder="you" dir="auto" maxLength={80} onChange={(event) => write({ ...draft, subject: event.target.value })} />
          </label>
          <span className="flex flex-col gap-1.5">
            <span aria-hidden="true" className="text-13 text-muted">Kind</span>
            <Select label="Kind" value={category ?? ''} onChange={(value) => decide(value as FactCategory | '')} className="w-40">
              <option value="">She decides</option>
              {Object.entries(CATEGORIES).map(([value, { title }]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </Select>
          </span>
        </div>
        <div>
          <Button variant={isPrivate ? 'raised' : 'quiet'} className="-ms-1" aria-pressed={isPrivate} onClick={() => write({ ...draft, private: !isPrivate })}>
            {isPrivate ? <Lock size={15} className="text-accent-text" /> : <LockOpen size={15} />}
            {isPrivate ? 'Private: it never leaves this machine' : 'Make it private'}
          </Button>
        </div>
        {state.trouble && (
          <p role="alert" className="text-13 wrap-anywhere text-danger">
            {state.trouble}
          </p>
        )}
        <div className="flex justify-end gap-2">
          {draft && (
            <Button variant="quiet" className="-ms-1 me-auto" onClick={clear}>
              Clear
            </Button>
          )}
          <Button variant="quiet" onClick={close}>
            Close
          </Button>
          <Button variant="primary" type="submit" disabled={state.busy}>
            {state.busy ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
