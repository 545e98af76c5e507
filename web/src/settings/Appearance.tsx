import { Monitor, Moon, Sun } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '@/design/Button'
import { Switch } from '@/design/Field'
import { classNames } from '@/design/classNames'
import { notificationPermission } from '@/shell/desktopNotification'
import { fragmentOf } from '@/shell/route'
import { TEXT_SIZES, type TextSize, type ThemeSetting } from '@/shell/slice'
import { useStore } from '@/store'

const THEMES = [
  { theme: 'dark', title: 'Dark', icon: Moon },
  { theme: 'light', title: 'Light', icon: Sun },
  { theme: 'system', title: 'System', icon: Monitor },
] as const satisfies { theme: ThemeSetting; title: string; icon: typeof Moon }[]

export function Appearance() {
  return (
    <>
      <ThemeChoice />
      <TextSizeChoice />
      <div className="mt-6 divide-y divide-hairline border-t border-hairline">
        <CardsRow />
        <CallsRow />
        <InstallRow />
      </div>
    </>
  )
}

/**
 * The switch for finished tool calls in conversations. Hidden ones remain available under *Why did you say
 * that?* and on the audit page.
 */
function CardsRow() {
  const hidden = useStore((state) => state.cardsHidden)
  const hideCards = useStore((state) => state.hideCards)
  const label = useId()
  return (
    <div className="flex items-start gap-8 py-4">
      <div className="min-w-0 flex-1">
        <p id={label} className="text-15">
          Hide finished steps
        </p>
        <p className="mt-0.5 max-w-[32rem] text-13 text-muted">
          Tools that have done their work leave no line in the conversation. What they opened stays, and so does what failed. Everything is kept under{' '}
          <a href={fragmentOf({ page: 'audit' })} className="text-blue underline decoration-1 underline-offset-3">
            What she did
          </a>
          .
        </p>
      </div>
      <Switch on={hidden} onChange={hideCards} labelledBy={label} />
    </div>
  )
}

const CALLS = {
  granted: 'Allowed. You can change this in the browser’s settings for this page.',
  denied: 'This browser blocks notifications from this page. You can change this in the browser’s settings for this page.',
  default: 'When she has something to say, or waits for your answer, while you are looking elsewhere.',
  missing: 'This browser cannot do that here.',
}

function CallsRow() {
  const [permission, setPermission] = useState(notificationPermission)
  return (
    <div className="flex items-start gap-8 py-4">
      <div className="min-w-0 flex-1">
        <p className="text-15">Notifications</p>
        <p className="mt-0.5 max-w-[32rem] text-13 text-muted">{CALLS[permission]}</p>
      </div>
      {permission === 'default' && <Button onClick={() => void Notification.requestPermission().then(setPermission)}>Allow them</Button>}
    </div>
  )
}

/** The offer to install the app, shown only if that is possible and not yet done. */
function InstallRow() {
  const installing = useStore((state) => state.installing)
  const install = useStore((state) => state.install)
  if (installing !== 'offered' && installing !== 'byHand') return null
  return (
    <div className="flex items-start gap-8 py-4">
      <div className="min-w-0 flex-1">
        <p className="text-15">Install Perigee</p>
        <p className="mt-0.5 max-w-[32rem] text-13 text-muted">
          {installing === 'offered'
            ? 'A window and an icon of its own on this device. Nothing else changes.'
            : 'Open the Share menu of the browser and choose “Add to Home Screen”. Then it has an icon of its own on this device.'}
        </p>
      </div>
      {installing === 'offered' && <Button onClick={() => void install()}>Install</Button>}
    </div>
  )
}

const SIZES: Record<TextSize, { title: string; letter: string }> = {
  small: { title: 'Small', letter: 'text-[13px]' },
  normal: { title: 'Normal', letter: 'text-[16px]' },
  large: { title: 'Large', letter: 'text-[19px]' },
  larger: { title: 'Larger', letter: 'text-[23px]' },
}

function TextSizeChoice() {
  const current = useStore((state) => state.textSize)
  const setTextSize = useStore((state) => state.setTextSize)
  return (
    <fieldset className="pt-6">
      <legend className="contents">
        <span className="text-15">Text size</span>
      </legend>
      <p className="text-13 text-muted">For this browser.</p>
      <div className="mt-3 grid max-w-md grid-cols-4 gap-2">
        {TEXT_SIZES.map((size) => (
          <label
            key={size}
            className={classNames(
              'flex h-16 flex-col items-center justify-center gap-1 rounded-card text-13 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-blue',
              current === size ? 'bg-raised text-text shadow-[inset_0_0_0_1.5px_var(--accent)]' : 'text-muted shadow-[inset_0_0_0_1px_var(--hairline)] hover:bg-hover hover:text-text',
            )}
          >
            <input type="radio" name="text size" value={size} checked={current === size} onChange={() => setTextSize(size)} className="sr-only" />
            <span aria-hidden="true" className={classNames('leading-6', SIZES[size].letter)}>
              A
            </span>
            {SIZES[size].title}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function ThemeChoice() {
  const current = useStore((state) => state.theme)
  const setTheme = useStore((state) => state.setTheme)
  return (
    <fieldset className="pt-3">
      <legend className="contents">
        <span className="text-15">Theme</span>
      </legend>
      <p className="text-13 text-muted">For this browser.</p>
      <div className="mt-3 grid max-w-md grid-cols-3 gap-2">
        {THEMES.map(({ theme, title, icon: Icon }) => (
          <label
            key={theme}
            className={classNames(
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
