import {
  AppWindow,
  BookOpen,
  Bell,
  Box,
  Brain,
  Calculator,
  Clipboard,
  Clock,
  CloudSun,
  FileText,
  Globe,
  LayoutGrid,
  type LucideIcon,
  Map as MapIcon,
  Monitor,
  Music,
  NotebookPen,
  PersonStanding,
  Search,
  SquareTerminal,
  Wrench,
} from 'lucide-react'

const ICONS: [RegExp, LucideIcon][] = [
  [/^web_(?:search|research)$/, Search],
  [/^web_/, Globe],
  [/^weather/, CloudSun],
  [/^(?:time|date|clock)/, Clock],
  [/^calc/, Calculator],
  [/^(?:memory_|vector_)/, Brain],
  [/^state_/, NotebookPen],
  [/^(?:open|launch|browse)/, AppWindow],
  [/^clipboard/, Clipboard],
  [/^notify/, Bell],
  [/^(?:file|workspace|read_file|write_file)/, FileText],
  [/^system/, Monitor],
  [/^widget/, LayoutGrid],
  [/^map/, MapIcon],
  [/^scene/, Box],
  [/^spotify/, Music],
  [/^(?:skill|find_tool)/, BookOpen],
  [/^(?:run_command|bash|shell)/, SquareTerminal],
  [/^(?:play_animation|set_background)/, PersonStanding],
]

export function toolIcon(name: string): LucideIcon {
  return ICONS.find(([sign]) => sign.test(name))?.[1] ?? Wrench
}
