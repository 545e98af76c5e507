import { RefreshCw } from 'lucide-react'
import type { ModelsReport, ServerKind } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'
import { SERVER_NAMES } from './wording'

const PREFIXES: Record<ServerKind, string> = { ollama: 'ollama', lmStudio: 'lm-studio', llamaServer: 'llama-server' }

/** Returns the name by which a model of another program is chosen: `ollama/llama3.2`. */
export function reference(kind: ServerKind, model: string): string {
  return `${PREFIXES[kind]}/${model}`
}

/** The model servers that run on this machine, with their models. */
export function ServerList({ models, searchable = true }: { models: ModelsReport; searchable?: boolean }) {
  const detecting = useStore((state) => state.detecting)
  const choosing = useStore((state) => state.chosenModel)
  const { chooseModel, detectServers } = useStore.getState()
  return (
    <div className="px-5">
      {models.servers.map((server) => (
        <div key={server.baseUrl} className="py-2">
          <p className="text-15">
            {SERVER_NAMES[server.kind]} <span className="text-12 text-faint">{server.baseUrl}</span>
          </p>
          {server.models.length === 0 && <p className="mt-1 text-13 text-muted">It is running, but has no models yet.</p>}
          <ul className="mt-1.5 flex flex-wrap gap-1.5">
            {server.models.map((model) => {
              const name = reference(server.kind, model)
              const inUse = models.installed.some((known) => known.name === name && known.current)
              return (
                <li key={model}>
                  <Button disabled={choosing !== null} aria-pressed={inUse} onClick={() => void chooseModel(name)} className={classNames(inUse && 'text-ok')}>
                    {choosing === name ? `Loading ${model}…` : inUse ? `${model} in use` : `Use ${model}`}
                  </Button>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
      {models.servers.length === 0 && (
        <p className="py-1 text-13 text-muted">{detecting ? 'Looking for Ollama, LM Studio and llama-server…' : 'Ollama, LM Studio and llama-server are not running here.'}</p>
      )}
      {searchable && (
        <Button variant="quiet" className="-ms-3 mt-1" disabled={detecting} icon={<RefreshCw size={14} />} onClick={() => void detectServers()}>
          {detecting ? 'Looking…' : 'Look again'}
        </Button>
      )}
    </div>
  )
}
