import { useEffect, useRef, useState } from 'react'
import type { BackgroundList } from '@/api/protocol.gen'
import { moonAt, moonName } from '@/backdrop/moon'
import { Sky } from '@/backdrop/Sky'
import type { SkyName } from '@/backdrop/palettes'
import { classNames } from '@/design/classNames'
import { TextField } from '@/design/Field'
import { own } from '@/design/own'
import { useStore } from '@/store'
import { AddCard, Choice, Part } from './Choice'
import { stem } from './recognise'
import { ASSETS_TOPIC } from './slice'

const SHAPE = 'aspect-[8/5]'
const SKIES: Record<string, { name: SkyName; title: string }> = { night: { name: 'night', title: 'Night' }, dusk: { name: 'dusk', title: 'Dusk' } }
const COLOURS: Record<string, string> = {
  '#10142b': 'Midnight', '#1d2440': 'Blue hour', '#2b2140': 'Heather', '#14302e': 'Pine', '#e9e7f5': 'Mist', '#f6ead9': 'Cream',
}

/** The background of the avatar, for every page that shows it. */
export function BackgroundChoice({ backgrounds: { backgrounds, current } }: { backgrounds: BackgroundList }) {
  const { setBackground, removeAsset, withdraw } = useStore.getState()
  const choose = (filename: string) => {
    withdraw(ASSETS_TOPIC)
    void setBackground(filename)
  }
  const moon = moonName(moonAt(new Date()))
  const colours = backgrounds.filter(({ kind }) => kind === 'colour')
  return (
    <Part title="Background" about={`The skies show today’s moon: ${moon.toLowerCase()}. In the light theme, it is day.`}>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-3 gap-y-4">
        {backgrounds.map(({ filename, kind, url }) => {
          const sky = own(SKIES, filename)
          if (kind === 'sky' && sky) {
            return (
              <Choice key={filename} group="background" title={sky.title} chosen={current === filename} onChoose={() => choose(filename)} shape={SHAPE}>
                <Sky name={sky.name} small />
              </Choice>
            )
          }
          if (kind !== 'picture' || url === null) return null
          return (
            <Choice
              key={filename}
              group="background"
              title={stem(filename)}
              chosen={current === filename}
              onChoose={() => choose(filename)}
              onRemove={() => void removeAsset('backgrounds', filename)}
              shape={SHAPE}
            >
              <img src={url} alt="" loading="lazy" decoding="async" draggable={false} className="size-full object-cover" />
            </Choice>
          )
        })}
        <AddCard label="Add a picture" accept=".png,.jpg,.jpeg,.webp,.avif,.gif" note="Drop one here" shape={`${SHAPE} flex-col px-2`} />
      </div>
      <p className="mt-5 text-13 text-muted">Or a plain colour</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {colours.map(({ filename }) => (
          <Colour key={filename} colour={filename} chosen={current === filename} onChoose={() => choose(filename)} />
        ))}
        <OwnColour current={current} onChoose={choose} />
      </div>
    </Part>
  )
}

function Colour({ colour, chosen, onChoose }: { colour: string; chosen: boolean; onChoose: () => void }) {
  const title = own(COLOURS, colour) ?? colour
  return (
    <label title={title} className="block">
      <input type="radio" name="background" checked={chosen} onChange={onChoose} aria-label={title} className="peer sr-only" />
      <span
        className={classNames(
          'block size-8 rounded-full peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-blue pointer-coarse:size-10',
          chosen ? 'shadow-[0_0_0_2px_var(--ground),0_0_0_4px_var(--accent)]' : 'shadow-[inset_0_0_0_1px_var(--outline),0_0_0_1px_var(--hairline)]',
        )}
        style={{ backgroundColor: colour }}
      />
    </label>
  )
}

const HEX = /^#?([0-9a-f]{6})$/i
/** The pause after which a colour that is still being picked is sent to the server. */
const DEBOUNCE_MS = 300

/** Any other colour, from the browser's picker or as a hex code. */
function OwnColour({ current, onChoose }: { current: string; onChoose: (colour: string) => void }) {
  const shown = HEX.test(current) ? current : ''
  const [text, setText] = useState(shown)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => setText(shown), [shown])
  useEffect(() => () => clearTimeout(timer.current), [])
  const take = (value: string) => {
    setText(value)
    const digits = HEX.exec(value.trim())?.[1]
    clearTimeout(timer.current)
    if (digits) timer.current = setTimeout(() => onChoose(`#${digits.toLowerCase()}`), DEBOUNCE_MS)
  }
  const valid = HEX.exec(text.trim())?.[1]
  return (
    <span className="ms-2 flex items-center gap-2">
      <input
        type="color"
        aria-label="Another colour"
        value={valid ? `#${valid.toLowerCase()}` : '#10142b'}
        onChange={(event) => take(event.target.value)}
        className="colour-well size-8 rounded-full pointer-coarse:size-10"
      />
      <TextField mono aria-label="Colour code" placeholder="#10142b" value={text} maxLength={7} className="w-24!" onChange={(event) => take(event.target.value)} aria-invalid={text.trim() !== '' && !valid} />
    </span>
  )
}
