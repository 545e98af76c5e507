import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, dropCursor, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { getNonce } from 'get-nonce'
import { useEffect, useRef } from 'react'
import type { CodeFileView } from '@/api/protocol.gen'
import { buffersOf } from '../bufferSlice'
import { languageOf } from '../colours'
import { useCodeStore } from '../useCodeStore'
import { loadLanguage } from './languages'
import { theme } from './theme'

/** The editor states of open files, with their undo history. */
const states = new Map<string, { root: string; path: string; state: EditorState; top: number }>()

const isOpen = (root: string, path: string) => Object.hasOwn(buffersOf(useCodeStore.getState(), root), path)

useCodeStore.subscribe(({ buffers, otherBuffers }, before) => {
  if (buffers === before.buffers && otherBuffers === before.otherBuffers) return
  for (const [key, { root, path }] of states) if (!isOpen(root, path)) states.delete(key)
})

/** Returns the line ending of the file, or `\n` if it mixes both, which keeps the text as it is. */
export function lineEnd(content: string): string {
  const windows = content.includes('\r\n') && !/(?:^|[^\r])\n/.test(content)
  return windows ? '\r\n' : '\n'
}

/** Returns the indentation of the file: the one with which most of its indented lines begin. */
export function indentOf(content: string): string {
  const steps = new Map<string, number>()
  for (const [, lead] of content.slice(0, 50_000).matchAll(/^(\t| {2,8})(?=\S)/gm)) steps.set(lead ?? '', (steps.get(lead ?? '') ?? 0) + 1)
  const [most] = [...steps].sort(([one, a], [other, b]) => b - a || one.length - other.length)
  return most?.[0] ?? '  '
}

const language = new Compartment()
const lock = new Compartment()

/** Sets whether the file is read only, and its label. */
function locked({ path, editable }: CodeFileView): Extension {
  const about = { 'aria-label': `${path}${editable ? '' : ', read only'}`, tabindex: '0', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }
  return [EditorState.readOnly.of(!editable), EditorView.contentAttributes.of(about)]
}

/** The texts of the search panel, in the style of the app. */
const PHRASES = { next: 'Next', previous: 'Previous', all: 'All', 'match case': 'Match case', regexp: 'Regex', 'by word': 'Whole words', replace: 'Replace', 'replace all': 'Replace all', close: 'Close' }

function extensions(root: string, file: CodeFileView): Extension[] {
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    foldGutter({ openText: '⌄', closedText: '›' }),
    drawSelection(),
    dropCursor(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    EditorState.phrases.of(PHRASES),
    EditorState.allowMultipleSelections.of(true),
    EditorState.lineSeparator.of(lineEnd(file.content)),
    EditorView.cspNonce.of(getNonce() ?? ''),
    lock.of(locked(file)),
    indentUnit.of(indentOf(file.content)),
    keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-i'), ...searchKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
    language.of([]),
    theme,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) tell(root, file.path, update.state)
    }),
  ]
}

/** Tells the store about unsaved content. The text itself is built only on demand. */
function tell(root: string, path: string, state: EditorState): void {
  const { root: shown, buffers, setUnsaved } = useCodeStore.getState()
  // The current folder may by now be another one with a file of the same name.
  if (shown !== root) return
  const base = buffers[path]?.file?.content
  // Most edits change the length, so that the text need not be compared.
  const separators = (state.doc.lines - 1) * (state.lineBreak.length - 1)
  const same = base !== undefined && state.doc.length + separators === base.length && state.sliceDoc() === base
  setUnsaved(path, same ? null : { text: () => state.sliceDoc() })
}

/** The editor of a file. */
export default function Editor({ file }: { file: CodeFileView }) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const jump = useCodeStore((state) => (state.jump?.path === file.path ? state.jump : null))

  useEffect(() => {
    const parent = host.current
    const { root, buffers } = useCodeStore.getState()
    if (!parent || root === null) return
    const key = JSON.stringify([root, file.path])
    const known = states.get(key)
    const doc = buffers[file.path]?.unsaved?.text() ?? file.content
    const state = known?.state ?? EditorState.create({ doc, extensions: extensions(root, file) })
    const editor = new EditorView({ state, parent })
    view.current = editor
    if (known) requestAnimationFrame(() => (editor.scrollDOM.scrollTop = known.top))
    void loadLanguage(file.language, languageOf(file.path)).then((support) => {
      if (view.current === editor && support) editor.dispatch({ effects: language.reconfigure(support) })
    }, () => {})
    return () => {
      if (isOpen(root, file.path)) states.set(key, { root, path: file.path, state: editor.state, top: editor.scrollDOM.scrollTop })
      view.current = null
      editor.destroy()
    }
    // A change of the file on the disk updates the existing editor, below.
  }, [file.path])

  // Adopts the version on the disk, unless there is unsaved content.
  useEffect(() => {
    const editor = view.current
    if (!editor) return
    if (editor.state.readOnly === file.editable) editor.dispatch({ effects: lock.reconfigure(locked(file)) })
    const { buffers } = useCodeStore.getState()
    const doc = editor.state.sliceDoc()
    if (buffers[file.path]?.unsaved || doc === file.content) return
    editor.dispatch({ changes: replaced(doc, file.content, editor.state) })
    useCodeStore.getState().setUnsaved(file.path, null)
  }, [file])

  useEffect(() => {
    const editor = view.current
    if (!editor || !jump) return
    const line = editor.state.doc.line(Math.min(Math.max(1, jump.line), editor.state.doc.lines))
    editor.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: 'center' }) })
    editor.focus()
  }, [jump])

  return <div ref={host} className="min-h-0 flex-1" data-testid="editor" />
}

/** Returns a change of only the range that differs, so that the cursor and the view stay in place. */
function replaced(before: string, after: string, state: EditorState) {
  let start = 0
  const shortest = Math.min(before.length, after.length)
  while (start < shortest && before[start] === after[start]) start += 1
  let end = 0
  while (end < shortest - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  // Windows line endings have two characters, but count as one in editor positions.
  if (state.lineBreak.length > 1) return { from: 0, to: state.doc.length, insert: state.toText(after) }
  return { from: start, to: before.length - end, insert: state.toText(after.slice(start, after.length - end)) }
}
