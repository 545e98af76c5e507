import { useState } from 'react'
import { Button } from '@/design/Button'
import { Dialog } from '@/design/Dialog'
import { join } from '@/design/join'
import { useStore } from '@/store'
import { plain } from '@/tools/words'
import { EditText, editKeys } from './EditText'

/** Several that say the same become one, in words to choose. */
export default function MergeDialog() {
  const facts = useStore((state) => state.chosenFacts)
  const { show, mergeFacts } = useStore.getState()
  // The longest most likely says what the others say, and something more.
  const [content, setContent] = useState(() => facts.reduce((longest, fact) => (fact.content.length > longest.length ? fact.content : longest), ''))
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
        <div>
          <p className="text-13 text-muted">They become one. Take over the words of one, and change them as you like.</p>
          <ul aria-label="What is merged" className="-mx-2 mt-2 flex flex-col gap-0.5">
            {facts.map((fact) => (
              <li key={fact.id}>
                <button
                  type="button"
                  aria-pressed={content === fact.content}
                  onClick={() => setContent(fact.content)}
                  className={join('w-full rounded-control px-2 py-1.5 text-start text-15 wrap-anywhere transition-colors hover:bg-hover', content === fact.content ? 'text-text' : 'text-muted')}
                >
                  <bdi>{plain(fact.content)}</bdi>
                </button>
              </li>
            ))}
          </ul>
        </div>
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
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
          <Button look="primary" disabled={state.busy} onClick={() => void save()}>
            {state.busy ? 'Merging…' : 'Merge'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
