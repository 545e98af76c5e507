import * as Radix from '@radix-ui/react-dialog'
import { type ComponentType, type MouseEvent, Suspense, useEffect } from 'react'
import { useShortcuts } from '@/actions/useShortcuts'
import { ConversationPage } from '@/chat/ConversationPage'
import { Sidebar } from '@/chats/Sidebar'
import { Boundary } from '@/design/Boundary'
import { Broken, BrokenDialog, BrokenNote } from '@/design/Broken'
import { useMedia } from '@/design/media'
import { lazyPart } from '@/design/lazyPart'
import { PendingUploads } from '@/assets/PendingUploads'
import { DropLayer } from '@/assets/DropLayer'
import { useStore } from '@/store'
import { WaitingElsewhere } from '@/tools/WaitingElsewhere'
import { WhyFrame } from '@/why/WhyFrame'
import { Notices } from './Notices'
import { OfflineBanner } from './OfflineBanner'
import { canFillScreen, parseRoute, type Route } from './route'
import { NARROW } from './slice'

const prefetches: (() => Promise<unknown>)[] = []

/**
 * Declares a part that is not needed for the first paint. It is prefetched soon after, so that the first ⌘K
 * loses no letter and parts opened while the server is down are available.
 */
function prefetchedPart<P extends object>(fetch: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  prefetches.push(fetch)
  return lazyPart(fetch)
}

const SettingsPage = prefetchedPart(() => import('@/settings/SettingsPage'))
const ToolsPage = prefetchedPart(() => import('@/tools/ToolsPage'))
const ServersPage = prefetchedPart(() => import('@/servers/ServersPage'))
const AuditPage = prefetchedPart(() => import('@/tools/AuditPage'))
const SkillsPage = prefetchedPart(() => import('@/skills/SkillsPage'))
const MemoryPage = prefetchedPart(() => import('@/memory/MemoryPage'))
const PersonalityPage = prefetchedPart(() => import('@/personality/PersonalityPage'))
const Immersive = prefetchedPart(() => import('@/views/Immersive'))
const CodePage = prefetchedPart(() => import('@/code/CodePage'))
const WhyPanel = prefetchedPart(() => import('@/why/WhyPanel'))
const Palette = prefetchedPart(() => import('@/palette/Palette'))
const HelpSheet = prefetchedPart(() => import('@/palette/HelpSheet'))
const ModelsDialog = prefetchedPart(() => import('@/models/ModelsDialog'))
const OrganiseDialog = prefetchedPart(() => import('@/chats/OrganiseDialog'))
const ForgetDialog = prefetchedPart(() => import('@/memory/ForgetDialog'))
const FactDialog = prefetchedPart(() => import('@/memory/FactDialog'))
const MergeDialog = prefetchedPart(() => import('@/memory/MergeDialog'))
const ImportDialog = prefetchedPart(() => import('@/memory/ImportDialog'))
const AddServerDialog = prefetchedPart(() => import('@/servers/AddServerDialog'))
const FileDialog = prefetchedPart(() => import('@/chat/FileDialog'))
const FolderDialog = prefetchedPart(() => import('@/code/FolderDialog'))

/** The main content of each page, named in the skip link. */
const CONTENT: Record<Route['page'], string> = {
  new: 'the conversation',
  chat: 'the conversation',
  settings: 'the settings',
  tools: 'her tools',
  servers: 'the servers',
  audit: 'what she did',
  skills: 'her skills',
  memory: 'her memory',
  personality: 'her personality',
  code: 'the workspace',
}

/** Follows a link to a conversation without changing the view. */
function keepView(event: MouseEvent): void {
  const href = event.target instanceof Element ? event.target.closest('a[href^="#/"]')?.getAttribute('href') : null
  if (!href || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
  const route = parseRoute(href)
  if (!canFillScreen(route)) return
  event.preventDefault()
  useStore.getState().go(route)
}

/** The whole page for a signed-in user. */
export function Shell() {
  useShortcuts()
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled(prefetches.map((fetch) => fetch())), 600)
    return () => clearTimeout(timer)
  }, [])
  const full = useStore((state) => state.view !== 'dev')
  const route = useStore((state) => state.route)
  return (
    <div className="flex h-full flex-col" {...(full ? { onClick: keepView } : {})}>
      <a
        href="#content"
        className="fixed start-3 top-3 z-50 -translate-y-16 rounded-control bg-raised px-3 py-2 text-13 focus:translate-y-0 focus:shadow-float"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('content')?.focus()
        }}
      >
        Skip to {CONTENT[route.page]}
      </a>
      <OfflineBanner />
      <WaitingElsewhere />
      {full ? (
        <Boundary resetOn={route} fallback={<BrokenView />}>
          <Suspense fallback={<main id="content" tabIndex={-1} aria-busy="true" className="moonlit flex-1" />}>
            <Immersive />
            <div className="fixed inset-y-0 end-0 z-20 flex">
              <WhyAside />
            </div>
          </Suspense>
        </Boundary>
      ) : (
        <DevView route={route} />
      )}
      <Overlays />
      <DropLayer />
      <PendingUploads />
      <Notices />
    </div>
  )
}

/** The fallback for a full-screen view that fails to load. */
function BrokenView() {
  return (
    <main id="content" tabIndex={-1} className="moonlit flex-1">
      <Broken />
    </main>
  )
}

/** The sidebar with the open page beside it. */
function DevView({ route }: { route: Route }) {
  const narrow = useMedia(NARROW)
  const sidebarShown = useStore((state) => state.sidebarShown)
  const drawerOpen = useStore((state) => state.drawerOpen)
  const setDrawer = useStore((state) => state.setDrawer)
  return (
    <div className="flex min-h-0 flex-1">
      {!narrow && sidebarShown && (
        <div className="w-[17rem] shrink-0 border-e border-hairline bg-[color-mix(in_oklab,var(--surface)_55%,var(--ground))]">
          <Sidebar beside />
        </div>
      )}
      {narrow && (
        <Radix.Root open={drawerOpen} onOpenChange={setDrawer}>
          <Radix.Portal>
            <Radix.Overlay className="fixed inset-0 z-30 animate-appear bg-veil" />
            <Radix.Content
              aria-describedby={undefined}
              tabIndex={-1}
              onOpenAutoFocus={(event) => {
                // If the search field was requested, it keeps the focus; otherwise the drawer itself takes it
                // rather than a button.
                event.preventDefault()
                const drawer = event.currentTarget as HTMLElement
                if (!drawer.contains(document.activeElement)) drawer.focus()
              }}
              className="fixed inset-y-0 start-0 z-30 w-[min(19rem,86vw)] animate-slide-start bg-surface pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)] shadow-float outline-none"
            >
              <Radix.Title className="sr-only">Conversations</Radix.Title>
              <Sidebar />
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      )}
      <main id="content" tabIndex={-1} className="moonlit relative min-w-0 flex-1 outline-none">
        <Boundary resetOn={route} fallback={<Broken />}>
          <Suspense>
            <Page page={route.page} />
          </Suspense>
        </Boundary>
      </main>
      <WhyAside />
    </div>
  )
}

function Page({ page }: { page: Route['page'] }) {
  switch (page) {
    case 'settings':
      return <SettingsPage />
    case 'tools':
      return <ToolsPage />
    case 'servers':
      return <ServersPage />
    case 'audit':
      return <AuditPage />
    case 'skills':
      return <SkillsPage />
    case 'memory':
      return <MemoryPage />
    case 'personality':
      return <PersonalityPage />
    case 'code':
      return <CodePage />
    default:
      return <ConversationPage />
  }
}

function WhyAside() {
  const turn = useStore((state) => (state.route.page === 'chat' ? (state.why?.turn ?? null) : null))
  const closeWhy = useStore((state) => state.closeWhy)
  if (turn === null) return null
  const broken = (
    <WhyFrame>
      <BrokenNote onClose={closeWhy} />
    </WhyFrame>
  )
  return (
    <Boundary resetOn={turn} fallback={broken}>
      <Suspense>
        <WhyPanel />
      </Suspense>
    </Boundary>
  )
}

function Overlays() {
  const overlay = useStore((state) => state.overlay)
  const show = useStore((state) => state.show)
  if (!overlay) return null
  return (
    <Boundary resetOn={overlay} fallback={<BrokenDialog onClose={() => show(null)} />}>
      <Suspense>
        {overlay.kind === 'palette' && <Palette initial={overlay.query} />}
        {overlay.kind === 'help' && <HelpSheet />}
        {overlay.kind === 'models' && <ModelsDialog />}
        {overlay.kind === 'organise' && <OrganiseDialog key={overlay.chat} id={overlay.chat} />}
        {overlay.kind === 'forget' && <ForgetDialog />}
        {overlay.kind === 'addFact' && <FactDialog />}
        {overlay.kind === 'mergeFacts' && <MergeDialog />}
        {overlay.kind === 'importMemory' && <ImportDialog />}
        {overlay.kind === 'addServer' && <AddServerDialog />}
        {overlay.kind === 'openFolder' && <FolderDialog />}
        {(overlay.kind === 'picture' || overlay.kind === 'textFile') && (
          <FileDialog kind={overlay.kind} address={overlay.address} name={overlay.name} />
        )}
      </Suspense>
    </Boundary>
  )
}
