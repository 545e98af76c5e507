import { BookOpen, Bot, FileCode, MessageSquare, SlidersHorizontal, type LucideIcon } from 'lucide-react'
import { type Action, available } from '@/actions/registry'
import type { SearchHit } from '@/api/protocol.gen'
import { aroundMark } from '@/chats/snippet'
import { workspaceActions } from '@/code/actions'
import { fuzzy } from '@/code/fuzzy'
import { useCodeStore } from '@/code/useCodeStore'
import { folderOf, nameOf } from '@/code/tree'
import { own } from '@/design/own'
import { FIELDS, fieldTitle } from '@/settings/fields'
import { ELSEWHERE, PAGE_NAMES, sectionTitle } from '@/settings/find'
import { offeredFields } from '@/settings/sections'
import { parseRoute } from '@/shell/route'
import type { AppState } from '@/store/state'
import { toolIcon } from '@/tools/icons'
import { toolName } from '@/tools/names'
import { PERMISSIONS } from '@/tools/wording'
import { rank } from './rank'

export interface Entry {
  id: string
  group: 'Actions' | 'Files' | 'Conversations' | 'Models' | 'Tools' | 'Skills' | 'Settings' | 'Found in conversations'
  title: string
  note: string
  /** Additional search terms. */
  words?: string
  icon: LucideIcon
  keys?: string
  run: (state: AppState) => void
}

const MOST = { Actions: 30, Files: 12, Conversations: 12, Models: 8, Tools: 8, Skills: 8, Settings: 10, 'Found in conversations': 12 }
/** The limits for an empty query, which shows only the most likely entries. */
const MOST_AT_FIRST = { ...MOST, Files: 0, Conversations: 5, Models: 0, Tools: 0, Skills: 0, Settings: 0 }

/** Returns everything that the palette can reach, best first within each group. */
export function entries(state: AppState, query: string, hits: SearchHit[]): Entry[] {
  const asked = query.trim()
  const actions = [...workspace(state), ...available(state).filter((action) => action.id !== 'palette').map(fromAction)]
  const groups = [actions, files(state, asked), conversations(state), models(state), tools(state), skills(state), settings(state)].map((group) => best(group, asked))
  // The group with the best match comes first; groups with equal scores keep their order.
  const ranked = groups.sort((a, b) => Math.floor(b.score) - Math.floor(a.score)).flatMap((group) => group.list)
  const shown = new Set(ranked.filter((entry) => entry.group === 'Conversations').map((entry) => entry.id))
  return [...ranked, ...found(hits).filter((entry) => !shown.has(entry.id)).slice(0, MOST['Found in conversations'])]
}

function best(list: Entry[], query: string): { score: number; list: Entry[] } {
  const group = list[0]?.group
  if (!group) return { score: 0, list: [] }
  if (query === '') return { score: 0, list: list.slice(0, MOST_AT_FIRST[group]) }
  const scored = list
    .map((entry) => ({ entry, score: rank(entry.title, query) ?? beside(entry, query) }))
    .filter((match): match is { entry: Entry; score: number } => match.score !== null)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST[group])
  return { score: scored[0]?.score ?? 0, list: scored.map(({ entry }) => entry) }
}

/**
 * Scores a match in the note or the search terms: lower than one in the title, and only for exact substrings.
 */
function beside(entry: Entry, query: string): number | null {
  const known = `${entry.title} ${entry.note} ${entry.words ?? ''}`.toLowerCase()
  return query.toLowerCase().split(/\s+/).every((word) => known.includes(word)) ? 0.8 : null
}

function fromAction(action: Action): Entry {
  return {
    id: action.id,
    group: 'Actions',
    title: action.title,
    note: [action.slash && `/${action.slash.name}`, action.words].filter(Boolean).join(' '),
    icon: action.icon,
    ...(action.keys ? { keys: action.keys } : {}),
    run: (state) => action.run(state, ''),
  }
}

/** Returns the actions of the workspace, while its page is open. */
function workspace(state: AppState): Entry[] {
  if (state.route.page !== 'code') return []
  return workspaceActions().map((action) => ({
    id: `code ${action.id}`,
    group: 'Actions',
    title: action.title,
    note: action.words,
    icon: action.icon,
    ...(action.keys ? { keys: action.keys } : {}),
    run: () => action.run(useCodeStore.getState()),
  }))
}

/** Returns the files of the open folder whose names match; there may be thousands. */
function files(state: AppState, query: string): Entry[] {
  if (state.route.page !== 'code' || query.length < 2) return []
  return (useCodeStore.getState().files ?? [])
    .filter(({ path }) => fuzzy(nameOf(path), query) !== null)
    .map(({ path }) => ({
      id: `file ${path}`,
      group: 'Files',
      title: nameOf(path),
      note: folderOf(path),
      icon: FileCode,
      run: (current: AppState) => current.go({ page: 'code', view: 'file', item: path }),
    }))
}

function conversations(state: AppState): Entry[] {
  return state.chats.map((chat) => ({
    id: chat.id,
    group: 'Conversations',
    title: chat.title || 'New chat',
    note: chat.folder ?? '',
    icon: MessageSquare,
    run: (current) => current.go({ page: 'chat', id: chat.id }),
  }))
}

function models(state: AppState): Entry[] {
  return (state.models?.installed ?? []).map((model) => ({
    id: `model ${model.name}`,
    group: 'Models',
    title: `Use ${model.name}`,
    note: model.current ? 'in use' : 'model',
    icon: Bot,
    run: (current) => void current.chooseModel(model.name),
  }))
}

function tools(state: AppState): Entry[] {
  return (state.tools ?? []).map((tool) => ({
    id: `tool ${tool.name}`,
    group: 'Tools',
    title: toolName(tool.name),
    words: tool.name,
    note: tool.on ? (PERMISSIONS.find(({ permission }) => permission === tool.permission)?.title ?? '') : 'off',
    icon: toolIcon(tool.name),
    run: (current) => current.go({ page: 'tools', tool: tool.name }),
  }))
}

function skills(state: AppState): Entry[] {
  return (state.skills ?? []).map((skill) => ({
    id: `skill ${skill.name}`,
    group: 'Skills',
    title: skill.name,
    note: skill.description,
    icon: BookOpen,
    run: (current) => current.go({ page: 'skills', name: skill.name }),
  }))
}

function settings(state: AppState): Entry[] {
  const fields = state.config ? offeredFields(state.config) : []
  const fromFile = fields.map(
    (field): Entry => ({
      id: `setting ${field.key}`,
      group: 'Settings',
      title: fieldTitle(field.key),
      note: sectionTitle(field.key),
      words: `${field.key} ${own(FIELDS, field.key)?.words ?? ''}`,
      icon: SlidersHorizontal,
      run: (current) => current.go({ page: 'settings', section: field.key }),
    }),
  )
  const others = ELSEWHERE.filter(({ href }) => PAGE_NAMES.has(href)).map(
    (item): Entry => ({
      id: `setting ${item.title}`,
      group: 'Settings',
      title: item.title,
      note: PAGE_NAMES.get(item.href) ?? '',
      words: item.words,
      icon: SlidersHorizontal,
      run: (current) => current.go(parseRoute(item.href)),
    }),
  )
  return [...fromFile, ...others]
}

function found(hits: SearchHit[]): Entry[] {
  return hits.map((hit) => ({
    id: hit.message ? `hit ${hit.message}` : hit.chat,
    group: 'Found in conversations',
    title: hit.title || 'New chat',
    note: aroundMark(hit).snippet,
    icon: MessageSquare,
    run: (state) => state.go(hit.message ? { page: 'chat', id: hit.chat, message: hit.message } : { page: 'chat', id: hit.chat }),
  }))
}
