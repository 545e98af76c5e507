import {
  AppWindow,
  Bell,
  BookOpen,
  Box,
  Brain,
  Calculator,
  Clipboard,
  Clock,
  CloudSun,
  FileText,
  FolderOpen,
  Globe,
  LayoutGrid,
  type LucideIcon,
  Map as MapIcon,
  Monitor,
  Music,
  NotebookPen,
  Search,
  Wrench,
} from 'lucide-react'

const ICONS: [RegExp, LucideIcon][] = [
  [/^time$/, Clock],
  [/^calculate$/, Calculator],
  [/^system_info$/, Monitor],
  [/^memory_/, Brain],
  [/^state_/, NotebookPen],
  [/^(?:read|write)_file$/, FileText],
  [/^list_files$/, FolderOpen],
  [/^clipboard_/, Clipboard],
  [/^notify$/, Bell],
  [/^open$/, AppWindow],
  [/^web_(?:search|research)$/, Search],
  [/^web_fetch$/, Globe],
  [/^weather$/, CloudSun],
  [/^spotify$/, Music],
  [/^widget$/, LayoutGrid],
  [/^map$/, MapIcon],
  [/^scene$/, Box],
  [/^skill(?:_file)?$/, BookOpen],
  [/^find_tool$/, Search],
]

export function toolIcon(name: string): LucideIcon {
  return ICONS.find(([sign]) => sign.test(name))?.[1] ?? Wrench
}
