import { ChevronLeft, ChevronRight, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SkillInfo } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { CopyButton } from '@/design/CopyButton'
import { plural } from '@/design/format'
import { BacktickText } from '@/design/BacktickText'
import { Markdown } from '@/markdown/Markdown'
import { rank } from '@/palette/rank'
import { RetryNote, LoadingNote, PageFrame } from '@/shell/PageFrame'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { FilterField } from '@/tools/FilterField'

/** The number of skills from which a search field is shown; fewer are seen at a glance. */
const SEARCHED_FROM = 8

/** The page of the skills: the list, or one of them. */
export default function SkillsPage() {
  const name = useStore((state) => (state.route.page === 'skills' ? (state.route.name ?? null) : null))
  return name === null ? <SkillList /> : <SkillView key={name} name={name} />
}

function SkillList() {
  const skills = useStore((state) => state.skills)
  const trouble = useStore((state) => state.skillsTrouble)
  const folder = useStore((state) => state.skillFolder)
  const refreshSkills = useStore((state) => state.refreshSkills)
  const [query, setQuery] = useState('')
  useEffect(() => void refreshSkills(), [refreshSkills])
  const asked = query.trim()
  const found = (skills ?? []).filter((skill) => asked === '' || rank(`${skill.name} ${skill.description}`, asked) !== null)
  const own = found.filter((skill) => !skill.shipped)
  const shipped = found.filter((skill) => skill.shipped)
  return (
    <PageFrame page="skills" about="Instructions for a kind of work. She knows their names, and reads one when it fits.">
      {trouble && <RetryNote text={trouble} onRetry={() => void refreshSkills()} />}
      {!skills && !trouble && <LoadingNote text="Looking for skills…" />}
      {skills && (
        <>
          {skills.length >= SEARCHED_FROM && (
            <div className="flex pt-4">
              <FilterField label="Search skills" value={query} onChange={setQuery} />
            </div>
          )}
          {asked !== '' && found.length === 0 && <p className="py-6 text-15 text-muted">No skill by that name.</p>}
          {skills.length === 0 && <p className="pt-6 text-15 text-muted">There are no skills here.</p>}
          <SkillGroup title="Yours" skills={own} />
          <SkillGroup title="They came with Perigee" skills={shipped} />
          <OwnFolder folder={folder} />
        </>
      )}
    </PageFrame>
  )
}

function SkillGroup({ title, skills }: { title: string; skills: SkillInfo[] }) {
  if (skills.length === 0) return null
  return (
    <section aria-label={title} className="pt-6">
      <h2 className="border-b border-hairline pb-2 text-15 font-medium">{title}</h2>
      <ul className="-mx-3 pt-1">
        {skills.map((skill) => (
          <li key={skill.name}>
            <a
              href={fragmentOf({ page: 'skills', name: skill.name })}
              className="flex items-center gap-4 rounded-card px-3 py-3 transition-colors hover:bg-hover"
            >
              <span className="min-w-0 flex-1">
                <span className="block text-15 wrap-anywhere" dir="auto">
                  {skill.name}
                </span>
                <span className="line-clamp-2 text-13 wrap-anywhere text-muted" dir="auto">
                  {skill.description}
                </span>
                {skill.trouble ? <Broken trouble={skill.trouble} /> : <span className="mt-0.5 block text-12 text-faint">{summary(skill)}</span>}
              </span>
              <ChevronRight size={16} className="text-faint" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function summary(skill: SkillInfo): string {
  const tools = skill.allowedTools
  const may = tools === null ? 'May use every tool' : tools.length === 0 ? 'May use no tool' : `May use ${tools.join(', ')}`
  return [may, ...(skill.files.length > 0 ? [plural(skill.files.length, 'file')] : [])].join(' · ')
}

function Broken({ trouble }: { trouble: string }) {
  return (
    <span className="mt-1 flex gap-2 text-13 text-warn">
      <TriangleAlert size={15} className="mt-0.5" />
      <span className="min-w-0 wrap-anywhere">
        <BacktickText text={trouble} />
      </span>
    </span>
  )
}

/** The folder for the user's own skills. */
function OwnFolder({ folder }: { folder: string }) {
  if (folder === '') return null
  return (
    <section aria-label="Your own" className="pt-8">
      <h2 className="text-15 font-medium">Write one yourself</h2>
      <p className="mt-1 max-w-(--measure) text-13 text-pretty text-muted">
        A skill is a folder with a file <code className="font-mono text-12">SKILL.md</code>: a name and a description at the top, then what to do, in plain words.
        Put it here, and she can use it at once.
      </p>
      <p className="mt-2 flex max-w-(--measure) items-center gap-1">
        <code className="min-w-0 rounded-control bg-well px-2.5 py-1.5 font-mono text-12 break-all shadow-[inset_0_0_0_1px_var(--hairline)]">{folder}</code>
        <CopyButton text={folder} label="Copy the folder’s path" />
      </p>
    </section>
  )
}

function SkillView({ name }: { name: string }) {
  const skill = useStore((state) => (state.skill?.name === name ? state.skill : null))
  const { openSkill, go } = useStore.getState()
  useEffect(() => void openSkill(name), [openSkill, name])
  return (
    <PageFrame page="skills" name={name}>
      <a href={fragmentOf({ page: 'skills' })} className="mt-3 -ms-1 inline-flex items-center gap-1 rounded-control py-1 pe-2 text-13 text-muted transition-colors hover:text-text pointer-coarse:py-2.5">
        <ChevronLeft size={15} />
        All skills
      </a>
      {!skill?.info && !skill?.trouble && <LoadingNote text="Opening…" />}
      {skill?.trouble && !skill.gone && <RetryNote text={skill.trouble} onRetry={() => void openSkill(name)} />}
      {skill?.trouble && skill.gone && (
        <div role="alert" className="py-6">
          <p className="text-15 text-muted">There is no skill with this name. It may have been removed.</p>
          <Button className="mt-3" onClick={() => go({ page: 'skills' })}>
            All skills
          </Button>
        </div>
      )}
      {skill?.info && <Opened info={skill.info} body={skill.body ?? ''} />}
    </PageFrame>
  )
}

function Opened({ info, body }: { info: SkillInfo; body: string }) {
  return (
    <article aria-label={info.name} className="pt-2">
      <h1 className="display text-30 wrap-anywhere" dir="auto">
        {info.name}
      </h1>
      <p className="mt-1 max-w-(--measure) text-15 wrap-anywhere text-muted" dir="auto">
        {info.description}
      </p>
      {info.trouble && <Broken trouble={info.trouble} />}
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-13">
        <Line term="From">{info.shipped ? 'Perigee' : 'you'}</Line>
        <Line term="Tools">
          {info.allowedTools === null ? (
            'every one, as far as they are permitted'
          ) : info.allowedTools.length === 0 ? (
            'none'
          ) : (
            <span className="flex flex-wrap gap-x-2">
              {info.allowedTools.map((tool) => (
                <a key={tool} href={fragmentOf({ page: 'tools', tool })} className="font-mono text-12/5 text-blue underline decoration-1 underline-offset-3 wrap-anywhere">
                  {tool}
                </a>
              ))}
            </span>
          )}
        </Line>
        {info.files.length > 0 && <Line term="Files">{info.files.join(', ')}</Line>}
        {info.licence && <Line term="Licence">{info.licence}</Line>}
      </dl>
      <div className="mt-6 border-t border-hairline pt-6">
        <h2 className="sr-only">Content</h2>
        {body.trim() === '' ? <p className="text-15 text-muted">It has no text.</p> : <Markdown source={body} flowing />}
      </div>
    </article>
  )
}

function Line({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-faint">{term}</dt>
      <dd className="min-w-0 wrap-anywhere text-muted">{children}</dd>
    </>
  )
}
