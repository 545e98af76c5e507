import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const tint = (colour: string, part: number) => `color-mix(in oklab, var(--${colour}) ${part}%, transparent)`

/** The colours of the app, which follow its theme through CSS variables. */
const appearance = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'transparent', color: 'var(--text)', fontSize: '0.8438rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: "'Geist Mono', ui-monospace, Menlo, Consolas, monospace", lineHeight: '1.6', overscrollBehavior: 'contain' },
  '.cm-content': { padding: '0.5rem 0 40vh', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 1.25rem 0 0.75rem' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--faint)', border: 'none', paddingInlineStart: '0.5rem' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.75rem', padding: '0 0.5rem 0 0', opacity: '0.8' },
  '.cm-foldGutter .cm-gutterElement': { width: '0.875rem', color: 'var(--faint)', textAlign: 'center' },
  '.cm-activeLine': { backgroundColor: tint('text', 3.5) },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)', opacity: '1' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: tint('blue', 30) },
  '.cm-selectionMatch': { backgroundColor: tint('blue', 16), borderRadius: '2px' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': { backgroundColor: tint('accent', 22), outline: 'none', borderRadius: '2px' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: tint('danger', 22), outline: 'none' },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)', borderRadius: '2px' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: tint('accent', 55) },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-foldPlaceholder': { background: tint('text', 8), border: 'none', color: 'var(--muted)', borderRadius: '4px', padding: '0 0.4em', margin: '0 0.25em' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)', borderColor: 'var(--hairline)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--hairline)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--hairline)' },
  '.cm-panel.cm-search': { padding: '0.5rem 2.25rem 0.5rem 1rem', fontFamily: 'inherit', display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0.375rem' },
  '.cm-panel.cm-search br': { flexBasis: '100%', height: '0', content: '""' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '0.375rem', fontSize: '0.75rem', color: 'var(--muted)', margin: '0' },
  '.cm-panel.cm-search input[type=checkbox]': { accentColor: 'var(--accent)', margin: '0' },
  '.cm-textfield': { backgroundColor: 'var(--well)', border: 'none', borderRadius: '6px', boxShadow: 'inset 0 0 0 1px var(--hairline)', padding: '0.25rem 0.625rem', margin: '0', fontSize: '0.8125rem', color: 'var(--text)', minWidth: '11rem' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--raised)', border: 'none', borderRadius: '6px', boxShadow: 'inset 0 0 0 1px var(--outline)', padding: '0.25rem 0.625rem', margin: '0', fontSize: '0.75rem', color: 'var(--text)' },
  '.cm-button:active': { backgroundImage: 'none', backgroundColor: 'var(--pressed)' },
  '.cm-panel.cm-search [name=close]': { top: '0.5rem', right: '0.75rem', fontSize: '1.125rem', color: 'var(--muted)', padding: '0 0.25rem' },
  '.cm-dialog': { padding: '0.5rem 1rem', display: 'flex', alignItems: 'center', gap: '0.5rem', fontSize: '0.8125rem' },
})

const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.meta, tags.documentMeta], color: 'var(--faint)' },
  { tag: [tags.keyword, tags.controlKeyword, tags.modifier, tags.operatorKeyword, tags.bool, tags.null, tags.self, tags.heading], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.character, tags.inserted], color: 'var(--code-string)' },
  { tag: [tags.number, tags.atom, tags.escape, tags.unit, tags.constant(tags.variableName)], color: 'var(--code-number)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.definition(tags.function(tags.variableName)), tags.macroName, tags.propertyName, tags.attributeName, tags.labelName], color: 'var(--code-name)' },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName, tags.standard(tags.variableName)], color: 'var(--code-type)' },
  { tag: [tags.link, tags.url], color: 'var(--blue)', textDecoration: 'underline' },
  { tag: [tags.deleted, tags.invalid], color: 'var(--danger)' },
  { tag: [tags.punctuation, tags.operator, tags.bracket], color: 'var(--muted)' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
])

export const theme = [appearance, syntaxHighlighting(colours)]
