import './personality.css'
import { RotateCcw, Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '@/design/Button'
import { RetryNote, LoadingNote, PageFrame } from '@/shell/PageFrame'
import { useStore } from '@/store'
import { plain } from '@/tools/wording'
import { lastManualChange } from './manualChanges'
import { TraitRow } from './TraitRow'

const ABOUT = 'Your conversations change how she talks in small steps, and it drifts back by itself. The dotted line is where it rests: in the middle, or where you set it. Move a slider to set it, or lock it where it is.'

/** The companion's personality, its causes, and the controls for it. */
export default function PersonalityPage() {
  const personality = useStore((state) => state.personality)
  const trouble = useStore((state) => state.personalityTrouble)
  const { refreshPersonality, resetPersonality, undoPersonality } = useStore.getState()
  const last = useStore((state) => state.personality && lastManualChange(state.personality, state.manualChanges)?.what)
  const undo = last ? `Undo: ${last}` : 'Undo the last manual change'
  useEffect(() => void refreshPersonality(), [refreshPersonality])
  const actions = personality && (
    <>
      {personality.canUndo && (
        // On a narrow screen it comes last: at the left edge, the padding of a button without a background
        // would look like an indent.
        <Button variant="quiet" className="max-sm:order-last" icon={<Undo2 size={15} />} aria-label={undo} title={undo} onClick={() => void undoPersonality()}>
          Undo
        </Button>
      )}
      <Button icon={<RotateCcw size={15} />} title="Set everything back to the middle and unlock it" onClick={() => void resetPersonality()}>
        Start over
      </Button>
    </>
  )
  return (
    <PageFrame page="personality" about={ABOUT} actions={actions}>
      {trouble && !personality && <RetryNote text={trouble} onRetry={() => void refreshPersonality()} />}
      {!personality && !trouble && <LoadingNote text="Loading her personality…" rows={4} />}
      {personality && (
        <>
          <Tone tone={personality.tone} />
          <div className="divide-y divide-hairline pt-1">
            {personality.traits.map((trait) => (
              <TraitRow key={trait.dimension} trait={trait} />
            ))}
          </div>
        </>
      )}
    </PageFrame>
  )
}

/** The resulting description in the prompt of the model. */
function Tone({ tone }: { tone: string }) {
  return (
    <section aria-label="What she reads about it" className="mt-5 rounded-card bg-surface px-5 py-4 shadow-lit">
      <h2 className="text-12 text-faint">What she reads about it before she speaks</h2>
      <p className="display mt-1.5 text-17 text-pretty wrap-anywhere whitespace-pre-wrap" dir="auto">
        {tone.trim() === '' ? 'Nothing: she is at rest.' : plain(tone)}
      </p>
    </section>
  )
}
