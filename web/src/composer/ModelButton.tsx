import { ChevronDown } from 'lucide-react'
import { classNames } from '@/design/classNames'
import { modelLine } from '@/models/wording'
import { useStore } from '@/store'

const DOTS = { ok: 'bg-ok', busy: 'bg-warn', none: 'bg-faint', danger: 'bg-danger' }

/** The model in use, as a button that opens the models dialog. Without a usable model it stands out. */
export function ModelButton() {
  const models = useStore((state) => state.models)
  const show = useStore((state) => state.show)
  if (!models) return null
  const { text, tone } = modelLine(models)
  const wanted = tone === 'none' || tone === 'danger'
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      {...(wanted ? {} : { 'aria-label': `Model: ${text}` })}
      onClick={() => show({ kind: 'models' })}
      className={classNames(
        'flex h-8 max-w-56 min-w-0 shrink items-center gap-1.5 rounded-full px-2.5 text-13 transition-[background-color,color,filter] pointer-coarse:h-10',
        wanted ? 'font-medium text-accent-text shadow-[inset_0_0_0_1px_var(--accent)] hover:bg-hover' : 'text-muted hover:bg-hover hover:text-text',
      )}
    >
      {!wanted && <span className={classNames('size-1.5 shrink-0 rounded-full', DOTS[tone])} />}
      <span className="truncate">{text}</span>
      <ChevronDown size={14} className="shrink-0" />
    </button>
  )
}
