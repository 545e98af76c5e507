import { useEffect, useState } from 'react'
import { droppedFiles, distribute, type DropPreview, dropPreview, dropTargetAt } from './drop'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Accepts files dropped anywhere on the page. While they are dragged over it, it announces what will happen
 * to them.
 */
export function DropLayer() {
  const [shown, setShown] = useState<DropPreview | null>(null)
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    const over = (event: DragEvent) => {
      // Elements with a drop target of their own handle the files themselves.
      if (!hasFiles(event) || event.defaultPrevented) return setShown(null)
      event.preventDefault()
      const types = [...(event.dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file').map(({ type }) => type)
      const next = dropPreview(types, dropTargetAt(event.target))
      if (event.dataTransfer) event.dataTransfer.dropEffect = next.refused ? 'none' : 'copy'
      setShown((before) => (before?.title === next.title && before.note === next.note ? before : next))
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setShown(null)
    }
    const drop = (event: DragEvent) => {
      setShown(null)
      if (!hasFiles(event) || event.defaultPrevented || !event.dataTransfer) return
      event.preventDefault()
      distribute(droppedFiles(event.dataTransfer), dropTargetAt(event.target))
    }
    window.addEventListener('dragover', over, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => listening.abort()
  }, [])
  if (!shown) return null
  return (
    <div className="pointer-events-none fixed inset-3 z-50 grid animate-appear place-items-center rounded-panel bg-[color-mix(in_oklab,var(--ground)_93%,transparent)] px-6 text-center text-text outline-2 outline-dashed outline-blue">
      <div>
        <p className="display text-22">{shown.title}</p>
        {shown.note && <p className="mx-auto mt-2 max-w-md text-15 text-muted">{shown.note}</p>}
      </div>
    </div>
  )
}
