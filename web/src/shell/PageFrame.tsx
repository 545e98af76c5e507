import { type ReactNode, useEffect, useRef } from 'react'
import { SidebarButton } from '@/chat/ChatHead'
import { Button } from '@/design/Button'
import { classNames } from '@/design/classNames'
import { Face } from '@/design/Moon'
import { ScrollRow } from '@/design/ScrollRow'
import { useStore } from '@/store'
import { fragmentOf, type Route } from './route'

interface Tab {
  title: string
  /** The heading of the page, if it differs from the title of the tab. */
  heading?: string
  route: Route
}

/** Groups of related pages, shown as tabs. */
const GROUPS = {
  hands: {
    label: 'Abilities',
    tabs: {
      tools: { title: 'Tools', route: { page: 'tools' } },
      servers: { title: 'Servers', route: { page: 'servers' } },
      skills: { title: 'Skills', route: { page: 'skills' } },
      audit: { title: 'What she did', route: { page: 'audit' } },
    },
  },
  mind: {
    label: 'Mind',
    tabs: {
      facts: { title: 'Memory', heading: 'What she knows', route: { page: 'memory' } },
      timeline: { title: 'Timeline', route: { page: 'memory', tab: 'timeline' } },
      files: { title: 'Files', heading: 'Memory files', route: { page: 'memory', tab: 'files' } },
      entries: { title: 'Entries', route: { page: 'memory', tab: 'entries' } },
      recall: { title: 'Recall', heading: 'What would she remember?', route: { page: 'memory', tab: 'recall' } },
      personality: { title: 'Personality', route: { page: 'personality' } },
    },
  },
} as const satisfies Record<string, { label: string; tabs: Record<string, Tab> }>

type Groups = typeof GROUPS
type Name = { [G in keyof Groups]: keyof Groups[G]['tabs'] }[keyof Groups]

interface Props {
  page: Name
  /** The name of the item on the page, if it is one of many. */
  name?: string
  /** The purpose of the page in a sentence. */
  about?: string
  /** Buttons at the end of the header. */
  actions?: ReactNode
  children: ReactNode
}

/** A page other than a conversation, with the tabs of its group. */
export function PageFrame({ page, name, about, actions, children }: Props) {
  const group = Object.values(GROUPS).find(({ tabs }) => Object.hasOwn(tabs, page)) ?? GROUPS.hands
  const tabs = Object.entries<Tab>(group.tabs)
  const here = tabs.find(([key]) => key === page)?.[1]
  const title = name ?? here?.heading ?? here?.title ?? ''
  useEffect(() => {
    document.title = `${title} · Perigee`
  }, [title])
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-14 shrink-0 items-center gap-1 px-3 pt-[env(safe-area-inset-top)] sm:px-4">
        <SidebarButton />
        <ScrollRow as="nav" label={group.label} className="min-w-0 flex-1 items-center gap-0.5 py-1">
          {tabs.map(([key, tab]) => (
            <TabLink key={key} tab={tab} current={key === page} />
          ))}
        </ScrollRow>
      </header>
      {/* Visually hidden elements are placed in here too: outside, they would make the whole app scroll. */}
      <div className="relative min-h-0 flex-1 overflow-y-auto" data-testid="page">
        <div className="mx-auto w-full max-w-[50rem] px-4 pb-20 sm:px-6">
          {name === undefined && (
            <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pt-4">
              <h1 className="display text-30">{title}</h1>
              {actions && <div className="flex items-center gap-1">{actions}</div>}
            </div>
          )}
          {about && <p className="mt-1 max-w-(--measure) text-15 text-pretty text-muted">{about}</p>}
          {children}
        </div>
      </div>
    </div>
  )
}

function TabLink({ tab, current }: { tab: Tab; current: boolean }) {
  const link = useRef<HTMLAnchorElement>(null)
  // On a phone the row may be wider than the screen.
  useEffect(() => {
    if (current) link.current?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <a
      ref={link}
      href={fragmentOf(tab.route)}
      aria-current={current ? 'page' : undefined}
      className={classNames(
        'flex h-8 shrink-0 items-center rounded-control px-2.5 text-15 transition-colors pointer-coarse:h-11',
        current ? 'font-medium text-text' : 'text-muted hover:bg-hover hover:text-text',
      )}
    >
      {tab.title}
    </a>
  )
}

/** An error with a button to retry. It retries by itself when the connection is back. */
export function RetryNote({ text, onRetry }: { text: string; onRetry: () => void }) {
  const online = useStore((state) => state.connection.open)
  const wasOnline = useRef(online)
  const retry = useRef(onRetry)
  useEffect(() => {
    retry.current = onRetry
  })
  useEffect(() => {
    if (online && !wasOnline.current) retry.current()
    wasOnline.current = online
  }, [online])
  return (
    <div role="alert" className="py-6">
      <p className="max-w-(--measure) text-15 wrap-anywhere text-muted">{text}</p>
      <Button className="mt-3" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

/**
 * A loading message. It appears after 400 ms, so that it does not flash for short waits. With `rows`,
 * placeholders of the content are shown below it.
 */
export function LoadingNote({ text, rows = 0 }: { text: string; rows?: number }) {
  return (
    <div role="status" className="animate-appear py-6 [animation-delay:400ms] [animation-fill-mode:backwards]">
      <p className="text-15 text-muted">{text}</p>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} aria-hidden="true" className="mt-6 flex flex-col gap-2">
          <span className="h-3 rounded-full bg-hover" style={{ width: `${72 - ((row * 17) % 36)}%` }} />
          <span className="h-2.5 w-1/4 rounded-full bg-hover" />
        </span>
      ))}
    </div>
  )
}

interface EmptyProps {
  title: string
  text: string
  /** The next step. */
  children?: ReactNode
}

/** The placeholder for content that does not exist yet. */
export function EmptyState({ title, text, children }: EmptyProps) {
  return (
    <div className="py-10">
      <Face size={44} />
      <p className="display mt-4 text-22">{title}</p>
      <p className="mt-1 max-w-(--measure) text-15 text-pretty text-muted">{text}</p>
      {children && <div className="mt-4 flex flex-wrap gap-2">{children}</div>}
    </div>
  )
}
