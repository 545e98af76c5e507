import { ChevronRight, Search, TriangleAlert } from 'lucide-react'
import { Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { ConfigField, ConfigProblem, ConfigReport, ConfigSection } from '@/api/protocol.gen'
import { SidebarButton } from '@/chat/ChatHead'
import { Button } from '@/design/Button'
import { join } from '@/design/join'
import { part } from '@/design/part'
import { Ticked } from '@/design/Ticked'
import { rank } from '@/palette/rank'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { About } from './About'
import { Access } from './Access'
import { Appearance } from './Appearance'
import { FieldRow } from './FieldRow'
import { Music } from './Music'
import { fieldTitle, sectionTitle } from './words'

const BodySection = part(() => import('@/looks/BodySection'))

/** Sections that do not come from the config file. */
const OWN = [
  { name: 'appearance', title: 'Appearance' },
  { name: 'body', title: 'Body' },
  { name: 'access', title: 'Access' },
  { name: 'about', title: 'About' },
]

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

  const section = sectionNamed(config, wanted)
  const field = config?.sections.some(({ fields }) => fields.some(({ key }) => key === wanted)) ? wanted : null
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
        <div className={join('mx-auto flex w-full flex-col gap-x-10 px-4 pb-16 sm:px-6 md:flex-row', section === 'body' ? 'max-w-[78rem]' : 'max-w-[60rem]')}>
          <div className="shrink-0 md:sticky md:top-0 md:max-h-[calc(100dvh-3.5rem)] md:w-44 md:self-start md:overflow-y-auto md:pt-2">
            <SearchField query={query} onChange={setQuery} />
            <Sections config={config} current={asked === '' ? section : null} onGo={() => setQuery('')} />
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
            {asked !== '' && config ? <Found config={config} query={asked} /> : <Section name={section} config={config} />}
          </div>
        </div>
      </div>
    </div>
  )
}

function sectionNamed(config: ConfigReport | null, wanted: string | null): string {
  if (wanted === null) return 'appearance'
  const named = config?.sections.find((section) => address(section) === wanted)
  const holder = named ?? config?.sections.find((section) => section.fields.some((field) => field.key === wanted))
  return holder ? address(holder) : wanted
}

/** The name by which a section stands in the page's address. */
function address(section: ConfigSection): string {
  return section.name === '' ? 'general' : section.name
}

function SearchField({ query, onChange }: { query: string; onChange: (query: string) => void }) {
  return (
    <div className="focus-within-ring flex h-9 items-center gap-2.5 rounded-control bg-[color-mix(in_oklab,var(--text)_5%,transparent)] px-2.5 text-muted pointer-coarse:h-11">
      <Search size={15} />
      <input
        aria-label="Search settings"
        placeholder="Search"
        value={query}
        onChange={(event) => onChange(event.target.value)}
        className="min-w-0 flex-1 bg-transparent text-13 text-text outline-none pointer-coarse:text-[1rem]"
      />
    </div>
  )
}

function Sections({ config, current, onGo }: { config: ConfigReport | null; current: string | null; onGo: () => void }) {
  // What the file says of her body is chosen by its picture.
  const others = (config?.sections ?? []).filter((section) => section.name !== 'body')
  const fromFile = others.filter((section) => section.fields.some((field) => field.effective))
  const all = [
    ...OWN.slice(0, 2),
    ...fromFile.map((section) => ({ name: address(section), title: sectionTitle(section.name) })),
    ...OWN.slice(2),
  ]
  const rest = others.filter((section) => !fromFile.includes(section))
  return (
    <nav aria-label="Sections of the settings" className="-mx-4 flex gap-1 overflow-x-auto px-4 py-3 sm:-mx-6 sm:px-6 md:mx-0 md:flex-col md:gap-0.5 md:px-0">
      {all.map(({ name, title }) => (
        <SectionLink key={name} name={name} title={title} current={current === name} onGo={onGo} />
      ))}
      {rest.length > 0 && <SectionLink name="later" title="Not used yet" current={current === 'later'} onGo={onGo} />}
    </nav>
  )
}

function SectionLink({ name, title, current, onGo }: { name: string; title: string; current: boolean; onGo: () => void }) {
  const link = useRef<HTMLAnchorElement>(null)
  // On a phone the sections stand in a row that is longer than the screen.
  useEffect(() => {
    if (current) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <a
      ref={link}
      href={fragmentOf({ page: 'settings', section: name })}
      aria-current={current ? 'page' : undefined}
      onClick={onGo}
      className={join(
        'flex h-8 shrink-0 items-center rounded-control px-2.5 text-13 transition-colors pointer-coarse:h-10',
        current ? 'bg-pressed text-text' : 'text-muted hover:bg-hover hover:text-text',
      )}
    >
      {title}
    </a>
  )
}

function Section({ name, config }: { name: string; config: ConfigReport | null }) {
  if (name === 'appearance') return <Page title="Appearance"><Appearance /></Page>
  if (name === 'body') return <Page title="Body"><Suspense><BodySection /></Suspense></Page>
  if (name === 'access') return <Page title="Access"><Access /></Page>
  if (name === 'about') return <Page title="About"><About /></Page>
  if (!config) return <p className="py-6 text-15 text-muted">Reading the settings…</p>
  if (name === 'later') return <Later config={config} />
  const section = config.sections.find((candidate) => address(candidate) === name)
  if (!section) return <p className="py-6 text-15 text-muted">There is no section “{name}”.</p>
  return (
    <Page title={sectionTitle(section.name)} {...(section.about === `${sectionTitle(section.name)}.` ? {} : { about: section.about })}>
      {section.name === 'spotify' && <Music />}
      <Fields section={section} path={config.path} />
    </Page>
  )
}

function Page({ title, about, children }: { title: string; about?: string; children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="display pt-2 text-22">{title}</h2>
      {about && <p className="mt-1 text-15 text-muted"><Ticked text={about} /></p>}
      <div className="mt-2">{children}</div>
    </section>
  )
}

function Fields({ section, path }: { section: ConfigSection; path: string }) {
  const [later, setLater] = useState(false)
  const effective = section.fields.filter((field) => field.effective)
  const waiting = section.fields.filter((field) => !field.effective)
  return (
    <>
      <div className="divide-y divide-hairline">
        {effective.map((field) => (
          <FieldRow key={field.key} field={field} path={path} />
        ))}
      </div>
      {waiting.length > 0 && (
        <div className="border-t border-hairline pt-3">
          <button type="button" aria-expanded={later} onClick={() => setLater(!later)} className="flex items-center gap-1.5 rounded-control py-1 text-13 text-faint transition-colors hover:text-text">
            <ChevronRight size={15} className={join('transition-transform duration-200', later && 'rotate-90')} />
            Not used yet ({waiting.length})
          </button>
          {later && (
            <div className="divide-y divide-hairline">
              {waiting.map((field) => (
                <FieldRow key={field.key} field={field} path={path} />
              ))}
            </div>
          )}
        </div>
      )}
    </>
  )
}

/** Sections of which no key has an effect so far. They are kept, for what is still to be built. */
function Later({ config }: { config: ConfigReport }) {
  const sections = config.sections.filter((section) => section.fields.every((field) => !field.effective))
  return (
    <Page title="Not used yet" about="These keys are read and kept. What they decide is still to be built.">
      {sections.map((section) => (
        <details key={section.name} className="group border-b border-hairline py-2">
          <summary className="flex list-none items-center gap-2 rounded-control py-1.5 text-15">
            <ChevronRight size={15} className="text-muted transition-transform duration-200 group-open:rotate-90" />
            {sectionTitle(section.name)} <span className="text-13 text-faint">{section.fields.length}</span>
          </summary>
          <div className="divide-y divide-hairline">
            {section.fields.map((field) => (
              <FieldRow key={field.key} field={field} path={config.path} />
            ))}
          </div>
        </details>
      ))}
    </Page>
  )
}

function Found({ config, query }: { config: ConfigReport; query: string }) {
  const fields = useMemo(() => {
    const scored = config.sections.flatMap((section) =>
      section.fields.map((field: ConfigField) => ({
        field,
        score: rank(`${fieldTitle(field.key)} ${field.key} ${section.name} ${field.about}`, query),
      })),
    )
    return scored.filter((entry) => entry.score !== null).sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
  }, [config, query])
  if (fields.length === 0) return <p className="py-6 text-15 text-muted">No setting by that name.</p>
  return (
    <div className="divide-y divide-hairline" aria-label="Settings found" role="region">
      {fields.slice(0, 40).map(({ field }) => (
        <FieldRow key={field.key} field={field} path={config.path} />
      ))}
    </div>
  )
}

function Problems({ problems, path }: { problems: ConfigProblem[]; path: string }) {
  if (problems.length === 0) return null
  return (
    <ul aria-label="Problems of the settings file" className="mt-2 mb-4 flex flex-col gap-2">
      {problems.map((problem, index) => (
        <li
          key={index}
          className={join(
            'flex gap-3 rounded-card px-4 py-3 text-13',
            problem.fatal ? 'bg-[color-mix(in_oklab,var(--danger)_10%,transparent)]' : 'bg-[color-mix(in_oklab,var(--warn)_10%,transparent)]',
          )}
        >
          <TriangleAlert size={16} className={join('mt-0.5', problem.fatal ? 'text-danger' : 'text-warn')} />
          <div className="min-w-0">
            <p className="wrap-anywhere">{problem.message}</p>
            <p className="mt-0.5 text-12 break-all text-faint">
              {path}
              {problem.line !== null && `, line ${problem.line}`}
              {problem.column !== null && `, column ${problem.column}`}
              {problem.fatal && '. The last good settings are in force.'}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
