import type { Event } from '@/api/protocol.gen'
import { own } from '@/design/own'
import { recall, remember } from '@/shell/storage'
import { omit } from '@/store/omit'
import { field, resultText } from '@/tools/words'
import { unescaped } from './places'
import { AS_IS, type CodeSliceOf, type Command, type TerminalSlice } from './state'
import { begin, type Work } from './work'

const MOST_OUTPUT = 200_000
const MOST_COMMANDS = 30
const MOST_TYPED = 100

export const isRunning = ({ status }: Pick<Command, 'status'>) => status === 'running' || status === 'waiting' || status === 'requested'

function readTyped(): string[] {
  try {
    const kept = JSON.parse(recall('code-typed') ?? '[]') as unknown
    return Array.isArray(kept) ? kept.filter((line): line is string => typeof line === 'string').slice(0, MOST_TYPED) : []
  } catch {
    return []
  }
}

let lastId = 0

/** Returns the command after an event of its run. */
function told(command: Command, event: Event): Command {
  switch (event.type) {
    case 'toolOutput':
      return { ...command, output: (command.output + event.text).slice(-MOST_OUTPUT) }
    case 'tool': {
      const said = printed(event.result)
      // If nothing was streamed, the result may contain the output.
      const output = command.output.trim() === '' && said !== '' ? said : command.output
      return { ...command, status: event.status, output: output.slice(-MOST_OUTPUT), ms: event.ms ?? command.ms }
    }
    case 'error':
      return { ...command, status: 'failed', output: command.output || event.message }
    case 'done':
      return { ...command, status: event.stopReason === 'stopped' ? 'stopped' : isRunning(command) ? 'done' : command.status }
    default:
      return command
  }
}

function printed(result: unknown): string {
  return field(result, 'output') || resultText(result)
}

export const terminalSlice: CodeSliceOf<TerminalSlice> = (services) => (set, get) => {
  let work: Work | null = null
  const change = (id: number, to: (command: Command) => Command) => set(({ commands }) => ({ commands: commands.map((known) => (known.id === id ? to(known) : known)) }))

  return {
    commands: [],
    typed: readTyped(),

    runCommand: async (line) => {
      const command = line.trim()
      const { root } = get()
      if (command === '' || get().commands.some(isRunning)) return
      lastId += 1
      const id = lastId
      const typed = [command, ...get().typed.filter((known) => known !== command)].slice(0, MOST_TYPED)
      remember('code-typed', JSON.stringify(typed))
      set(({ commands }) => ({ typed, commands: [...commands.slice(1 - MOST_COMMANDS), { id, root, command, status: 'running', output: '', ms: null, chat: null }] }))
      work = begin(
        services,
        { kind: 'work', door: 'run', request: { command, ...(root === null ? {} : { root }) } },
        {
          event: (event) => change(id, (known) => told(known, event)),
          begun: (chat) => change(id, (known) => ({ ...known, chat })),
          failed: (message) => change(id, (known) => ({ ...known, status: message === 'Stopped.' ? 'stopped' : 'failed', output: known.output || message })),
        },
      )
      await work.done
      // The connection ended without a final event.
      change(id, (known) => (isRunning(known) ? { ...known, status: 'stopped' } : known))
    },

    stopCommand: () => work?.stop(),
    clearTerminal: () => set(({ commands, checks }) => ({ commands: commands.filter(isRunning), checks: own(checks, AS_IS)?.running ? checks : omit(checks, AS_IS) })),
  }
}

const MOST_SENT = 8_000

/** Returns the end of the last output, to be sent to the model. */
export function lastPrinted(command: Command): string {
  return `$ ${command.command}\n${unescaped(command.output)}`.slice(-MOST_SENT)
}
