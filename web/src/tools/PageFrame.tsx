import { type ReactNode, useEffect, useRef } from 'react'
import { SidebarButton } from '@/chat/ChatHead'
import { Button } from '@/design/Button'
import { join } from '@/design/join'
import { fragmentOf, type Route } from '@/shell/route'
import { useStore } from '@/store'

const PAGES = [
  { page: 'tools', title: 'Tools' },
  { page: 'skills', title: 'Skills' },
  { page: 'audit', title: 'What she did' },
] as const satisfies { page: Route['page']; title: string }[]

interface Props {
  page: (typeof PAGES)[number]['page']
  /** What is on the page, where that is one thing of many. */
  name?: string
  /** One sentence: what this page is for. */
  about?: string
  children: ReactNode
}

/** Her hands: three pages beside each other. */
export function PageFrame({ page, name, about, children }: Props) {
  const title = name ?? PAGES.find((known) => known.page === page)?.title ?? ''
  useEffect(() => {
    document.title = `${title} · Perigee`
  }, [title])
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-14 shrink-0 items-center gap-1 px-3 pt-[env(safe-area-inset-top)] sm:px-4">
        <SidebarButton />
        <nav aria-label="Her hands" className="flex min-w-0 items-center gap-0.5 overflow-x-auto">
          {PAGES.map((known) => (
            <a
              key={known.page}
              href={fragmentOf({ page: known.page })}
              aria-current={known.page === page ? 'page' : undefined}
              className={join(
                'flex h-8 shrink-0 items-center rounded-control px-2.5 text-15 transition-colors pointer-coarse:h-11',
                known.page === page ? 'font-medium text-text' : 'text-muted hover:bg-hover hover:text-text',
              )}
            >
              {known.title}
            </a>
          ))}
        </nav>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto" data-testid="page">
        <div className="mx-auto w-full max-w-[50rem] px-4 pb-20 sm:px-6">
          {name === undefined && <h1 className="display pt-4 text-30">{title}</h1>}
          {about && <p className="mt-1 max-w-(--measure) text-15 text-pretty text-muted">{about}</p>}
          {children}
        </div>
      </div>
    </div>
  )
}

/** What went wrong, and the way to ask again. A line that comes back asks by itself. */
export function AskAgain({ words, onRetry }: { words: string; onRetry: () => void }) {
  const online = useStore((state) => state.line.open)
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
      <p className="max-w-(--measure) text-15 wrap-anywhere text-muted">{words}</p>
      <Button className="mt-3" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

/** Words come within a second, and not before: a flash of them would be noise. */
export function Fetching({ words }: { words: string }) {
  return (
    <p role="status" className="animate-appear py-6 text-15 text-muted [animation-delay:400ms] [animation-fill-mode:backwards]">
      {words}
    </p>
  )
}
