import { LayoutPanelLeft, type LucideIcon, Orbit, ScanFace } from 'lucide-react'
import { classNames } from '@/design/classNames'
import { Tooltip } from '@/design/Tooltip'
import { fragmentOf, type View } from '@/shell/route'
import { useStore } from '@/store'

const VIEWS: { view: View; title: string; icon: LucideIcon; keys: string }[] = [
  { view: 'dev', title: 'Desk', icon: LayoutPanelLeft, keys: 'alt+shift+1' },
  { view: 'user', title: 'Face to face', icon: ScanFace, keys: 'alt+shift+2' },
  { view: 'luna', title: 'Her screen', icon: Orbit, keys: 'alt+shift+3' },
]

/** The switch between the three views of a conversation. */
export function ViewSwitch({ className }: { className?: string }) {
  const current = useStore((state) => state.view)
  const conversation = useStore((state) => state.lastConversation)
  return (
    <div role="group" aria-label="View" className={classNames('flex shrink-0 rounded-control bg-[color-mix(in_oklab,var(--text)_5%,transparent)] p-0.5', className)}>
      {VIEWS.map(({ view, title, icon: Icon, keys }) => (
        <Tooltip key={view} label={title} keys={keys} side="bottom">
          <a
            href={fragmentOf(conversation, view)}
            aria-label={title}
            aria-current={view === current ? 'true' : undefined}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              useStore.getState().setView(view)
            }}
            className={classNames(
              'grid size-7 place-items-center rounded-[5px] transition-colors pointer-coarse:h-10 pointer-coarse:w-9',
              view === current ? 'bg-raised text-text shadow-lit' : 'text-muted hover:text-text',
            )}
          >
            <Icon size={15} />
          </a>
        </Tooltip>
      ))}
    </div>
  )
}
