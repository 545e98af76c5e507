import type { CodeMeta, CodeRequest, ContextPart, Event, Message, ProposalFile, ProposalId, RelevantFile, VerifyError, VerifyStage } from '@/api/protocol.gen'

/** What was asked about code, but for the words of it. */
export type CodeOrder = Omit<CodeRequest, 'text' | 'conversationId' | 'clientMessageId'>

/** A stage of building and testing, while it goes on or when it is done. */
export interface Stage {
  stage: VerifyStage
  /** As the first line of what is printed has it. */
  command?: string
  /** Nothing while it prints. */
  ok: boolean | null
  output: string
  errors: VerifyError[]
}

/** What an answer about code has beside its words. */
export interface CodeRun {
  order: CodeOrder | null
  files: RelevantFile[]
  parts: ContextPart[]
  proposal: { id: ProposalId; files: ProposalFile[] } | null
  stages: Stage[]
  meta: CodeMeta | null
}

export const NO_RUN: CodeRun = { order: null, files: [], parts: [], proposal: null, stages: [], meta: null }

/** More of what a check prints is not kept: the end is what is looked at. */
const MOST_OUTPUT = 20_000

/** The run after this event; the same object where the event is not about code. */
export function followed(run: CodeRun, event: Event): CodeRun {
  switch (event.type) {
    case 'context':
      return { ...run, files: event.files, parts: event.parts }
    case 'proposal':
      return { ...run, proposal: { id: event.id, files: event.files } }
    case 'verify':
      return { ...run, stages: withStage(run.stages, event) }
    case 'meta': {
      const { type: _type, ...meta } = event
      return { ...run, meta }
    }
    default:
      return run
  }
}

/** What there is of a run: as it was followed here or, where its end was not seen, as the server has kept it. */
export function runOf({ work }: Pick<Message, 'work'>, seen: CodeRun | undefined): CodeRun | undefined {
  if (!work?.length || seen?.meta) return seen
  return work.reduce(followed, { ...NO_RUN, order: seen?.order ?? null })
}

/** How an answer about code was asked for; null where it is about something else. */
export function orderOf({ work }: Pick<Message, 'work'>, seen: CodeRun | undefined): CodeOrder | null {
  if (seen?.order) return seen.order
  const meta = work?.findLast((event) => event.type === 'meta')
  return meta?.mode ? { mode: meta.mode, ...(meta.root ? { root: meta.root } : {}) } : null
}

/** Whether an answer shows a proposal. */
export function tellsOf({ work }: Pick<Message, 'work'>, seen: CodeRun | undefined, id: ProposalId): boolean {
  return seen?.proposal?.id === id || (work?.some((event) => event.type === 'proposal' && event.id === id) ?? false)
}

/** `$ cargo test`, before anything else. */
const BEGINNING = /^\$ (.*)(?:\n|$)/

type VerifyEvent = Extract<Event, { type: 'verify' }>

/** What is printed adds up; the end of a stage replaces it. A stage that has ended and is heard of again is another try. */
export function withStage(stages: Stage[], { stage, ok, output, errors }: VerifyEvent): Stage[] {
  const last = stages.at(-1)
  const goesOn = last?.stage === stage && last.ok === null
  const before = goesOn ? last.output : ''
  const ends = ok !== undefined
  const begins = goesOn && !ends ? null : BEGINNING.exec(output)
  const command = goesOn ? last.command : begins?.[1]
  const printed = begins ? output.slice(begins[0].length) : output
  const made: Stage = {
    stage,
    ...(command === undefined ? {} : { command }),
    ok: ok ?? null,
    output: (ends ? printed || before : before + printed).slice(-MOST_OUTPUT),
    errors: errors.length > 0 || !goesOn ? errors : last.errors,
  }
  return [...(goesOn ? stages.slice(0, -1) : stages), made]
}
