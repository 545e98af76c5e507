import type { CodeMode } from '@/api/protocol.gen'
import { storedValue, storeValue } from '@/shell/storage'
import type { CodeSliceOf, LayoutSlice } from './state'

export const AGENT_WIDTH = { least: 320, usual: 384, most: 720 }
export const TERMINAL_HEIGHT = { least: 120, usual: 240, most: 640 }
const MODES: readonly CodeMode[] = ['agent', 'ask', 'plan', 'repair']

function kept(key: string, { least, usual, most }: typeof AGENT_WIDTH): number {
  const stored = Number(storedValue(key) ?? Number.NaN)
  return Number.isFinite(stored) ? clamped(stored, { least, most }) : usual
}

function clamped(value: number, { least, most }: { least: number; most: number }): number {
  return Math.round(Math.min(most, Math.max(least, value)))
}

export const layoutSlice: CodeSliceOf<LayoutSlice> = () => (set) => ({
  agentShown: storedValue('code-agent') !== 'hidden',
  agentWidth: kept('code-agent-width', AGENT_WIDTH),
  terminalShown: storedValue('code-terminal') === 'shown',
  terminalHeight: kept('code-terminal-height', TERMINAL_HEIGHT),
  diffView: storedValue('code-diff') === 'unified' ? 'unified' : 'split',
  picker: null,
  mode: MODES.find((mode) => mode === storedValue('code-mode')) ?? 'agent',
  applyMode: 'ask',
  focusing: true,
  terminalFocus: 0,

  showAgent: (shown) => {
    storeValue('code-agent', shown ? null : 'hidden')
    set({ agentShown: shown })
  },
  showTerminal: (shown) => {
    storeValue('code-terminal', shown ? 'shown' : null)
    set(({ terminalFocus }) => ({ terminalShown: shown, terminalFocus: shown ? terminalFocus + 1 : terminalFocus }))
  },
  setAgentWidth: (width) => {
    const agentWidth = clamped(width, AGENT_WIDTH)
    storeValue('code-agent-width', String(agentWidth))
    set({ agentWidth })
  },
  setTerminalHeight: (height) => {
    const terminalHeight = clamped(height, TERMINAL_HEIGHT)
    storeValue('code-terminal-height', String(terminalHeight))
    set({ terminalHeight })
  },
  setDiffView: (diffView) => {
    storeValue('code-diff', diffView === 'unified' ? 'unified' : null)
    set({ diffView })
  },
  pick: (picker) => set({ picker }),
  setMode: (mode) => {
    storeValue('code-mode', mode)
    set({ mode })
  },
  setApplyMode: (applyMode) => set({ applyMode }),
  setFocusing: (focusing) => set({ focusing }),
})
