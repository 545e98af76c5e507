import { ShieldAlert, ShieldCheck, ShieldX } from 'lucide-react'
import type { SandboxInfo } from '@/api/protocol.gen'
import { sentence } from '@/api/http'
import { BacktickText } from '@/design/BacktickText'
import { plain } from '@/tools/wording'
import { isolationOf } from './wording'

const ICONS = { ok: ShieldCheck, warn: ShieldAlert, danger: ShieldX, blue: ShieldCheck, faint: ShieldCheck }
const COLOURS = { ok: 'text-ok', warn: 'text-warn', danger: 'text-danger', blue: 'text-blue', faint: 'text-faint' }

/** The level of isolation on this machine, and what is missing for a higher one. */
export function SandboxNote({ sandbox }: { sandbox: SandboxInfo }) {
  const { title, about, tone } = isolationOf(sandbox)
  const Icon = ICONS[tone]
  return (
    <section aria-label="Sandbox" className="mt-5 flex gap-3 text-13">
      <Icon size={17} className={`mt-px ${COLOURS[tone]}`} />
      <div className="min-w-0 max-w-(--measure)">
        <p>
          <span className="font-medium">{title}.</span> <span className="text-muted">{about}</span>
        </p>
        {sandbox.missing.length > 0 && (
          <ul aria-label="What is missing, and how to fix it" className="mt-1.5 flex list-disc flex-col gap-1 ps-4 text-muted marker:text-faint">
            {sandbox.missing.map((missing) => (
              <li key={missing} className="wrap-anywhere">
                <BacktickText text={plain(sentence(missing))} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
