import { Check, FileCheck, FilePen } from 'lucide-react'
import { useId } from 'react'
import type { CodeMode } from '@/api/protocol.gen'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { Menu, MenuItem } from '@/design/Menu'
import { useCodeStore } from './useCodeStore'

const MODES: { mode: CodeMode; title: string; about: string }[] = [
  { mode: 'agent', title: 'Agent', about: 'She changes files, and you review the changes' },
  { mode: 'ask', title: 'Ask', about: 'Only answers' },
  { mode: 'plan', title: 'Plan', about: 'Only plans the steps' },
  { mode: 'repair', title: 'Repair', about: 'She fixes an error' },
]

/** The switch between the modes of the agent. */
export function ModeSwitch() {
  const mode = useCodeStore((state) => state.mode)
  const name = useId()
  return (
    <div role="radiogroup" aria-label="Mode" className="flex shrink-0 rounded-control">
      {MODES.map((one) => (
        <label
          key={one.mode}
          title={one.about}
          className={classNames(
            'relative flex h-7 items-center rounded-control px-2 text-12 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-blue pointer-coarse:h-10 pointer-coarse:px-2.5 pointer-coarse:text-13',
            mode === one.mode ? 'bg-pressed font-medium text-text' : 'text-muted hover:text-text',
          )}
        >
          <input type="radio" name={name} value={one.mode} checked={mode === one.mode} onChange={() => useCodeStore.getState().setMode(one.mode)} className="absolute inset-0 opacity-0" />
          {one.title}
          <span className="sr-only">: {one.about}</span>
        </label>
      ))}
    </div>
  )
}

/** The menu that decides whether changes wait for review. */
export function ApplyModeMenu() {
  const landing = useCodeStore((state) => state.applyMode)
  const mode = useCodeStore((state) => state.mode)
  const { setApplyMode } = useCodeStore.getState()
  if (mode === 'ask' || mode === 'plan') return null
  const auto = landing === 'auto'
  return (
    <Menu
      label="What happens to her changes"
      side="top"
      trigger={
        <IconButton size="small" label={auto ? 'Changes apply at once' : 'Changes wait for your review'} className={auto ? 'text-warn' : ''}>
          {auto ? <FilePen size={15} /> : <FileCheck size={15} />}
        </IconButton>
      }
    >
      <MenuItem icon={auto ? <span className="block size-[15px]" /> : <Check size={15} />} onSelect={() => setApplyMode('ask')}>
        Changes wait for your review
      </MenuItem>
      <MenuItem icon={auto ? <Check size={15} /> : <span className="block size-[15px]" />} onSelect={() => setApplyMode('auto')}>
        Changes apply at once, and can be undone
      </MenuItem>
    </Menu>
  )
}
