import { useStore } from '@/store'
import { EntriesView } from './EntriesView'
import { FactsView } from './FactsView'
import { FactView } from './FactView'
import { FileList } from './FileList'
import { FilePage } from './FilePage'
import { RecallView } from './RecallView'
import { TimelineView } from './TimelineView'

/** The memory page with its tabs. */
export default function MemoryPage() {
  const tab = useStore((state) => (state.route.page === 'memory' ? (state.route.tab ?? 'facts') : 'facts'))
  const item = useStore((state) => (state.route.page === 'memory' ? (state.route.item ?? null) : null))
  switch (tab) {
    case 'timeline':
      return <TimelineView />
    case 'files':
      return item === null ? <FileList /> : <FilePage key={item} name={item} />
    case 'entries':
      return <EntriesView />
    case 'recall':
      return <RecallView />
    default:
      return item === null ? <FactsView /> : <FactView key={item} id={item} />
  }
}
