import '@/testkit/browser'
import { undo } from '@codemirror/commands'
import { EditorView } from '@codemirror/view'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CodeFileView } from '@/api/protocol.gen'
import { clear, draw } from '@/testkit/draw'
import { codeFile, ROOT } from '@/testkit/code'
import { switchedBuffers } from '../bufferSlice'
import { useCodeStore } from '../useCodeStore'
import Editor, { indentOf, lineEnd } from './Editor'
import { loadLanguage } from './languages'

// The DOM of the tests measures nothing.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList
Range.prototype.getBoundingClientRect = () => new DOMRect()

const code = () => useCodeStore.getState()
const buffer = (file: CodeFileView) => ({ file, unsaved: null, trouble: null, saving: false, conflict: null })
const written = (path: string) => code().buffers[path]?.unsaved?.text() ?? null

beforeEach(() => useCodeStore.setState({ ...useCodeStore.getInitialState(), root: ROOT }, true))
afterEach(clear)

async function open(file: CodeFileView): Promise<EditorView> {
  useCodeStore.setState({ buffers: { ...code().buffers, [file.path]: buffer(file) } })
  const host = await draw(<Editor file={file} />)
  const view = EditorView.findFromDOM(host.querySelector('.cm-editor') as HTMLElement)
  if (!view) throw new Error('there is no editor')
  return view
}

describe('a file in the editor', () => {
  test('is not changed by being opened, and is as before when a change is taken back', async () => {
    const view = await open(codeFile('a.rs', 'one\ntwo\n'))
    expect(written('a.rs')).toBeNull()
    await act(async () => view.dispatch({ changes: { from: 0, insert: 'X' } }))
    expect(written('a.rs')).toBe('Xone\ntwo\n')
    await act(async () => view.dispatch({ changes: { from: 0, to: 1 } }))
    expect(written('a.rs')).toBeNull()
  })

  test.each([
    ['as Windows ends them', 'one\r\ntwo\r\n', 'Xone\r\ntwo\r\n'],
    ['in two ways', 'one\r\ntwo\n', 'Xone\r\ntwo\n'],
    ['not at all', 'one', 'Xone'],
    ['and holds nothing', '', 'X'],
  ])('ends its lines %s, and is saved so', async (_, content, after) => {
    const view = await open(codeFile('b.rs', content))
    await act(async () => view.dispatch({ changes: { from: 0, insert: 'X' } }))
    expect(written('b.rs')).toBe(after)
  })

  test('keeps what was written, and the way back, while another is looked at', async () => {
    const first = await open(codeFile('a.rs', 'one'))
    await act(async () => first.dispatch({ changes: { from: 3, insert: '!' } }))
    const kept = code().buffers
    await open(codeFile('b.rs', 'two'))
    useCodeStore.setState({ buffers: { ...code().buffers, ...kept } })
    const host = await draw(<Editor file={codeFile('a.rs', 'one')} />)
    expect(host.querySelector('.cm-content')?.textContent).toBe('one!')
  })

  test('is shown as it is written, though nothing else is kept of it', async () => {
    const file = codeFile('a.rs', 'one')
    useCodeStore.setState({ buffers: { 'a.rs': { ...buffer(file), unsaved: { text: () => 'mine' } } } })
    const host = await draw(<Editor file={file} />)
    expect(host.querySelector('.cm-content')?.textContent).toBe('mine')
  })

  test('is another than the one of its name in another folder', async () => {
    const first = await open(codeFile('a.rs', 'one'))
    await act(async () => first.dispatch({ changes: { from: 3, insert: '!' } }))
    const file = codeFile('a.rs', 'other')
    useCodeStore.setState({ root: '/other', ...switchedBuffers(code(), '/other') })
    useCodeStore.setState({ buffers: { 'a.rs': buffer(file) } })
    // A late update from the editor of the previous folder must not reach this one.
    await act(async () => first.dispatch({ changes: { from: 0, insert: '?' } }))
    expect(written('a.rs')).toBeNull()
    await clear()
    const other = await open(file)
    await act(async () => void undo(other))
    expect(other.state.sliceDoc()).toBe('other')
    await clear()
    useCodeStore.setState({ root: ROOT, ...switchedBuffers(code(), ROOT) })
    const host = await draw(<Editor file={codeFile('a.rs', 'one')} />)
    expect(host.querySelector('.cm-content')?.textContent).toMatch(/one!$/)
  })

  test('shows what is on the disk now, where nothing else was written', async () => {
    const view = await open(codeFile('c.rs', 'one\ntwo\n'))
    const fresh = codeFile('c.rs', 'one\n1.5\ntwo\n')
    useCodeStore.setState({ buffers: { 'c.rs': buffer(fresh) } })
    await clear()
    const host = await draw(<Editor file={fresh} />)
    expect(host.querySelector('.cm-content')?.textContent).toBe('one1.5two')
    expect(written('c.rs')).toBeNull()
    expect(view.state.doc.lines).toBe(3)
  })

  test('goes to the line that is meant, or to the last', async () => {
    const view = await open(codeFile('d.rs', 'a\nb\nc'))
    await act(async () => useCodeStore.setState({ jump: { path: 'd.rs', line: 2, wish: 1 } }))
    expect(view.state.doc.lineAt(view.state.selection.main.head).number).toBe(2)
    await act(async () => useCodeStore.setState({ jump: { path: 'd.rs', line: 99, wish: 2 } }))
    expect(view.state.doc.lineAt(view.state.selection.main.head).number).toBe(3)
  })

  test('that may not be changed says so', async () => {
    const view = await open(codeFile('e.rs', 'x', { editable: false }))
    expect(view.state.readOnly).toBe(true)
    expect(view.contentDOM.getAttribute('aria-label')).toBe('e.rs, read only')
  })
})

test.each([
  ['a\nb\n', '\n'],
  ['a\r\nb\r\n', '\r\n'],
  ['a\r\nb\n', '\n'],
  ['', '\n'],
])('%j ends its lines with %j', (content, end) => expect(lineEnd(content)).toBe(end))

test.each([
  ['fn a() {\n    b\n    c\n}\n', '    '],
  ['if x:\n\ty\n', '\t'],
  ['a\n  b\n    c\n  d\n', '  '],
  ['flat', '  '],
])('%j is indented by %j', (content, step) => expect(indentOf(content)).toBe(step))

test.each([
  [['rust'], true],
  [['', 'rs'], true],
  [['TypeScript'], true],
  [['toml'], true],
  [['constructor'], false],
  [['klingon', ''], false],
])('of %j the editor knows the language: %s', async (names, known) => expect((await loadLanguage(...names)) !== null).toBe(known))
