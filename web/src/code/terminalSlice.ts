import type { Event } from '@/api/protocol.gen'
import { own } from '@/design/own'
import { storedValue, storeValue } from '@/shell/storage'
import { omit } from '@/store/omit'
import { field, resultText } from '@/tools/wording'
import { unescaped } from './outputParts'
import { AS_IS, type CodeSliceOf, type TerminalCommand, type TerminalSlice } from './state'
import { startRun, type RunHandle } from './startRun'

const MOST_OUTPUT = 200_000
const MOST_COMMANDS = 30
const MOST_TYPED = 100

export const isRunning = ({ status }: Pick<TerminalCommand, 'status'>) => status === 'running' || status === 'waiting' || status === 'requested'

function storedCommands(): string[] {
  try {
    const kept = JSON.parse(storedValue('code-typed') ?? '[]') as unknown
    return Array.isArray(kept) ? kept.filter((line): line is string => typeof line === 'string').slice(0, MOST_TYPED) : []
  } catch {
    return []
  }
}

let lastId = 0

/** Returns the command after an event of its run. */
function afterEvent(command: TerminalCommand, event: Event): TerminalCommand {
  switch (event.type) {
    case 'toolOutput':
      return { ...command, output: (command.output + event.text).slice(-MOST_OUTPUT) }
    case 'tool': {
      const printed = outputOf(event.result)
      // If nothing was streamed, the result may contain the output.
      const output = command.output.trim() === '' && printed !== '' ? printed : command.output
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

function outputOf(result: unknown): string {
  return field(result, 'output') || resultText(result)
}

export const terminalSlice: CodeSliceOf<TerminalSlice> = (services) => (set, get) => {
  let work: RunHandle | null = null
  const change = (id: number, to: (command: TerminalCommand) => TerminalCommand) => set(({ commands }) => ({ commands: commands.map((known) => (known.id === id ? to(known) : known)) }))

  return {
    commands: [],
    commandHistory: storedCommands(),

    runCommand: async (line) => {
      const command = line.trim()
      const { root } = get()
      if (command === '' || get().commands.some(isRunning)) return
      lastId += 1
      const id = lastId
      const commandHistory = [command, ...get().commandHistory.filter((known) => known !== command)].slice(0, MOST_TYPED)
      storeValue('code-typed', JSON.stringify(commandHistory))
      set(({ commands }) => ({ commandHistory, commands: [...commands.slice(1 - MOST_COMMANDS), { id, root, command, status: 'running', output: '', ms: null, chat: null }] }))
      work = startRun(
        services,
        { kind: 'work', route: 'run', request: { command, ...(root === null ? {} : { root }) } },
        {
          event: (event) => change(id, (known) => afterEvent(known, event)),
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
export function outputEnd(command: TerminalCommand): string {
  return `$ ${command.command}\n${unescaped(command.output)}`.slice(-MOST_SENT)
}
