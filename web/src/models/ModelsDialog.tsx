import { useEffect } from 'react'
import { sentence } from '@/api/http'
import type { InstalledModel, ModelsReport } from '@/api/protocol.gen'
import { Dialog } from '@/design/Dialog'
import { bytes } from '@/design/format'
import { BacktickText } from '@/design/BacktickText'
import { useStore } from '@/store'
import { DownloadLine, isPending } from './DownloadLine'
import { ModelActions } from './ModelActions'
import { ModelRow } from './ModelRow'
import { PullForm } from './PullForm'
import { ServerList } from './ServerList'
import { failureOf, inOrder, modelTitle } from './wording'

export default function ModelsDialog() {
  const models = useStore((state) => state.models)
  const trouble = useStore((state) => state.modelsTrouble)
  const { show, refreshModels, detectServers } = useStore.getState()
  useEffect(() => void refreshModels().then(detectServers), [refreshModels, detectServers])
  return (
    <Dialog title="Models" about="Choose what answers you" onClose={() => show(null)} width="sm:w-[38rem]">
      <div className="min-h-0 overflow-y-auto pb-5">
        {trouble && (
          <p role="alert" className="mx-5 mb-3 rounded-card bg-[color-mix(in_oklab,var(--danger)_9%,transparent)] px-4 py-2.5 text-13">
            <BacktickText text={trouble} />
          </p>
        )}
        {models ? <Content models={models} /> : <p className="px-5 text-15 text-muted">Loading the list of models…</p>}
      </div>
    </Dialog>
  )
}

function Content({ models }: { models: ModelsReport }) {
  const listed = new Set(models.catalogue.map((entry) => entry.name))
  const others = models.installed.filter((model) => !listed.has(model.name) && !isOnServer(models, model))
  const loose = models.downloads.filter((download) => isPending(download) && !listed.has(download.name))
  return (
    <>
      <Current models={models} />
      {(others.length > 0 || loose.length > 0) && (
        <Part title="Yours">
          <ul>
            {others.map((model) => (
              <OwnModel key={model.name} model={model} failure={failureOf(models, model)} />
            ))}
            {loose.map((download) => (
              <li key={download.name} className="px-5 py-2">
                <p className="text-15 wrap-anywhere">{download.name}</p>
                <DownloadLine download={download} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="Download">
        <ul className="divide-y divide-hairline">
          {inOrder(models).map((entry) => (
            <ModelRow key={entry.name} entry={entry} models={models} download={models.downloads.find(({ name }) => name === entry.name)} />
          ))}
        </ul>
        <p className="px-5 pt-1 text-12 text-faint">
          This machine: {bytes(models.machine.memory)} of memory, {models.machine.cores} cores, {bytes(models.machine.diskFree)} free on the disk.
        </p>
      </Part>
      <Part title="Servers on this machine">
        <ServerList models={models} />
      </Part>
      <Part title="From a link or a file">
        <PullForm />
      </Part>
    </>
  )
}

function isOnServer(models: ModelsReport, model: InstalledModel): boolean {
  return models.servers.some((server) => server.models.some((name) => model.name.endsWith(`/${name}`)))
}

function Current({ models }: { models: ModelsReport }) {
  const { current } = models
  if (current.state === 'failed') {
    // A model with a row of its own shows the reason there, beside the possible actions.
    const listed = models.installed.some((model) => failureOf(models, model) !== null)
    const reason = listed ? 'The reason is below. Meanwhile, choose another.' : sentence(current.message)
    return (
      <div role="alert" className="mx-5 mb-2 rounded-card bg-[color-mix(in_oklab,var(--danger)_9%,transparent)] px-4 py-2.5 text-13">
        <p className="font-medium">{modelTitle(models, current.name)} is not working.</p>
        <p className="mt-0.5 wrap-anywhere text-muted"><BacktickText text={reason} /></p>
      </div>
    )
  }
  const words =
    current.state === 'none'
      ? sentence(current.hint)
      : current.state === 'loading'
        ? `${modelTitle(models, current.name)} is loading.`
        : `${modelTitle(models, current.name)} answers you. It reads up to ${Math.round(current.context / 1024)}k tokens${current.vision ? ' and sees pictures' : ''}.`
  return (
    <p role="status" className="px-5 pb-2 text-13 text-muted">
      <BacktickText text={words} />
    </p>
  )
}

function OwnModel({ model, failure }: { model: InstalledModel; failure: string | null }) {
  return (
    <li className="px-5 py-2">
      <div className="flex items-center gap-4">
        <p className="min-w-0 flex-1 text-15 wrap-anywhere">
          {model.name} {model.bytes !== null && <span className="text-12 text-faint">{bytes(model.bytes)}</span>}
        </p>
        <ModelActions
          name={model.name}
          title={model.name}
          current={model.current && failure === null}
          failed={failure !== null}
          size={model.kind === 'embedded' ? model.bytes : null}
        />
      </div>
      {failure !== null && (
        <p role="alert" className="mt-1 text-13 wrap-anywhere text-danger">
          <BacktickText text={failure} />
        </p>
      )}
    </li>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="pt-4" aria-label={title}>
      <h3 className="px-5 pb-1 text-12 text-faint">{title}</h3>
      {children}
    </section>
  )
}
