import { Check, Pencil, X } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import type { DiffHunk, DiffLineKind, ProposalId } from '@/api/protocol.gen'
import { count } from '@/design/format'
import { classNames } from '@/design/classNames'
import { escaped, useHunkColours } from './colours'
import { HunkEdit } from './HunkEdit'
import { asShown, type HunkLine, newText, numbered, paired, rewritten } from './hunks'
import { useCodeStore } from './useCodeStore'

/** The most lines of a hunk rendered at first; the rest follows on request. */
const MOST_LINES = 240

interface Props {
  id: ProposalId
  /** The key under which the hunk is accepted or skipped. */
  name: string
  open: boolean
  hunk: DiffHunk
  language: string
  active: boolean
  choice: 'yes' | 'no' | undefined
  /** The user's text in lineRange of the hunk's. */
  edit: string | undefined
  split: boolean
  found: number | null
}

export const HunkView = memo(function HunkView({ id, name, open, hunk, language, active, choice, edit, split, found }: Props) {
  const [all, setAll] = useState(false)
  const [writing, setWriting] = useState(false)
  const every = useMemo(() => numbered(edit === undefined ? hunk : rewritten(hunk, edit)), [hunk, edit])
  const cut = !all && every.length > MOST_LINES
  const lines = useMemo(() => (cut ? every.slice(0, MOST_LINES) : every), [every, cut])
  const html = useHunkColours(lines, language)
  const coloured = useMemo(() => new Map(lines.map((line, index) => [line, html[index] ?? escaped(line.text)])), [lines, html])
  return (
    <div
      data-change={name}
      data-active={active ? '' : undefined}
      data-choice={choice}
      className="hunk"
      onMouseDown={() => {
        if (!active) useCodeStore.getState().goToChange(id, name)
      }}
    >
      <div className="flex h-8 items-center gap-3 ps-4 pe-3 text-12 text-faint pointer-coarse:h-11">
        <span className="min-w-0 flex-1 truncate font-mono">
          {lineRange(hunk)}
          {choice === 'no' && <span className="ms-3 font-sans text-warn">skipped</span>}
          {edit !== undefined && choice !== 'no' && <span className="ms-3 font-sans text-accent-text">edited by you</span>}
        </span>
        {open && !writing && <Answer id={id} name={name} choice={choice} onEdit={hunk.newLines > 0 ? () => setWriting(true) : undefined} />}
      </div>
      {open && writing && (
        <HunkEdit
          first={edit === undefined ? newText(hunk) : asShown(edit)}
          hers={newText(hunk)}
          onEnd={(text) => {
            setWriting(false)
            if (text !== undefined) useCodeStore.getState().rewrite(id, name, text)
          }}
        />
      )}
      <div hidden={open && writing} className={classNames('hunk-lines', split && 'split', choice === 'no' && 'opacity-55')} dir="ltr">
        {split
          ? paired(lines).map(({ left, right }, index) => (
              <div key={index} className="pair">
                <Half line={left} number={left?.old} html={left && coloured.get(left)} found={false} />
                <Half line={right} number={right?.new} html={right && coloured.get(right)} found={right !== null && right.new === found} />
              </div>
            ))
          : lines.map((line, index) => <Line key={index} line={line} html={coloured.get(line) ?? ''} found={found !== null && line.new === found} />)}
      </div>
      {cut && (
        <button type="button" onClick={() => setAll(true)} className="block w-full px-4 py-2 text-start text-12 text-blue transition-colors hover:bg-hover">
          Show all {count(every.length)} lines
        </button>
      )}
    </div>
  )
})

function lineRange({ oldStart, oldLines, newStart, newLines }: DiffHunk): string {
  const range = (start: number, lines: number) => (lines > 1 ? `${start}–${start + lines - 1}` : `${start}`)
  if (newLines === 0) return `line${oldLines === 1 ? '' : 's'} ${range(oldStart, oldLines)}`
  return `line${newLines === 1 ? '' : 's'} ${range(newStart, newLines)}`
}

const SIGNS: Record<DiffLineKind, { sign: string; spoken: string }> = { same: { sign: ' ', spoken: '' }, added: { sign: '+', spoken: 'added: ' }, removed: { sign: '−', spoken: 'removed: ' } }

function Line({ line, html, found }: { line: HunkLine; html: string; found: boolean }) {
  const { sign, spoken } = SIGNS[line.kind]
  return (
    <div data-kind={line.kind} data-found-line={found ? '' : undefined} className="line">
      <span className="number">{line.old}</span>
      <span className="number">{line.new}</span>
      <span aria-hidden="true" className="sign">
        {sign}
      </span>
      {spoken !== '' && <span className="sr-only">{spoken}</span>}
      <Text html={html} noNewline={line.noNewline} />
    </div>
  )
}

function Half({ line, number, html, found }: { line: HunkLine | null; number: number | null | undefined; html: string | null | undefined; found: boolean }) {
  if (!line) return <div className="line none" />
  const { sign, spoken } = SIGNS[line.kind]
  return (
    <div data-kind={line.kind} data-found-line={found ? '' : undefined} className="line">
      <span className="number">{number}</span>
      <span aria-hidden="true" className="sign">
        {sign}
      </span>
      {spoken !== '' && <span className="sr-only">{spoken}</span>}
      <Text html={html ?? ''} noNewline={line.noNewline} />
    </div>
  )
}

/** The text of a line. The HTML consists of escaped text and sanitised highlighting. */
function Text({ html, noNewline }: { html: string; noNewline: boolean }) {
  return (
    <>
      <code className="text" dangerouslySetInnerHTML={{ __html: html || ' ' }} />
      {noNewline && <span className="no-newline">no newline at the end</span>}
    </>
  )
}

/** The buttons that accept or skip a change, equal in size and weight. */
export function Answer({ id, name, choice, onEdit }: { id: ProposalId; name: string; choice: 'yes' | 'no' | undefined; onEdit?: (() => void) | undefined }) {
  const { decide } = useCodeStore.getState()
  const style = 'answer flex h-6 items-center gap-1.5 rounded-control px-2 font-sans transition-colors hover:bg-hover pointer-coarse:h-9 pointer-coarse:px-3'
  const one = (answer: 'yes' | 'no', title: string, keys: string, icon: React.ReactNode) => (
    <button
      type="button"
      aria-pressed={choice === answer}
      aria-keyshortcuts={keys}
      title={`${title} (${keys.toUpperCase()})`}
      onClick={() => decide(id, name, answer)}
      className={classNames(
        style,
        choice === answer ? (answer === 'yes' ? 'text-ok' : 'text-warn') : 'text-muted hover:text-text',
      )}
    >
      {icon}
      {title}
    </button>
  )
  return (
    <span className="answers flex shrink-0 gap-0.5">
      {onEdit && (
        <button type="button" data-edit aria-keyshortcuts="e" title="Edit (E)" onClick={onEdit} className={classNames(style, 'text-muted hover:text-text')}>
          <Pencil size={12} />
          Edit
        </button>
      )}
      {one('yes', 'Keep', 'y', <Check size={13} />)}
      {one('no', 'Skip', 'n', <X size={13} />)}
    </span>
  )
}
