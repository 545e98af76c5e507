import { seriesName, labelAt } from './read/chart'
import { csv } from './read/table'
import { number } from './lenient'
import type { Widget } from './read'

/** Returns the text for the clipboard, or null if the widget has none. */
export function asText(widget: Widget): string | null {
  switch (widget.kind) {
    case 'steps':
      return widget.steps.shown.map(({ title, text }, index) => `${index + 1}. ${title}${text && `\n   ${text}`}`).join('\n')
    case 'summary':
      return [widget.text, ...widget.points.shown.map((point) => `- ${point}`)].filter(Boolean).join('\n')
    case 'compare':
      return widget.items.shown
        .map(({ name, points, pros, cons }) => [name, ...points.shown.map((line) => `- ${line}`), ...pros.shown.map((line) => `+ ${line}`), ...cons.shown.map((line) => `− ${line}`)].join('\n'))
        .join('\n\n')
    case 'compareTable':
      return csv({
        columns: ['', ...widget.columns].map((name) => ({ name })),
        rows: widget.rows.shown.map(({ label, values }) => [label, ...values].map((text) => ({ text, number: number(text), exact: false }))),
      })
    case 'timeline':
      return widget.moments.shown.map(({ when, title, text }) => `${when && `${when}: `}${title}${text && `\n   ${text}`}`).join('\n')
    case 'formula':
      return widget.latex
    case 'tabs':
      return widget.tabs.shown.map(({ title, text }) => `## ${title}\n\n${text}`).join('\n\n')
    case 'flashcards':
      return widget.cards.shown.map(({ front, back }) => `${front}\n${back}`).join('\n\n')
    case 'checklist':
      return widget.checks.shown.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${text}`).join('\n')
    case 'table':
      return csv(widget)
    case 'chart':
      return csv({
        columns: [widget.xLabel || 'x', ...widget.series.map((_, index) => seriesName(widget, index))].map((name) => ({ name })),
        rows: (widget.series[0]?.values ?? []).map((_, at) => [
          { text: labelAt(widget, at), number: null, exact: false },
          ...widget.series.map(({ values }) => ({ text: '', number: values[at] ?? null, exact: true })),
        ]),
      })
    case 'research':
      return [widget.summary, ...widget.sources.shown.map(({ title, url }, index) => `[${index + 1}] ${title} ${url ?? ''}`)].join('\n')
    case 'search':
      return widget.results.shown.map(({ title, url }) => `${title} ${url ?? ''}`.trim()).join('\n') || null
    case 'map':
    case 'scene':
    case 'emails':
    case 'interactive':
    case 'page':
    case 'weather':
    case 'player':
    case 'playerTrouble':
    case 'notice':
    case 'opened':
    case 'pictures':
      return null
  }
}
