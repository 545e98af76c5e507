import { useState } from 'react'
import { Button } from '@/design/Button'
import { Dialog } from '@/design/Dialog'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { EditText, editKeys } from './EditText'
import { useMemoryStore } from './useMemoryStore'

/** The dialog that merges facts into one, with a text to choose. */
export default function MergeDialog() {
  const facts = useMemoryStore((state) => state.chosenFacts)
  const { mergeFacts } = useMemoryStore.getState()
  const { show } = useStore.getState()
  // The longest text most likely includes what the others say.
  const [content, setContent] = useState(() => facts.reduce((longest, fact) => (fact.content.length > longest.length ? fact.content : longest), ''))
  const taken = facts.find((fact) => fact.content === content)?.id
  const [state, setState] = useState<{ busy: boolean; trouble: string | null }>({ busy: false, trouble: null })
  const close = () => show(null)
  const save = async () => {
    if (content.trim() === '' || state.busy) return
    setState({ busy: true, trouble: null })
    const trouble = await mergeFacts(facts.map(({ id }) => id), content.trim())
    if (trouble === null) close()
    else setState({ busy: false, trouble })
  }
  return (
    <Dialog title={`Merge ${facts.length} facts`} onClose={close} width="sm:w-[32rem]">
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pb-5" onKeyDown={editKeys(() => void save(), close)}>
        <fieldset>
          <legend className="text-13 text-muted">They become one fact. Start from the words of one, and change them as you like.</legend>
          <div className="-mx-2 mt-2 flex flex-col gap-0.5">
            {facts.map((fact) => (
              <Choice key={fact.id} words={fact.content} taken={fact.id === taken} onTake={() => setContent(fact.content)} />
            ))}
          </div>
        </fieldset>
        <label className="flex flex-col gap-1.5">
          <span className="text-13 text-muted">It will say</span>
          <EditText focus label="What the merged fact says" value={content} onChange={setContent} maxLength={2000} />
        </label>
        {state.trouble && (
          <p role="alert" className="text-13 wrap-anywhere text-danger">
            {state.trouble} They stay as they were.
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
          <Button variant="primary" disabled={state.busy} onClick={() => void save()}>
            {state.busy ? 'Merging…' : 'Merge'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** The text of one fact, which can be chosen for the merged one. */
function Choice({ words, taken, onTake }: { words: string; taken: boolean; onTake: () => void }) {
  return (
    <label
      className={classNames(
        'flex items-start gap-3 rounded-control px-2 py-1.5 text-15 transition-colors pointer-coarse:py-2.5',
        taken ? 'bg-[color-mix(in_oklab,var(--blue)_12%,transparent)] text-text' : 'text-muted hover:bg-hover',
      )}
    >
      <input type="radio" name="words" checked={taken} onChange={onTake} className="peer sr-only" />
      <span
        aria-hidden="true"
        className={classNames(
          'mt-1 grid size-4 shrink-0 place-items-center rounded-full peer-focus-visible:outline-2 peer-focus-visible:outline-blue',
          taken ? 'bg-blue' : 'shadow-[inset_0_0_0_1.5px_var(--faint)]',
        )}
      >
        {taken && <span className="size-1.5 rounded-full bg-ground" />}
      </span>
      <bdi className="min-w-0 wrap-anywhere">{plain(words)}</bdi>
    </label>
  )
}
