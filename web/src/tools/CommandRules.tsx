import { TriangleAlert } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import type { CommandRule } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { TextField } from '@/design/Field'
import { BacktickText } from '@/design/BacktickText'
import { classNames } from '@/design/classNames'
import { own } from '@/design/own'
import { useServerStore } from '@/servers/useServerStore'
import { useStore } from '@/store'
import { plain } from './wording'

const VERDICTS: Record<string, { word: string; colour: string }> = {
  allow: { word: 'runs without asking', colour: 'text-ok' },
  ask: { word: 'always asks', colour: 'text-warn' },
  deny: { word: 'never runs', colour: 'text-danger' },
}

/** The verdicts without a sandbox: every command asks, so rules that allow commands have no effect. */
const UNHELD = { ...VERDICTS, allow: { word: 'asks, as there is no sandbox', colour: 'text-warn' } }

/** The rules that decide which shell commands run without confirmation, ask or never run. */
export function CommandRules() {
  const unheld = useServerStore((state) => state.sandbox?.level === 'none')
  const rules = useStore((state) => state.commandRules)
  const trouble = useStore((state) => state.commandRulesTrouble)
  const { refreshCommandRules, removeCommandRule } = useStore.getState()
  useEffect(() => void refreshCommandRules(), [refreshCommandRules])
  const wrong = rules?.trouble ?? trouble
  return (
    <section aria-label="Rules about commands" className="border-t border-hairline py-4">
      <h3 className="text-13 font-medium">Rules about commands</h3>
      <p className="mt-0.5 max-w-(--measure) text-13 text-pretty text-muted">
        {unheld ? (
          'There is no sandbox on this machine, so no rule lets a command run without asking: once commands are allowed, each one asks. What never runs does not run here either.'
        ) : (
          <>
            They apply to single, plain commands. With pipes, substitutions, <code>sudo</code> and the like she still asks, and also when outside text is in the conversation.
          </>
        )}
      </p>
      {wrong && (
        <p role="alert" className="mt-2 flex gap-2 text-13 wrap-anywhere text-warn">
          <TriangleAlert size={15} className="mt-0.5" />
          <BacktickText text={plain(wrong)} />
        </p>
      )}
      <ul className="mt-2 divide-y divide-hairline">
        {rules?.rules.map((rule) => (
          <Rule key={rule.id} rule={rule} verdicts={unheld ? UNHELD : VERDICTS} onRemove={() => void removeCommandRule(rule.id)} />
        ))}
        {rules?.refused.map(({ id, why }) => (
          <li key={id} className="flex items-start gap-4 py-2.5 text-13">
            <p className="min-w-0 flex-1 wrap-anywhere">
              <code className="font-mono">{plain(id)}</code> <span className="text-danger">is not used: {plain(why)}</span>
            </p>
            <Button variant="danger" aria-label={`Remove: ${plain(id)}`} onClick={() => void removeCommandRule(id)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <AllowLike unheld={unheld} />
    </section>
  )
}

function Rule({ rule, verdicts, onRemove }: { rule: CommandRule; verdicts: typeof VERDICTS; onRemove: () => void }) {
  const verdict = own(verdicts, rule.verdict)
  return (
    <li className="flex items-start gap-4 py-2.5">
      <div className="min-w-0 flex-1 text-13">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <code className="font-mono wrap-anywhere" dir="ltr">
            {plain(rule.pattern)}
          </code>
          <span className={classNames('text-12', verdict?.colour)}>{verdict?.word ?? plain(rule.verdict)}</span>
        </p>
        <p className="mt-0.5 text-12 wrap-anywhere text-faint">
          {rule.root === null ? 'everywhere' : `in ${plain(rule.root)}`}
          {rule.note !== '' && ` · ${plain(rule.note)}`}
        </p>
      </div>
      <Button variant="danger" aria-label={`Remove: ${plain(rule.pattern)}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  )
}

/** A form that allows commands similar to the given one. */
function AllowLike({ unheld }: { unheld: boolean }) {
  const allow = useStore((state) => state.allowCommandsLike)
  const [line, setLine] = useState('')
  const [trouble, setTrouble] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (line.trim() === '' || busy) return
    setBusy(true)
    const refusal = await allow(line.trim())
    setBusy(false)
    setTrouble(refusal)
    if (refusal === null) setLine('')
  }
  return (
    <form onSubmit={(event) => void send(event)} className="mt-2 flex flex-wrap items-end gap-2">
      <label className="flex min-w-0 flex-1 flex-col gap-1 text-13 sm:max-w-96">
        <span className="text-muted">Let commands like this one run without asking{unheld && ', once there is a sandbox'}</span>
        <TextField mono dir="ltr" value={line} placeholder="cargo test" onChange={(event) => setLine(event.target.value)} />
      </label>
      <Button type="submit" disabled={busy || line.trim() === ''}>
        Allow
      </Button>
      {trouble !== null && (
        <p role="alert" className="basis-full text-13 wrap-anywhere text-danger">
          {trouble}
        </p>
      )}
    </form>
  )
}
