import './assets.css'
import { Plus } from 'lucide-react'
import { Suspense, useEffect, useRef } from 'react'
import type { QualityName } from '@/avatar/quality'
import Backdrop from '@/backdrop/Backdrop'
import { QUALITY_CHOICES, type QualityChoice } from '@/body/slice'
import { Boundary } from '@/design/Boundary'
import { Button } from '@/design/Button'
import { classNames } from '@/design/classNames'
import { Keys } from '@/design/Keys'
import { lazyPart } from '@/design/lazyPart'
import { useStore } from '@/store'
import { AnimationList } from './AnimationList'
import { BackgroundChoice } from './BackgroundChoice'
import { BodyChoice } from './BodyChoice'
import { FileInput, Part } from './Choice'
import { Silhouette } from './AvatarPicture'
import { ACCEPTED } from './recognise'

const Avatar = lazyPart(() => import('@/avatar/Avatar'))

/** The appearance settings: everything is chosen by its picture, and applied to the avatar at once. */
export default function BodySection() {
  const body = useStore((state) => state.body)
  const animations = useStore((state) => state.animations)
  const backgrounds = useStore((state) => state.backgrounds)
  const trouble = useStore((state) => state.bodyTrouble)
  const stranger = useStore((state) => state.user !== null && !state.user.owner)
  const refreshBody = useStore((state) => state.refreshBody)
  useEffect(() => void refreshBody(), [refreshBody])
  return (
    <div className="@container">
      <div className="looks">
        <AvatarPreview />
        <div className="min-w-0">
          {stranger ? <p className="py-3 text-13 text-muted">Only the owner of this Perigee can change how she looks.</p> : <AddFile />}
          {trouble && (
            <div role="alert" className="py-3">
              <p className="text-15 text-muted">{trouble}</p>
              <Button className="mt-3" onClick={() => void refreshBody()}>
                Try again
              </Button>
            </div>
          )}
          {!body && !trouble && <p className="py-3 text-15 text-muted">Loading her avatar…</p>}
          {body && <BodyChoice body={body} />}
          {body && <AnimationList animations={animations} />}
          {backgrounds && <BackgroundChoice backgrounds={backgrounds} />}
          <QualityChoice />
          <Bare />
        </div>
      </div>
    </div>
  )
}

/** The avatar in front of its background. */
function AvatarPreview() {
  return (
    <div className="looks-stage">
      <div className="looks-frame">
        <Backdrop className="absolute inset-0" />
        <Boundary fallback={<Silhouette />}>
          <Suspense fallback={<Silhouette />}>
            <Avatar framing="full" className="absolute inset-0" />
          </Suspense>
        </Boundary>
      </div>
    </div>
  )
}

function AddFile() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-2 pb-5">
      <FileInput inputRef={input} accept={ACCEPTED} label="Avatar, animation or background files" />
      <Button icon={<Plus size={15} />} onClick={() => input.current?.click()}>
        Add a file
      </Button>
      <p className="min-w-0 flex-1 basis-56 text-13 text-muted touch:hidden">Or drop it anywhere on the page: an avatar (.vrm), an animation (.vrma, .fbx) or a picture for the background.</p>
    </div>
  )
}

const TITLES: Record<QualityChoice, { title: string; about: string }> = {
  auto: { title: 'Automatic', about: 'As detailed as this device can draw smoothly.' },
  low: { title: 'Low', about: 'Fewer frames and less detail. Saves battery.' },
  high: { title: 'High', about: 'Full detail all the time.' },
}

/** The actual quality on this device, where it is lower than expected. */
const CAME_TO: Partial<Record<QualityName, string>> = {
  least: 'This device draws slowly, so she moves less smoothly.',
  still: 'This device draws very slowly, so she stands still, and only her face changes.',
}

function QualityChoice() {
  const current = useStore((state) => state.quality)
  const cameTo = useStore(({ quality, drawnQuality }) => (quality === 'auto' && drawnQuality ? CAME_TO[drawnQuality] : undefined))
  const setQuality = useStore((state) => state.setQuality)
  return (
    <Part title="Quality" about={`${cameTo ?? TITLES[current].about} For this browser.`}>
      <div className="inline-flex rounded-control bg-well p-0.5 shadow-[inset_0_0_0_1px_var(--hairline)]">
        {QUALITY_CHOICES.map((quality) => (
          <label
            key={quality}
            className={classNames(
              'flex h-8 items-center rounded-[5px] px-4 text-13 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-blue pointer-coarse:h-10',
              current === quality ? 'bg-raised text-text shadow-lit' : 'text-muted hover:text-text',
            )}
          >
            <input type="radio" name="quality" checked={current === quality} onChange={() => setQuality(quality)} className="sr-only" />
            {TITLES[quality].title}
          </label>
        ))}
      </div>
    </Part>
  )
}

function Bare() {
  return (
    <div className="border-t border-hairline py-5">
      <p className="text-15">Hide everything but her</p>
      <p className="mt-0.5 max-w-[36rem] text-13 text-muted">
        On{' '}
        <a href="#/luna" className="text-blue underline decoration-1 underline-offset-3">
          her screen
        </a>
        , <Keys keys="h" /> hides everything in front of her, and shows it again.
      </p>
    </div>
  )
}
