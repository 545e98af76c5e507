import { ArrowRight, ChevronRight, Search, SearchX, TriangleAlert, X } from 'lucide-react'
import { Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { ConfigField, ConfigProblem, ConfigReport } from '@/api/protocol.gen'
import { SidebarButton } from '@/chat/ChatHead'
import { Button } from '@/design/Button'
import { classNames } from '@/design/classNames'
import { lazyPart } from '@/design/lazyPart'
import { modelTitle } from '@/models/wording'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { About } from './About'
import { Access } from './Access'
import { Appearance } from './Appearance'
import { FieldRow } from './FieldRow'
import { type Elsewhere, find, PAGE_NAMES, sectionTitle } from './find'
import { Music } from './Music'
import { fieldsOf, offeredFields, type SettingsSection, SECTIONS, sectionNamed } from './sections'

const BodySection = lazyPart(() => import('@/assets/BodySection'))

export default function SettingsPage() {
  const config = useStore((state) => state.config)
  const trouble = useStore((state) => state.configTrouble)
  const wanted = useStore((state) => (state.route.page === 'settings' ? (state.route.section ?? null) : null))
  const refreshConfig = useStore((state) => state.refreshConfig)
  const [query, setQuery] = useState('')
  const asked = useDeferredValue(query.trim())

  useEffect(() => {
    document.title = 'Settings · Perigee'
    void refreshConfig()
  }, [refreshConfig])

  const section = sectionNamed(wanted, config)
  const field = config && offeredFields(config).some(({ key }) => key === wanted) ? wanted : null
  useEffect(() => {
    if (field) document.getElementById(`field ${field}`)?.scrollIntoView({ block: 'center' })
  }, [field, config])

  return (
    <div className="flex h-full flex-col">
      <header className="flex h-14 shrink-0 items-center gap-1 px-3 pt-[env(safe-area-inset-top)] sm:px-4">
        <SidebarButton />
        <h1 className="px-2 text-15 font-medium">Settings</h1>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className={classNames('mx-auto flex w-full flex-col gap-x-10 px-4 pb-16 sm:px-6 md:flex-row', section?.name === 'body' && asked === '' ? 'max-w-[78rem]' : 'max-w-[62rem]')}>
          <div className="shrink-0 md:sticky md:top-0 md:max-h-[calc(100dvh-3.5rem)] md:w-48 md:self-start md:overflow-y-auto md:pt-2">
            <SearchField query={query} onChange={setQuery} />
            <SectionList current={asked === '' ? (section?.name ?? null) : null} onGo={() => setQuery('')} />
          </div>
          <div className="min-w-0 flex-1">
            {config && <Problems problems={config.problems} path={config.path} />}
            {trouble && (
              <div role="alert" className="py-4">
                <p className="text-15 text-muted">{trouble}</p>
                <Button className="mt-3" onClick={() => void refreshConfig()}>
                  Try again
                </Button>
              </div>
            )}
            {asked !== '' && config ? (
              <Found config={config} query={asked} onGo={() => setQuery('')} />
            ) : section ? (
              <SectionView key={section.name} section={section} config={config} wanted={field} />
            ) : (
              <p className="py-6 text-15 text-muted">{config ? 'There is no such page. Choose one from the list, or search.' : 'Reading the settings…'}</p>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}

function SearchField({ query, onChange }: { query: string; onChange: (query: string) => void }) {
  return (
    <div className="focus-within-ring flex h-9 items-center gap-2.5 rounded-control bg-[color-mix(in_oklab,var(--text)_5%,transparent)] ps-2.5 pe-1.5 text-muted pointer-coarse:h-11">
      <Search size={15} />
      <input
        aria-label="Search settings"
        placeholder="Search settings"
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || query === '') return
          event.preventDefault()
          onChange('')
        }}
        className="min-w-0 flex-1 bg-transparent text-13 text-text outline-none pointer-coarse:text-[1rem]"
      />
      {query !== '' && (
        <button type="button" aria-label="Clear the search" onClick={() => onChange('')} className="grid size-6 place-items-center rounded-control hover:bg-hover hover:text-text pointer-coarse:size-9">
          <X size={14} />
        </button>
      )}
    </div>
  )
}

function SectionList({ current, onGo }: { current: string | null; onGo: () => void }) {
  return (
    <nav aria-label="Sections of the settings" className="-mx-4 flex gap-1 overflow-x-auto px-4 py-3 sm:-mx-6 sm:px-6 md:mx-0 md:flex-col md:gap-0.5 md:px-0">
      {SECTIONS.map((section) => (
        <SectionLink key={section.name} section={section} current={current === section.name} onGo={onGo} />
      ))}
    </nav>
  )
}

function SectionLink({ section: { name, title, icon: Icon }, current, onGo }: { section: SettingsSection; current: boolean; onGo: () => void }) {
  const link = useRef<HTMLAnchorElement>(null)
  // On a phone the sections form a row that is wider than the screen.
  useEffect(() => {
    if (current) link.current?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <a
      ref={link}
      href={fragmentOf({ page: 'settings', section: name })}
      aria-current={current ? 'page' : undefined}
      onClick={onGo}
      className={classNames(
        'flex h-8 shrink-0 items-center gap-2.5 rounded-control px-2.5 text-13 transition-colors pointer-coarse:h-10',
        current ? 'bg-pressed text-text' : 'text-muted hover:bg-hover hover:text-text',
      )}
    >
      <Icon size={16} className={classNames('shrink-0 max-md:hidden', current && 'text-accent-text')} />
      {title}
    </a>
  )
}

function SectionView({ section, config, wanted }: { section: SettingsSection; config: ConfigReport | null; wanted: string | null }) {
  const { title, about } = section
  return (
    <section aria-label={title}>
      <h2 className="display pt-2 text-22">{title}</h2>
      {about && <p className="mt-1 text-15 text-muted">{about}</p>}
      <div className="mt-2">
        <Own name={section.name} />
        {config ? <Fields section={section} config={config} wanted={wanted} /> : section.keys.length > 0 && <p className="py-6 text-15 text-muted">Reading the settings…</p>}
      </div>
    </section>
  )
}

/** The content of a settings page that is not in the config file. */
function Own({ name }: { name: string }) {
  switch (name) {
    case 'appearance':
      return <Appearance />
    case 'body':
      return <Suspense><BodySection /></Suspense>
    case 'llm':
      return <WhichModel />
    case 'companion':
      return <Way href={fragmentOf({ page: 'personality' })} title="Personality" about="How she talks, and what moves it." />
    case 'memory':
      return <Way href={fragmentOf({ page: 'memory' })} title="What she remembers" about="See, correct, export and forget it." />
    case 'tools':
      return <Way href={fragmentOf({ page: 'tools' })} title="Tools and permissions" about="Each tool, and whether she asks before she uses it." />
    case 'spotify':
      return <Music />
    case 'access':
      return <Access />
    case 'about':
      return <About />
    default:
      return null
  }
}

/** A link to a page for which this one is easily mistaken. */
function Way({ href, title, about }: { href: string; title: string; about: string }) {
  return (
    <a href={href} className="my-3 flex items-center gap-4 rounded-card bg-raised px-4 py-3 shadow-lit transition-colors hover:bg-[color-mix(in_oklab,var(--text)_4%,var(--raised))]">
      <span className="min-w-0 flex-1">
        <span className="block text-15">{title}</span>
        <span className="block text-13 text-muted">{about}</span>
      </span>
      <ArrowRight size={16} className="shrink-0 text-faint" />
    </a>
  )
}

function WhichModel() {
  const models = useStore((state) => state.models)
  const show = useStore((state) => state.show)
  const current = models?.current
  const working = current?.state === 'ready' || current?.state === 'loading'
  return (
    <div className="my-3 flex flex-wrap items-center gap-x-6 gap-y-3 rounded-card bg-raised px-4 py-3 shadow-lit">
      <div className="min-w-48 flex-1">
        <p className="text-15">{models && working ? modelTitle(models, current.name) : 'No model answers yet'}</p>
        <p className="text-13 text-muted">{models?.trial ? 'A tiny model for trying.' : working ? 'It answers you.' : 'Download one, or use a server of yours.'}</p>
      </div>
      <Button variant={working ? 'raised' : 'primary'} onClick={() => show({ kind: 'models' })}>
        {working ? 'Change' : 'Choose a model'}
      </Button>
    </div>
  )
}

function Fields({ section, config, wanted }: { section: SettingsSection; config: ConfigReport; wanted: string | null }) {
  const { usual, advanced } = useMemo(() => fieldsOf(section, config), [section, config])
  const [open, setOpen] = useState(() => advanced.some(({ key }) => key === wanted))
  const rows = (fields: ConfigField[]) => (
    <div className="divide-y divide-hairline">
      {fields.map((field) => (
        <FieldRow key={field.key} field={field} path={config.path} />
      ))}
    </div>
  )
  return (
    <>
      {rows(usual)}
      {advanced.length > 0 && (
        <div className={classNames('pt-3', usual.length > 0 && 'border-t border-hairline')}>
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="-ms-1 flex items-center gap-1.5 rounded-control px-1 py-1 text-13 text-muted transition-colors hover:text-text pointer-coarse:py-2.5"
          >
            <ChevronRight size={15} className={classNames('transition-transform duration-200', open && 'rotate-90')} />
            More settings ({advanced.length})
          </button>
          {open && rows(advanced)}
        </div>
      )}
    </>
  )
}

function Found({ config, query, onGo }: { config: ConfigReport; query: string; onGo: () => void }) {
  const { hits, note } = useMemo(() => find(config, query), [config, query])
  return (
    <div aria-label="Settings found" role="region">
      {note && <p className="mt-2 rounded-card bg-raised px-4 py-3 text-15 text-muted shadow-lit">{note}</p>}
      {hits.length === 0 && !note && (
        <div className="flex flex-col items-start gap-3 py-8">
          <SearchX size={24} className="text-faint" />
          <p className="text-15 text-muted">No setting matches “{query}”. Try another word, such as “dark”, “web” or “memory”.</p>
        </div>
      )}
      <div className="divide-y divide-hairline">
        {hits.slice(0, 40).map((hit) =>
          hit.kind === 'field' ? (
            <FieldRow key={hit.field.key} field={hit.field} path={config.path} page={sectionTitle(hit.field.key)} raw={/[._]/.test(query)} />
          ) : (
            <FoundElsewhere key={hit.item.title} item={hit.item} onGo={onGo} />
          ),
        )}
      </div>
    </div>
  )
}

function FoundElsewhere({ item: { title, about, href }, onGo }: { item: Elsewhere; onGo: () => void }) {
  return (
    <a href={href} onClick={onGo} className="-mx-3 flex items-center gap-4 rounded-card px-3 py-4 transition-colors hover:bg-hover">
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2.5">
          <span className="text-15">{title}</span>
          {PAGE_NAMES.has(href) && <span className="text-12 text-faint">{PAGE_NAMES.get(href)}</span>}
        </span>
        <span className="mt-0.5 block text-13 text-muted">{about}</span>
      </span>
      <ArrowRight size={16} className="shrink-0 text-faint" />
    </a>
  )
}

function Problems({ problems, path }: { problems: ConfigProblem[]; path: string }) {
  if (problems.length === 0) return null
  return (
    <ul aria-label="Problems of the settings file" className="mt-2 mb-4 flex flex-col gap-2">
      {problems.map((problem, index) => (
        <li
          key={index}
          className={classNames(
            'flex gap-3 rounded-card px-4 py-3 text-13',
            problem.fatal ? 'bg-[color-mix(in_oklab,var(--danger)_10%,transparent)]' : 'bg-[color-mix(in_oklab,var(--warn)_10%,transparent)]',
          )}
        >
          <TriangleAlert size={16} className={classNames('mt-0.5', problem.fatal ? 'text-danger' : 'text-warn')} />
          <div className="min-w-0">
            <p className="wrap-anywhere">{problem.message}</p>
            <p className="mt-0.5 text-12 break-all text-faint">
              {path}
              {problem.line !== null && `, line ${problem.line}`}
              {problem.column !== null && `, column ${problem.column}`}
              {problem.fatal && '. The last valid settings are in use.'}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
