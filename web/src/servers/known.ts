import { AppWindow, BookOpenText, BrainCircuit, Clock, FolderOpen, GitBranch, Globe, type LucideIcon, NotebookText, SquareKanban } from 'lucide-react'
import type { ServerEntry } from './paste'

interface Need {
  label: string
  /** A program that may be missing, and its download page. */
  install?: { program: string; page: string }
}

const needs = (program: string, page: string): Need => ({ label: `Needs ${program}`, install: { program, page } })

export const NEEDS = {
  node: needs('Node', 'https://nodejs.org/en/download'),
  uv: needs('uv', 'https://docs.astral.sh/uv/getting-started/installation/'),
  online: { label: 'Online' } as Need,
  account: { label: 'Online, you sign in' } as Need,
}

/** A popular server that is offered without the user having to know its command. */
export interface KnownServer {
  name: string
  title: string
  about: string
  icon: LucideIcon
  /** The runtime or account that it requires. */
  needs: keyof typeof NEEDS
  /** The question for the folder in which it works, if it needs one. */
  folder?: string
  entry: (folder: string) => Record<string, unknown>
}

const npx = (...args: string[]) => ({ command: 'npx', args: ['-y', ...args] })
const uvx = (...args: string[]) => ({ command: 'uvx', args })

export const KNOWN: KnownServer[] = [
  {
    name: 'files', title: 'Files', about: 'Reads and writes files in a folder you choose.', icon: FolderOpen, needs: 'node',
    folder: 'Which folder may it use?', entry: (folder) => npx('@modelcontextprotocol/server-filesystem', folder),
  },
  {
    name: 'git', title: 'Git', about: 'Looks at the history of a repository, and commits.', icon: GitBranch, needs: 'uv',
    folder: 'Which repository?', entry: (folder) => uvx('mcp-server-git', '--repository', folder),
  },
  { name: 'time', title: 'Time', about: 'Knows the time everywhere, and converts between zones.', icon: Clock, needs: 'uv', entry: () => uvx('mcp-server-time') },
  { name: 'fetch', title: 'Fetch', about: 'Reads web pages as plain text.', icon: Globe, needs: 'uv', entry: () => uvx('mcp-server-fetch') },
  { name: 'browser', title: 'Browser', about: 'Opens web pages in a real browser, clicks and types.', icon: AppWindow, needs: 'node', entry: () => npx('@playwright/mcp@latest') },
  { name: 'thinking', title: 'Step-by-step thinking', about: 'Helps with problems that take many steps.', icon: BrainCircuit, needs: 'node', entry: () => npx('@modelcontextprotocol/server-sequential-thinking') },
  { name: 'docs', title: 'Programming docs', about: 'Up-to-date documentation of libraries, by Context7.', icon: BookOpenText, needs: 'online', entry: () => ({ url: 'https://mcp.context7.com/mcp' }) },
  { name: 'notion', title: 'Notion', about: 'Your pages and databases.', icon: NotebookText, needs: 'account', entry: () => ({ url: 'https://mcp.notion.com/mcp' }) },
  { name: 'linear', title: 'Linear', about: 'Your issues and projects.', icon: SquareKanban, needs: 'account', entry: () => ({ url: 'https://mcp.linear.app/mcp' }) },
]

/** Returns a name that no other server has: `files`, or else `files-2`. */
export function freeName(name: string, taken: string[]): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`
    if (!taken.includes(free)) return free
  }
}

/** Returns the entry for the chosen server, or the reason why it is incomplete. */
export function chosen(name: string | null, folder: string, taken: string[]): { entries: ServerEntry[] } | { trouble: string } {
  const known = KNOWN.find((one) => one.name === name)
  if (!known) return { trouble: 'Choose a server from the list first.' }
  if (known.folder && folder === '') return { trouble: 'Choose a folder for it first.' }
  return { entries: [{ name: freeName(known.name, taken), server: known.entry(folder) }] }
}
