import type { CodeMode } from '@/api/protocol.gen'
import { recall, remember } from '@/shell/storage'
import type { CodeSliceOf, LayoutSlice } from './state'

export const AGENT_WIDTH = { least: 320, usual: 384, most: 720 }
export const TERMINAL_HEIGHT = { least: 120, usual: 240, most: 640 }
const MODES: readonly CodeMode[] = ['agent', 'ask', 'plan', 'repair']

function kept(key: string, { least, usual, most }: typeof AGENT_WIDTH): number {
  const stored = Number(recall(key) ?? Number.NaN)
  return Number.isFinite(stored) ? clamped(stored, { least, most }) : usual
}

function clamped(value: number, { least, most }: { least: number; most: number }): number {
  return Math.round(Math.min(most, Math.max(least, value)))
}

export const layoutSlice: CodeSliceOf<LayoutSlice> = () => (set) => ({
  agentShown: recall('code-agent') !== 'hidden',
  agentWidth: kept('code-agent-width', AGENT_WIDTH),
  terminalShown: recall('code-terminal') === 'shown',
  terminalHeight: kept('code-terminal-height', TERMINAL_HEIGHT),
  diffView: recall('code-diff') === 'unified' ? 'unified' : 'split',
  picker: null,
  mode: MODES.find((mode) => mode === recall('code-mode')) ?? 'agent',
  landing: 'ask',
  focusing: true,
  terminalCall: 0,

  showAgent: (shown) => {
    remember('code-agent', shown ? null : 'hidden')
    set({ agentShown: shown })
  },
  showTerminal: (shown) => {
    remember('code-terminal', shown ? 'shown' : null)
    set(({ terminalCall }) => ({ terminalShown: shown, terminalCall: shown ? terminalCall + 1 : terminalCall }))
  },
  setAgentWidth: (width) => {
    const agentWidth = clamped(width, AGENT_WIDTH)
    remember('code-agent-width', String(agentWidth))
    set({ agentWidth })
  },
  setTerminalHeight: (height) => {
    const terminalHeight = clamped(height, TERMINAL_HEIGHT)
    remember('code-terminal-height', String(terminalHeight))
    set({ terminalHeight })
  },
  setDiffView: (diffView) => {
    remember('code-diff', diffView === 'unified' ? 'unified' : null)
    set({ diffView })
  },
  pick: (picker) => set({ picker }),
  setMode: (mode) => {
    remember('code-mode', mode)
    set({ mode })
  },
  setLanding: (landing) => set({ landing }),
  setFocusing: (focusing) => set({ focusing }),
})
