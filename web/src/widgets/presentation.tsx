import {
  Bell, BookOpenText, Box, ChartArea, ChartColumn, ChartLine, ChartPie, ChartScatter, CloudSun, Columns2, Earth, ExternalLink, FileText, Globe, History,
  Image,
  ListChecks, ListOrdered, Mail, Music, PanelsTopLeft, Search, Sigma, SquareMousePointer, Table2, TextQuote, WalletCards,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { capital } from '@/design/format'
import type { Widget } from './read'
import type { ChartKind } from './read/chart'

interface Presentation {
  icon: ReactNode
  /** The title used if none was given. */
  name: string
  bleed?: boolean
  /** True for a single line instead of a card with a head: too little for a full-screen mode. */
  slim?: boolean
}

const CHARTS: Record<ChartKind, ReactNode> = {
  line: <ChartLine size={16} />,
  bar: <ChartColumn size={16} />,
  area: <ChartArea size={16} />,
  scatter: <ChartScatter size={16} />,
  pie: <ChartPie size={16} />,
}

/** Returns the icon, default title and frame of a widget by its kind. */
export function presentationOf(widget: Widget): { icon: ReactNode; name: string; bleed: boolean; slim: boolean } {
  return { bleed: false, slim: false, ...look(widget) }
}

function look(widget: Widget): Presentation {
  switch (widget.kind) {
    case 'steps':
      return { icon: <ListOrdered size={16} />, name: 'Steps' }
    case 'summary':
      return { icon: <TextQuote size={16} />, name: 'Summary' }
    case 'compare':
    case 'compareTable':
      return { icon: <Columns2 size={16} />, name: 'Comparison' }
    case 'timeline':
      return { icon: <History size={16} />, name: 'Timeline' }
    case 'formula':
      return { icon: <Sigma size={16} />, name: 'Formula' }
    case 'tabs':
      return { icon: <PanelsTopLeft size={16} />, name: 'Tabs' }
    case 'flashcards':
      return { icon: <WalletCards size={16} />, name: 'Flashcards' }
    case 'checklist':
      return { icon: <ListChecks size={16} />, name: 'Checklist' }
    case 'table':
      return { icon: <Table2 size={16} />, name: 'Table', bleed: true }
    case 'chart':
      return { icon: CHARTS[widget.chart], name: 'Chart' }
    case 'emails':
      return { icon: <Mail size={16} />, name: 'Emails', bleed: true }
    case 'interactive':
      return { icon: <SquareMousePointer size={16} />, name: 'Interactive', bleed: true }
    case 'map':
      return { icon: <Earth size={16} />, name: 'Map', bleed: true }
    case 'scene':
      return { icon: <Box size={16} />, name: capital(widget.prompt) || 'Scene', bleed: true }
    case 'search':
      return { icon: <Search size={16} />, name: widget.query || 'Web search' }
    case 'page':
      return { icon: <FileText size={16} />, name: 'Page that was read', slim: true }
    case 'research':
      return { icon: <BookOpenText size={16} />, name: widget.question || 'Research' }
    case 'weather':
      return { icon: <CloudSun size={16} />, name: widget.place || 'Weather' }
    case 'player':
      return { icon: <Music size={16} />, name: 'Music' }
    case 'playerTrouble':
      return { icon: <Music size={16} />, name: 'Music', slim: true }
    case 'notice':
      return { icon: <Bell size={16} />, name: 'Notification', slim: true }
    case 'opened':
      return { icon: widget.what === 'app' ? <ExternalLink size={16} /> : <Globe size={16} />, name: widget.what === 'app' ? 'Program' : 'Link', slim: true }
    case 'pictures':
      return { icon: <Image size={16} />, name: 'Picture' }
  }
}
