import { BrainCircuit } from 'lucide-react'
import { Button } from '@/design/Button'
import { useStore } from '@/store'
import { modelTitle } from './wording'

/** Returns the reason why no model can reply, so that the user has to choose one next, or null. */
export function useNoModel(): 'none' | 'failed' | null {
  return useStore(({ models }) => {
    if (!models) return null
    const { state } = models.current
    return state === 'none' || state === 'failed' ? state : null
  })
}

/** A note that no model can reply and why, with a button to choose one. */
export function NoModel({ className }: { className?: string }) {
  const missing = useNoModel()
  const models = useStore((state) => state.models)
  const name = useStore((state) => state.companionName)
  const show = useStore((state) => state.show)
  if (!missing || !models) return null
  const failed = models.current.state === 'failed' ? modelTitle(models, models.current.name) : ''
  return (
    <div role="status" className={className}>
      <p>{missing === 'none' ? `${name} needs a model before she can answer.` : `${failed} is not working.`}</p>
      <Button variant="primary" className="h-9 px-4" icon={<BrainCircuit size={16} />} onClick={() => show({ kind: 'models' })}>
        {missing === 'none' ? 'Choose a model' : 'Choose another model'}
      </Button>
    </div>
  )
}
