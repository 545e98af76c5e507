import { Suspense } from 'react'
import { lazyPart } from '@/design/lazyPart'
import { Notice } from '@/media/Notice'
import { OpenedThing } from '@/media/OpenedThing'
import { Pictures } from '@/media/Pictures'
import { Player } from '@/media/Player'
import { Research } from '@/media/Research'
import { FetchedPage, SearchResults } from '@/media/Sources'
import { Weather } from '@/media/Weather'
import type { CommandProps } from './command'
import { Checklist } from './kinds/Checklist'
import { Compare, CompareTable } from './kinds/Compare'
import { Emails } from './kinds/Emails'
import { Flashcards } from './kinds/Flashcards'
import { Formula } from './kinds/Formula'
import { Interactive } from './kinds/Interactive'
import { Steps } from './kinds/Steps'
import { Summary } from './kinds/Summary'
import { TableView } from './kinds/TableView'
import { Tabs } from './kinds/Tabs'
import { Timeline } from './kinds/Timeline'
import type { Widget } from './read'

// Each of these needs a library, which most conversations do not use.
const ChartView = lazyPart(() => import('./chart/ChartView'))
const MapView = lazyPart(() => import('@/map/MapView'))
const SceneView = lazyPart(() => import('@/scene/SceneView'))

interface Props {
  id: string
  title: string
  widget: Widget
  onRun: CommandProps['onRun'] | undefined
}

export function Content({ id, title, widget, onRun }: Props) {
  switch (widget.kind) {
    case 'steps':
      return <Steps {...widget} />
    case 'summary':
      return <Summary {...widget} />
    case 'compare':
      return <Compare {...widget} />
    case 'compareTable':
      return <CompareTable {...widget} />
    case 'timeline':
      return <Timeline {...widget} />
    case 'formula':
      return <Formula {...widget} />
    case 'tabs':
      return <Tabs {...widget} />
    case 'flashcards':
      return <Flashcards {...widget} />
    case 'checklist':
      return <Checklist id={id} {...widget} />
    case 'table':
      return <TableView table={widget} title={title} />
    case 'emails':
      return <Emails {...widget} />
    case 'interactive':
      return <Interactive id={id} title={title} />
    case 'chart':
      return (
        <Suspense fallback={<div className="chart-stage" />}>
          <ChartView chart={widget} title={title} />
        </Suspense>
      )
    case 'map':
      return (
        <Suspense fallback={<div className="widget-stage" />}>
          <MapView map={widget} title={title} />
        </Suspense>
      )
    case 'scene':
      return (
        <Suspense fallback={<div className="widget-stage" />}>
          <SceneView scene={widget} title={title} />
        </Suspense>
      )
    case 'search':
      return <SearchResults {...widget} />
    case 'page':
      return <FetchedPage page={widget.page} />
    case 'research':
      return <Research {...widget} />
    case 'weather':
      return <Weather weather={widget} />
    case 'player':
    case 'playerTrouble':
      return <Player playback={widget} onRun={onRun} />
    case 'notice':
      return <Notice title={title} text={widget.text} />
    case 'opened':
      return <OpenedThing {...widget} />
    case 'pictures':
      return <Pictures {...widget} title={title} />
  }
}
