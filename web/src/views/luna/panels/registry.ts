import { Activity, Brain, Clock, CloudSun, LayoutGrid, type LucideIcon, Map as MapIcon, MessageSquare, Moon, SquareTerminal } from 'lucide-react'
import type { ComponentType } from 'react'
import type { AppState } from '@/store/state'
import type { PlaceablePanel } from './arrange'
import { Awareness } from './Awareness'
import { ClockPanel } from './ClockPanel'
import { ConsolePanel } from './ConsolePanel'
import { MapPanel, WeatherPanel, WidgetsPanel } from './Shown'
import { Orb } from './Orb'
import { shownActs } from './opened'
import { SystemPanel } from './SystemPanel'
import { ConversationPanel } from './ConversationPanel'

/** A kind of panel of the Luna view. */
export interface PanelKind extends PlaceablePanel {
  title: string
  icon: LucideIcon
  component: ComponentType
  /** Returns true if there is anything to show; otherwise the panel is not offered. */
  when: (state: AppState) => boolean
  /** True if it is open by default. */
  first?: boolean
}

const always = () => true

export const PANELS: PanelKind[] = [
  {
    id: 'conversation', title: 'Conversation', icon: MessageSquare, component: ConversationPanel, when: always, first: true,
    side: 'right', size: { width: 400, height: 620 }, least: { width: 300, height: 300 },
  },
  {
    id: 'clock', title: 'Clock', icon: Clock, component: ClockPanel, when: always, first: true,
    side: 'left', size: { width: 300, height: 168 }, least: { width: 208, height: 136 },
  },
  {
    id: 'awareness', title: 'Awareness', icon: Brain, component: Awareness, when: always, first: true,
    side: 'left', size: { width: 300, height: 380 }, least: { width: 240, height: 180 },
  },
  {
    id: 'widgets', title: 'Widgets', icon: LayoutGrid, component: WidgetsPanel, when: (state) => shownActs(state, 'widgets').length > 0,
    side: 'left', size: { width: 420, height: 400 }, least: { width: 280, height: 180 },
  },
  {
    id: 'map', title: 'Map', icon: MapIcon, component: MapPanel, when: (state) => shownActs(state, 'map').length > 0,
    side: 'left', size: { width: 420, height: 360 }, least: { width: 280, height: 240 },
  },
  {
    id: 'weather', title: 'Weather', icon: CloudSun, component: WeatherPanel, when: (state) => shownActs(state, 'weather').length > 0,
    side: 'left', size: { width: 340, height: 330 }, least: { width: 260, height: 150 },
  },
  {
    id: 'system', title: 'System', icon: Activity, component: SystemPanel, when: always,
    side: 'left', size: { width: 300, height: 330 }, least: { width: 240, height: 160 },
  },
  {
    id: 'console', title: 'Console', icon: SquareTerminal, component: ConsolePanel, when: always,
    side: 'right', size: { width: 400, height: 220 }, least: { width: 260, height: 140 },
  },
  {
    id: 'orb', title: 'Orb', icon: Moon, component: Orb, when: always,
    side: 'left', size: { width: 208, height: 208 }, least: { width: 132, height: 132 },
  },
]

export function panelNamed(id: string): PanelKind | undefined {
  return PANELS.find((kind) => kind.id === id)
}
