import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '@/design/IconButton'
import { useStore } from '@/store'

/** The panel beside the conversation, or over it if there is no room. */
export function WhyFrame({ children }: { children: ReactNode }) {
  const turn = useStore((state) => state.why?.turn)
  const closeWhy = useStore((state) => state.closeWhy)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [turn])
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label="Why did you say that?"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        closeWhy()
      }}
      className="fixed inset-0 z-20 flex outline-none animate-slide-end flex-col bg-surface pt-[env(safe-area-inset-top)] sm:start-auto sm:w-[24rem] sm:shadow-float lg:static lg:inset-auto lg:w-[25rem] lg:shrink-0 lg:border-s lg:border-hairline lg:bg-[color-mix(in_oklab,var(--surface)_55%,var(--ground))] lg:shadow-none"
    >
      <header className="flex h-14 shrink-0 items-center justify-between ps-5 pe-2">
        <h2 className="text-15 font-medium">Why did you say that?</h2>
        <IconButton label="Close" onClick={() => closeWhy()}>
          <X size={18} />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-[max(2rem,env(safe-area-inset-bottom))]">{children}</div>
    </aside>
  )
}
