import { Monitor, Moon, Sun } from 'lucide-react'
import { join } from '@/design/join'
import type { Theme } from '@/shell/slice'
import { useStore } from '@/store'

const THEMES = [
  { theme: 'dark', title: 'Night', icon: Moon },
  { theme: 'light', title: 'Day moon', icon: Sun },
  { theme: 'system', title: 'As the system', icon: Monitor },
] as const satisfies { theme: Theme; title: string; icon: typeof Moon }[]

export function Appearance() {
  const current = useStore((state) => state.theme)
  const setTheme = useStore((state) => state.setTheme)
  return (
    <fieldset className="pt-3">
      <legend className="contents">
        <span className="text-15">Theme</span>
      </legend>
      <p className="text-13 text-muted">Kept in this browser.</p>
      <div className="mt-3 grid max-w-md grid-cols-3 gap-2">
        {THEMES.map(({ theme, title, icon: Icon }) => (
          <label
            key={theme}
            className={join(
              'flex h-20 flex-col items-center justify-center gap-2 rounded-card text-13 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-blue',
              current === theme ? 'bg-raised text-text shadow-[inset_0_0_0_1.5px_var(--accent)]' : 'text-muted shadow-[inset_0_0_0_1px_var(--hairline)] hover:bg-hover hover:text-text',
            )}
          >
            <input type="radio" name="theme" value={theme} checked={current === theme} onChange={() => setTheme(theme)} className="sr-only" />
            <Icon size={18} />
            {title}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
