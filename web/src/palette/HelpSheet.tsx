import { ACTIONS } from '@/actions/registry'
import { WORKSPACE_ACTIONS } from '@/code/actions'
import { Dialog } from '@/design/Dialog'
import { Keys } from '@/design/Keys'
import { useStore } from '@/store'

const IN_THE_COMPOSER = [
  { keys: 'enter', title: 'Send' },
  { keys: 'shift+enter', title: 'A new line' },
  { keys: 'arrowup', title: 'Edit your last message, when the field is empty' },
  { keys: 'escape', title: 'Stop the answer, or leave editing' },
  { keys: '/', title: 'Commands; elsewhere: go to the message field' },
]

const WHEN_SHE_ASKS = [
  { keys: 'y', title: 'Allow it' },
  { keys: 'n', title: 'Don’t allow it' },
]

const ON_HER_SCREEN = [
  { keys: 'f6', title: 'Next panel; with Shift, the previous one' },
  { keys: 'arrowup', title: 'Move the panel whose title has the focus; with Shift, resize it' },
  { keys: 'escape', title: 'Back to the desk' },
]

const IN_HER_MEMORY = [
  { keys: 'arrowdown', title: 'Next line' },
  { keys: 'enter', title: 'Open it for editing; E does the same' },
  { keys: 'mod+s', title: 'Save' },
  { keys: 'escape', title: 'Cancel' },
  { keys: 'x', title: 'Select it, to merge it with others' },
  { keys: 'delete', title: 'Forget it, after showing what is removed' },
  { keys: '/', title: 'Search' },
]

const IN_A_REVIEW = [
  { keys: 'j', title: 'Next change; K for the previous one' },
  { keys: 'y', title: 'Keep this change' },
  { keys: 'n', title: 'Skip this change' },
  { keys: 'a', title: 'Keep or skip the whole file' },
  { keys: 'enter', title: 'Apply what is kept' },
  { keys: 'u', title: 'Undo what was applied' },
]

export default function HelpSheet() {
  const show = useStore((state) => state.show)
  return (
    <Dialog title="Shortcuts and commands" onClose={() => show(null)} width="sm:w-[44rem]">
      <div tabIndex={0} role="region" aria-label="Shortcuts and commands" className="grid min-h-0 gap-x-10 gap-y-6 overflow-y-auto px-5 pb-6 sm:grid-cols-2">
        <section>
          <h3 className="pb-1 text-12 text-faint">Anywhere</h3>
          <dl>
            {ACTIONS.filter((action) => action.keys).map((action) => (
              <Line key={action.id} title={action.title}>
                <Keys keys={action.keys ?? ''} />
              </Line>
            ))}
          </dl>
          <h3 className="pt-5 pb-1 text-12 text-faint">In the message field</h3>
          <dl>
            {IN_THE_COMPOSER.map(({ keys, title }) => (
              <Line key={keys} title={title}>
                <Keys keys={keys} />
              </Line>
            ))}
          </dl>
        </section>
        <section>
          <h3 className="pb-1 text-12 text-faint">When she asks, and her question has the focus</h3>
          <dl className="pb-5">
            {WHEN_SHE_ASKS.map(({ keys, title }) => (
              <Line key={keys} title={title}>
                <Keys keys={keys} />
              </Line>
            ))}
          </dl>
          <h3 className="pb-1 text-12 text-faint">On her screen</h3>
          <dl className="pb-5">
            {ON_HER_SCREEN.map(({ keys, title }) => (
              <Line key={keys} title={title}>
                <Keys keys={keys} />
              </Line>
            ))}
          </dl>
          <h3 className="pb-1 text-12 text-faint">In her memory</h3>
          <dl className="pb-5">
            {IN_HER_MEMORY.map(({ keys, title }) => (
              <Line key={keys} title={title}>
                <Keys keys={keys} />
              </Line>
            ))}
          </dl>
          <h3 className="pb-1 text-12 text-faint">In the workspace</h3>
          <dl className="pb-5">
            {WORKSPACE_ACTIONS.filter((action) => action.keys).map((action) => (
              <Line key={action.id} title={action.title}>
                <Keys keys={action.keys ?? ''} />
              </Line>
            ))}
          </dl>
          <h3 className="pb-1 text-12 text-faint">In a review of changes</h3>
          <dl className="pb-5">
            {IN_A_REVIEW.map(({ keys, title }) => (
              <Line key={keys} title={title}>
                <Keys keys={keys} />
              </Line>
            ))}
          </dl>
          <h3 className="pb-1 text-12 text-faint">Commands</h3>
          <dl>
            {ACTIONS.filter((action) => action.slash).map((action) => (
              <Line key={action.id} title={action.title}>
                <span className="font-mono text-12 text-accent-text">/{action.slash?.name}</span>
              </Line>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  )
}

function Line({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex min-h-7 items-center justify-between gap-4 text-13">
      <dt className="text-muted">{title}</dt>
      <dd className="shrink-0">{children}</dd>
    </div>
  )
}
