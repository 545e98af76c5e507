import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useShallow } from 'zustand/react/shallow'
import { useStore } from '@/store'
import { middle } from './panels/geometry'
import { type PanelKind, PANELS } from './panels/registry'
import { rectOf, useLuna } from './store'
import { usePanelRequests } from './usePanelRequests'

export interface Panels {
  offered: PanelKind[]
  /**
   * The panels on the screen, in constant order, so that a panel that comes to the front is not remounted.
   */
  shown: PanelKind[]
  /** Returns the stacking level: higher is nearer. */
  levelOf: (id: string) => number
  isOpen: (id: string) => boolean
  toggle: (id: string) => void
  close: (id: string) => void
}

const focusHead = (id: string) => requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-panel="${id}"] [data-panel-head]`)?.focus())
const focusDock = (id: string) => document.getElementById(`dock-${id}`)?.focus()

/**
 * Provides the available panels, and opens and closes them. On a `phone`, one at a time is shown above the
 * dock.
 */
export function usePanels(phone: boolean): Panels {
  const ids = useStore(useShallow((state) => PANELS.filter((kind) => kind.when(state)).map(({ id }) => id)))
  const offered = useMemo(() => PANELS.filter(({ id }) => ids.includes(id)), [ids])
  const places = useLuna((state) => state.panels)
  const order = useLuna((state) => state.order)
  const sheet = useLuna((state) => state.sheet)

  const shown = useMemo(() => {
    if (phone) return offered.filter(({ id }) => id === sheet)
    return offered.filter(({ id }) => places[id]?.open)
  }, [phone, offered, places, sheet])
  const levelOf = (id: string) => order.indexOf(id) + 1
  const isOpen = (id: string) => shown.some((kind) => kind.id === id)

  const openBy = useCallback(
    (how: 'open' | 'present', id: string) => {
      const others = onScreen().filter((other) => other !== id)
      if (phone) useLuna.getState().setSheet(id)
      else useLuna.getState()[how](id, others)
    },
    [phone],
  )
  const open = useCallback((id: string) => openBy('open', id), [openBy])
  const present = useCallback((id: string) => openBy('present', id), [openBy])
  const close = useCallback(
    (id: string) => {
      const held = document.activeElement?.closest(`[data-panel="${id}"]`) != null
      if (phone) useLuna.getState().setSheet(null)
      else useLuna.getState().close(id)
      if (held) focusDock(id)
    },
    [phone],
  )
  const toggle = (id: string) => {
    if (isOpen(id)) close(id)
    else {
      open(id)
      // The conversation focuses its composer instead.
      if (id !== 'conversation') focusHead(id)
      else useStore.getState().focusComposer()
    }
  }
  usePanelRequests(present, close, phone ? nowhere : whereIs)
  useCalls(open)
  return { offered, shown, levelOf, isOpen, toggle, close }
}

/** Returns the panels that are open at this moment, rendered or not. */
function onScreen(): string[] {
  const { panels } = useLuna.getState()
  const state = useStore.getState()
  return PANELS.filter((kind) => panels[kind.id]?.open && kind.when(state)).map(({ id }) => id)
}

/** Returns the centre of a panel, in pixels of the window. */
function whereIs(id: string): { x: number; y: number } | null {
  const rect = rectOf(useLuna.getState(), id)
  const view = document.querySelector('[data-luna]')?.getBoundingClientRect()
  if (!rect) return null
  const at = middle(rect)
  return { x: at.x + (view?.left ?? 0), y: at.y + (view?.top ?? 0) }
}

/** The position of a sheet, which is below the avatar. */
const nowhere = () => ({ x: window.innerWidth / 2, y: window.innerHeight * 0.8 })

/** Opens the conversation when the composer is called, and tidies up when that is requested. */
function useCalls(open: (id: string) => void): void {
  const call = useStore((state) => state.composerFocus)
  const tidy = useStore((state) => state.tidyRequests)
  const heard = useRef({ call, tidy })
  useEffect(() => {
    if (call !== heard.current.call) open('conversation')
    heard.current.call = call
  }, [call, open])
  useEffect(() => {
    if (tidy === heard.current.tidy) return
    heard.current.tidy = tidy
    useLuna.getState().tidy(onScreen())
  }, [tidy])
}
