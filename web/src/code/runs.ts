import type { CodeMeta, CodeRequest, ContextPart, Event, Message, ProposalFile, ProposalId, RelevantFile, VerifyError, VerifyStage } from '@/api/protocol.gen'

/** The settings of a request about code, without its text. */
export type CodeRequestOptions = Omit<CodeRequest, 'text' | 'conversationId' | 'clientMessageId'>

/** A stage of building and testing, running or finished. */
export interface StageResult {
  stage: VerifyStage
  /** The command, from the first line of the output. */
  command?: string
  /** Null while it runs. */
  ok: boolean | null
  output: string
  errors: VerifyError[]
}

/** The data of a reply about code besides its text. */
export interface CodeRun {
  options: CodeRequestOptions | null
  files: RelevantFile[]
  parts: ContextPart[]
  proposal: { id: ProposalId; files: ProposalFile[] } | null
  stages: StageResult[]
  meta: CodeMeta | null
}

export const NO_RUN: CodeRun = { options: null, files: [], parts: [], proposal: null, stages: [], meta: null }

/** The most output kept of a stage. Only its end is kept, since that is what users look at. */
const MOST_OUTPUT = 20_000

/** Returns the run after this event; the same object if the event is not about code. */
export function afterEvent(run: CodeRun, event: Event): CodeRun {
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

/** Returns the run as followed here or, if its end was missed, as stored by the server. */
export function runOf({ work }: Pick<Message, 'work'>, seen: CodeRun | undefined): CodeRun | undefined {
  if (!work?.length || seen?.meta) return seen
  return work.reduce(afterEvent, { ...NO_RUN, options: seen?.options ?? null })
}

/** Returns the settings with which a reply about code was requested, or null for other replies. */
export function requestOptionsOf({ work }: Pick<Message, 'work'>, seen: CodeRun | undefined): CodeRequestOptions | null {
  if (seen?.options) return seen.options
  const meta = work?.findLast((event) => event.type === 'meta')
  return meta?.mode ? { mode: meta.mode, ...(meta.root ? { root: meta.root } : {}) } : null
}

/** Returns true if the reply shows this proposal. */
export function showsProposal({ work }: Pick<Message, 'work'>, seen: CodeRun | undefined, id: ProposalId): boolean {
  return seen?.proposal?.id === id || (work?.some((event) => event.type === 'proposal' && event.id === id) ?? false)
}

/** The line `$ cargo test` at the beginning of the output. */
const BEGINNING = /^\$ (.*)(?:\n|$)/

type VerifyEvent = Extract<Event, { type: 'verify' }>

/**
 * Returns the stages after an event. Output is appended, and replaced at the end of the stage. A further
 * event for a finished stage begins another attempt.
 */
export function withStage(stages: StageResult[], { stage, ok, output, errors }: VerifyEvent): StageResult[] {
  const last = stages.at(-1)
  const goesOn = last?.stage === stage && last.ok === null
  const before = goesOn ? last.output : ''
  const ends = ok !== undefined
  const begins = goesOn && !ends ? null : BEGINNING.exec(output)
  const command = goesOn ? last.command : begins?.[1]
  const printed = begins ? output.slice(begins[0].length) : output
  const made: StageResult = {
    stage,
    ...(command === undefined ? {} : { command }),
    ok: ok ?? null,
    output: (ends ? printed || before : before + printed).slice(-MOST_OUTPUT),
    errors: errors.length > 0 || !goesOn ? errors : last.errors,
  }
  return [...(goesOn ? stages.slice(0, -1) : stages), made]
}
