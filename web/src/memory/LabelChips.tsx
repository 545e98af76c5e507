import { plain } from '@/tools/wording'
import { labelWords } from './labels'

interface Props {
  labels: Record<string, unknown>
  /** The number of labels shown; the rest is only counted. */
  most?: number
}

/** The labels of an entry, each in short form. */
export function LabelChips({ labels, most = Infinity }: Props) {
  const all = Object.entries(labels)
  return (
    <>
      {all.slice(0, most).map(([name, value]) => (
        <span key={name} className="max-w-60 truncate rounded-[4px] bg-hover px-1.5 text-muted">
          <span className="text-faint">{plain(name)}:</span> {plain(labelWords(value))}
        </span>
      ))}
      {all.length > most && <span>and {all.length - most} more</span>}
    </>
  )
}
