import { ArrowRight, ArrowDownToLine, ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { SidebarButton } from '@/chat/ChatHead'
import { sentence } from '@/api/http'
import type { CatalogueEntry, ModelsReport } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { bytes } from '@/design/format'
import { classNames } from '@/design/classNames'
import { Face, MoonCursor } from '@/design/Moon'
import { BacktickText } from '@/design/BacktickText'
import { DownloadLine, isPending } from '@/models/DownloadLine'
import { ModelRow } from '@/models/ModelRow'
import { PullForm } from '@/models/PullForm'
import { ServerList } from '@/models/ServerList'
import { inOrder, modelTitle } from '@/models/wording'
import { useStore } from '@/store'

/**
 * The first-run page: explains that a model is needed and how to get one. If a very small trial model is
 * present, the user can start talking at once.
 */
export default function Welcome() {
  const models = useStore((state) => state.models)
  const trouble = useStore((state) => state.modelsTrouble)
  const name = useStore((state) => state.companionName)
  const { detectServers, skipWelcome } = useStore.getState()
  useEffect(() => void detectServers(), [detectServers])
  if (!models) return null
  const { current, trial } = models
  const loading = current.state === 'loading' && !trial
  const pulling = models.downloads.some((download) => isPending(download) && download.state !== 'failed')
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <header className="flex h-14 shrink-0 items-center justify-between px-3 sm:px-4">
        <SidebarButton />
        <span />
        {!trial && (
          <Button variant="quiet" onClick={skipWelcome}>
            Look around first
          </Button>
        )}
      </header>
      <div className="mx-auto w-full max-w-[38rem] px-6 pt-[5vh] pb-16">
        <Face size={72} mood={loading || pulling ? 'thinking' : 'calm'} />
        <h1 className="display mt-6 text-30 sm:text-44">{loading ? 'Almost there' : `Hello. I’m ${name}.`}</h1>
        <p className="mt-3 text-17 text-pretty text-muted">{about(models, loading)}</p>
        {trial && <StartTalking models={models} pulling={pulling} />}
        {trouble && <Alert text={trouble} />}
        {current.state === 'failed' && <Alert text={sentence(current.message)} />}
        {loading ? (
          <p className="mt-8 flex items-center gap-3 text-15 text-muted">
            <MoonCursor thinking /> Then you can say hello.
          </p>
        ) : (
          <Choices models={models} />
        )}
      </div>
    </div>
  )
}

function about(models: ModelsReport, loading: boolean): string {
  const { current, trial } = models
  if (loading) return `${current.state === 'loading' ? modelTitle(models, current.name) : ''} is loading. The first time takes a moment.`
  if (trial) return 'I live on this machine and nowhere else. A tiny model came with me, so you can say hello right away. It knows little and makes things up: for real conversations, give me a better one.'
  return 'I live on this machine and nowhere else. To think, I need a model: one file, downloaded once. No account, no key.'
}

function Alert({ text }: { text: string }) {
  return (
    <p role="alert" className="mt-5 rounded-card bg-[color-mix(in_oklab,var(--danger)_9%,transparent)] px-4 py-2.5 text-13">
      <BacktickText text={text} />
    </p>
  )
}

/** The button to continue with the present model, which is quicker than any download. */
function StartTalking({ models, pulling }: { models: ModelsReport; pulling: boolean }) {
  const skipWelcome = useStore((state) => state.skipWelcome)
  const waking = models.current.state === 'loading'
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant={pulling ? 'primary' : 'raised'} className="h-10 px-4" onClick={skipWelcome}>
        Start talking
        <ArrowRight size={15} />
      </Button>
      <p role="status" className="flex items-center gap-2.5 text-13 text-faint">
        {waking && <MoonCursor thinking />}
        {waking ? 'The tiny model is loading.' : pulling ? 'The download goes on meanwhile, and the better model takes over by itself.' : 'The tiny model is ready.'}
      </p>
    </div>
  )
}

function Choices({ models }: { models: ModelsReport }) {
  const [more, setMore] = useState(false)
  const best = models.catalogue.find((entry) => entry.name === models.recommended)
  const tiny = models.catalogue.find((entry) => entry.tiny)
  const rest = inOrder(models).filter((entry) => entry !== best && entry !== tiny)
  return (
    <div className="mt-9 flex flex-col gap-8">
      {models.servers.length > 0 && (
        <section aria-label="Found on this machine">
          <h2 className="text-13 text-faint">Already on this machine</h2>
          <div className="-mx-5 mt-1">
            <ServerList models={models} searchable={false} />
          </div>
        </section>
      )}
      <div className="flex flex-col gap-3">
        {best && <Offer entry={best} models={models} primary />}
        {tiny && !models.trial && <Offer entry={tiny} models={models} primary={best === undefined} />}
      </div>
      <section>
        <button
          type="button"
          aria-expanded={more}
          onClick={() => setMore(!more)}
          className="-ms-1.5 flex items-center gap-1.5 rounded-control px-1.5 py-1 text-start text-13 text-muted transition-colors hover:text-text pointer-coarse:py-2.5"
        >
          <ChevronRight size={15} className={classNames('transition-transform duration-200', more && 'rotate-90')} />
          Other ways: another model, a file, a server of your own
        </button>
        {more && <OtherWays models={models} rest={rest} />}
      </section>
    </div>
  )
}

function OtherWays({ models, rest }: { models: ModelsReport; rest: CatalogueEntry[] }) {
  const go = useStore((state) => state.go)
  return (
    <div className="-mx-5 mt-3 flex flex-col gap-6">
      <ul className="divide-y divide-hairline">
        {rest.map((entry) => (
          <ModelRow key={entry.name} entry={entry} models={models} download={models.downloads.find(({ name }) => name === entry.name)} />
        ))}
      </ul>
      <PullForm />
      {models.servers.length === 0 && <ServerList models={models} />}
      <div className="px-5">
        <Button variant="quiet" className="-ms-3" onClick={() => go({ page: 'settings', section: 'llm' })}>
          Set an address and a key <ArrowRight size={14} />
        </Button>
      </div>
    </div>
  )
}

/** One of the two models that most users choose: the good one, or the quick one. */
function Offer({ entry, models, primary }: { entry: CatalogueEntry; models: ModelsReport; primary: boolean }) {
  const { pullModel, chooseModel } = useStore.getState()
  const choosing = useStore((state) => state.chosenModel)
  const download = models.downloads.find(({ name }) => name === entry.name)
  const pending = download && isPending(download)
  const begin = () => void (entry.installed ? chooseModel(entry.name) : pullModel({ name: entry.name, thenUse: true }))
  return (
    <section aria-label={entry.title} className={classNames('rounded-panel px-5 py-4', primary ? 'bg-raised shadow-lit' : 'shadow-[inset_0_0_0_1px_var(--hairline)]')}>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-52 flex-1">
          <p className="text-12 text-faint">{entry.tiny ? 'A quick try' : 'Best for this machine'}</p>
          <h2 className="mt-0.5 text-17 font-medium">{entry.title}</h2>
          <p className="mt-1 text-13 text-muted">{entry.tiny && !/tiny/i.test(entry.about) ? `${entry.about} Tiny, for trying.` : entry.about}</p>
          <p className="mt-1.5 text-12 text-faint">
            {bytes(entry.bytes)} to download · {bytes(entry.memory)} of memory · {entry.licence}
          </p>
        </div>
        {!pending && (
          <Button variant={primary ? 'primary' : 'raised'} className="h-10 px-4" disabled={choosing !== null} icon={entry.installed ? undefined : <ArrowDownToLine size={15} />} onClick={begin}>
            {entry.installed ? 'Use it' : primary ? `Get ${entry.title}` : 'Try it'}
          </Button>
        )}
      </div>
      {pending && (
        <>
          <DownloadLine download={download} />
          {download.state !== 'failed' && !models.trial && <p className="mt-1 text-12 text-faint">You can close this page: the download goes on.</p>}
        </>
      )}
    </section>
  )
}
