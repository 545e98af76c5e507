import { plain } from '@/tools/wording'
import { diffWords } from './wordDiff'

/** The present description of a tool or server, with the removed words of the earlier one struck out. */
export function ChangedDescription({ before, after }: { before: string; after: string }) {
  const parts = diffWords(plain(before), plain(after))
  if (before === after) return <p className="mt-0.5 text-13 wrap-anywhere text-muted">{plain(after)} <span className="text-warn">Its arguments have changed.</span></p>
  return (
    <p className="mt-0.5 max-w-(--measure) text-13 wrap-anywhere whitespace-pre-wrap text-muted" dir="auto">
      {parts.map(({ kind, text }, at) => {
        if (kind === 'same') return <span key={at}>{text}</span>
        const Tag = kind === 'gone' ? 'del' : 'ins'
        return (
          <Tag key={at} className={LOOKS[kind]}>
            <span className="sr-only">{kind === 'gone' ? ' removed: ' : ' added: '}</span>
            {text}
          </Tag>
        )
      })}
    </p>
  )
}

const LOOKS = {
  gone: 'rounded-[3px] bg-[color-mix(in_oklab,var(--danger)_14%,transparent)] text-muted',
  new: 'rounded-[3px] bg-[color-mix(in_oklab,var(--ok)_16%,transparent)] text-text no-underline',
}
