import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Confirmation } from '@/api/protocol.gen'
import { BacktickText } from '@/design/BacktickText'
import { useStore } from '@/store'
import { Arguments } from './Arguments'
import { readForm } from './form'
import { ServerCode } from './ServerCode'
import { TextWithLists } from './TextWithLists'
import { RequestedPage } from './RequestedPage'
import { dangers, makesServer, plain, confirmationText, type ApprovalKind, approvalKind } from './wording'

/**
 * The body of a confirmation request: the action, the reason for asking, and the risks; `children` is the
 * form.
 */
export function QuestionMatter({ confirmation, children }: { confirmation: Confirmation; children: ReactNode }) {
  const tool = useStore((state) => state.tools?.find((known) => known.name === confirmation.tool))
  const kind = approvalKind(confirmation)
  const own = kind !== 'leave'
  const { rest, address } = confirmationText(confirmation)
  return (
    <div className="min-h-12 flex-1 overflow-y-auto mask-[linear-gradient(transparent,black_0.75rem,black_calc(100%-0.75rem),transparent)] px-4 pt-3 sm:px-5" tabIndex={0} role="group" aria-label="What she would do">
      {confirmation.tainted && (own ? <FromServer reason={confirmation.why} kind={kind} /> : <Warning reason={confirmation.why} />)}
      {kind === 'model' && <p className="mb-1 text-12 text-faint">What your model would be given</p>}
      {rest !== '' && (
        <div className="mb-3 flex flex-col gap-1 text-13 wrap-anywhere text-muted" dir="auto">
          <TextWithLists text={plain(rest)} />
        </div>
      )}
      {address !== null && <RequestedPage address={address} />}
      {children}
      {!own && <Given confirmation={confirmation} />}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 py-3 text-13 max-sm:grid-cols-1 max-sm:gap-y-0">
        {!confirmation.tainted && (
          <Reason term="Why she asks">
            <BacktickText text={plain(confirmation.why)} />
          </Reason>
        )}
        {!own && <Reason term="What can go wrong">{dangers(confirmation, tool).join(' ')}</Reason>}
      </dl>
    </div>
  )
}

/**
 * The arguments of the tool call. Code is shown as code; what is already shown or part of the form is left
 * out.
 */
function Given({ confirmation: { tool, args, form } }: { confirmation: Confirmation }) {
  if (!makesServer(tool)) return <Boxed args={args} />
  const shown = new Set(['name', 'description', 'code', 'tests', 'allow_network', ...readForm(form).map(({ name }) => name)])
  const rest = Object.fromEntries(Object.entries(args ?? {}).filter(([name]) => !shown.has(name)))
  return (
    <div className="flex flex-col gap-3">
      <ServerCode tool={tool} args={args} />
      {Object.keys(rest).length > 0 && <Boxed args={rest} />}
    </div>
  )
}

function Boxed({ args }: { args: unknown }) {
  return (
    <div className="rounded-card bg-[color-mix(in_oklab,var(--ground)_55%,transparent)] px-3 py-2.5">
      <Arguments args={args} />
    </div>
  )
}

function Note({ title, reason, advice }: { title: string; reason: string; advice?: string }) {
  return (
    <div className="mb-3 flex gap-2.5 rounded-card bg-[color-mix(in_oklab,var(--warn)_11%,transparent)] px-3 py-2.5 text-13">
      <TriangleAlert size={16} className="mt-0.5 text-warn" />
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        <p className="mt-0.5 wrap-anywhere text-muted" dir="auto">
          <BacktickText text={plain(reason)} />
        </p>
        {advice && <p className="mt-0.5 text-muted">{advice}</p>}
      </div>
    </div>
  )
}

const Warning = ({ reason }: { reason: string }) => (
  <Note title="This may not be her own idea, nor yours." reason={reason} advice="If you did not ask for it, say no. She carries on without it." />
)

/** A note on a request that a server makes while its tool is running. */
function FromServer({ reason, kind }: { reason: string; kind: Exclude<ApprovalKind, 'leave'> }) {
  const name = useStore((state) => state.companionName)
  const titles = {
    words: `What you write goes to the server, not to ${name}.`,
    model: 'The answer goes to the server.',
    page: 'The page is not a part of Perigee. The server chose it.',
  }
  return <Note title={titles[kind]} reason={reason} />
}

function Reason({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{term}</dt>
      <dd className="wrap-anywhere text-muted max-sm:mb-1.5" dir="auto">
        {children}
      </dd>
    </>
  )
}
