import { useEffect, useId, useState } from 'react'
import type { LanCode, LanReport } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { CopyButton } from '@/design/CopyButton'
import { Switch } from '@/design/Field'
import { BacktickText } from '@/design/BacktickText'
import { useStore } from '@/store'
import { locked } from './wording'

const LINK = 'text-blue underline decoration-1 underline-offset-3'
/** The interval at which to check for a newly signed-in phone. */
const LOOK_MS = 3000

/** Access from phones: the switch and the code to scan. */
export function Phone() {
  const lan = useStore((state) => state.lan)
  const trouble = useStore((state) => state.lanTrouble)
  const field = useStore((state) => state.config?.sections.flatMap(({ fields }) => fields).find(({ key }) => key === 'server.lan'))
  const saving = useStore((state) => state.saving['server.lan'])
  const { refreshLan, switchLan, forgetLanCode } = useStore.getState()
  const label = useId()
  useEffect(() => {
    void refreshLan()
    return forgetLanCode
  }, [refreshLan, forgetLanCode])
  const lock = field ? locked(field.from) : null
  const failed = saving?.state === 'failed' ? saving.message : null
  return (
    <div className="border-b border-hairline pb-6">
      <div className="flex items-start gap-8 pt-4">
        <div className="min-w-0 flex-1">
          <h3 id={label} className="text-15">
            Your phone
          </h3>
          <p className="mt-0.5 max-w-[34rem] text-13 text-muted">Use her from phones and other devices on your network, encrypted. Each one has to sign in.</p>
          {lock && <p className="mt-1 text-12 text-warn">{lock}</p>}
        </div>
        <span className="pt-1">
          <Switch on={field?.value === true} disabled={!field || lock !== null || saving?.state === 'saving'} onChange={(on) => void switchLan(on)} labelledBy={label} />
        </span>
      </div>
      {(trouble ?? failed ?? lan?.trouble) && (
        <p role="alert" className="mt-3 max-w-[34rem] text-13 wrap-anywhere text-danger">
          <BacktickText text={trouble ?? failed ?? lan?.trouble ?? ''} />
        </p>
      )}
      {lan?.on && lan.addresses.length > 0 && <WayIn lan={lan} />}
    </div>
  )
}

function WayIn({ lan }: { lan: LanReport }) {
  const code = useStore((state) => state.lanCode)
  const { showLanCode } = useStore.getState()
  return (
    <div className="mt-4 flex flex-col gap-6 rounded-card bg-raised p-5 shadow-lit sm:flex-row sm:items-start">
      {code ? <Shown key={code.url} code={code} /> : <Hidden onShow={() => void showLanCode()} />}
      <div className="min-w-0 flex-1 text-13 text-muted">
        <ul aria-label="Her addresses" className="text-text">
          {lan.addresses.map((address) => (
            <li key={address} className="flex items-center gap-1">
              <code className="min-w-0 truncate font-mono text-13">{address}</code>
              <CopyButton text={address} label={`Copy ${address}`} />
            </li>
          ))}
        </ul>
        <p className="mt-2 max-w-[26rem]">
          The first time, your phone will not know this machine’s certificate: it was made here, for you.{' '}
          <a className={LINK} href="/lan" target="_blank" rel="noreferrer">
            Trust it
          </a>
          , and you can add her to its home screen.
        </p>
        <details className="mt-3">
          <summary className="cursor-pointer rounded-control text-faint">The certificate’s fingerprint</summary>
          <code className="mt-1.5 block font-mono text-12 wrap-anywhere">{lan.fingerprint}</code>
        </details>
      </div>
    </div>
  )
}

function Hidden({ onShow }: { onShow: () => void }) {
  return (
    <div className="flex size-48 shrink-0 items-center justify-center rounded-card bg-well">
      <Button onClick={onShow}>Show a code</Button>
    </div>
  )
}

function Shown({ code }: { code: LanCode & { until: number } }) {
  const { awaitPhone, forgetLanCode } = useStore.getState()
  const left = useSecondsUntil(code.until)
  useEffect(() => {
    const looking = setInterval(() => void awaitPhone(), LOOK_MS)
    return () => clearInterval(looking)
  }, [awaitPhone])
  useEffect(() => {
    if (left === 0) forgetLanCode()
  }, [left, forgetLanCode])
  return (
    <figure className="shrink-0">
      <QrCode rows={code.rows} />
      <figcaption className="mt-2 w-48 text-12 text-faint">
        Point your phone’s camera at it. For one phone, for {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')} more.
      </figcaption>
    </figure>
  )
}

/** A QR code, dark on white in every theme, as cameras expect. */
export function QrCode({ rows }: { rows: string[] }) {
  const size = rows.length
  const dots = rows.flatMap((row, y) => [...row].flatMap((dot, x) => (dot === '#' ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg role="img" aria-label="A code for your phone’s camera" viewBox={`-3 -3 ${size + 6} ${size + 6}`} shapeRendering="crispEdges" className="size-48 rounded-card">
      <rect x="-3" y="-3" width="100%" height="100%" fill="white" />
      <path d={dots.join('')} fill="black" />
    </svg>
  )
}

function useSecondsUntil(end: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(ticking)
  }, [])
  return Math.max(0, Math.ceil((end - now) / 1000))
}
