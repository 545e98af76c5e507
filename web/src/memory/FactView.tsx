import { ChevronLeft } from 'lucide-react'
import { useEffect } from 'react'
import type { FactId } from '@/api/protocol.gen'
import { own } from '@/design/own'
import { RetryNote, LoadingNote, PageFrame } from '@/shell/PageFrame'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { FactPanel } from './FactPanel'
import { ConfidenceMeter } from './ConfidenceMeter'
import { useMemoryStore } from './useMemoryStore'
import { CATEGORIES } from './wording'

/** A fact on a page of its own, to which conversations link. */
export function FactView({ id }: { id: FactId }) {
  const looked = useMemoryStore((state) => (state.fact?.id === id ? state.fact : null))
  const trouble = useMemoryStore((state) => own(state.factTrouble, id))
  const { openFactPage } = useMemoryStore.getState()
  const { go } = useStore.getState()
  useEffect(() => void openFactPage(id), [openFactPage, id])
  const fact = looked?.fact
  return (
    <PageFrame page="facts" name="A fact">
      <BackLink />
      {!fact && !looked?.trouble && <LoadingNote text="Loading…" />}
      {looked?.trouble && !looked.gone && <RetryNote text={looked.trouble} onRetry={() => void openFactPage(id)} />}
      {looked?.gone && <p role="alert" className="py-6 text-15 text-muted">She no longer knows this. It may have been forgotten.</p>}
      {fact && (
        <>
          <div className="flex items-center gap-3 pt-3 pb-3">
            <h1 className="display text-22">{CATEGORIES[fact.category]?.title ?? 'A fact'}</h1>
            <ConfidenceMeter fact={fact} />
          </div>
          {trouble && (
            <p role="alert" className="pb-3 text-13 text-danger">
              {trouble} It stays as it was.
            </p>
          )}
          <FactPanel fact={fact} alone onClose={() => go({ page: 'memory' })} />
        </>
      )}
    </PageFrame>
  )
}

function BackLink() {
  return (
    <a href={fragmentOf({ page: 'memory' })} className="mt-3 -ms-1 inline-flex items-center gap-1 rounded-control py-1 pe-2 text-13 text-muted transition-colors hover:text-text pointer-coarse:py-2.5">
      <ChevronLeft size={15} />
      Everything she knows
    </a>
  )
}
