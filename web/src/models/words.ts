import { sentence } from '@/api/http'
import type { CatalogueEntry, ModelsReport, ServerKind } from '@/api/protocol.gen'

/** The model's name as the catalogue writes it, or its own. */
export function modelTitle(models: ModelsReport, name: string): string {
  return models.catalogue.find((entry) => entry.name === name)?.title ?? name.replace(/^.*\//, '')
}

/** Whether this is the model that answers, or that is about to. */
export function isInUse({ current }: ModelsReport, name: string): boolean {
  return (current.state === 'ready' || current.state === 'loading') && current.name === name
}

/** Why this model, though chosen, does not work; null where it does, or is not chosen. */
export function failureOf({ current }: ModelsReport, model: { name: string; current?: boolean }): string | null {
  if (current.state !== 'failed') return null
  return model.current || current.name === model.name ? sentence(current.message) : null
}

/** Whether what answers, or is about to, is only there to try things. The report may be older than its current model. */
export function isTrial(models: ModelsReport): boolean {
  return models.trial && models.catalogue.some((entry) => entry.tiny && isInUse(models, entry.name))
}

/** The model that this machine could do better with, while one answers that is only there to try things. */
export function betterModel(models: ModelsReport): CatalogueEntry | null {
  if (!isTrial(models)) return null
  const best = models.catalogue.find((entry) => entry.name === models.recommended)
  return best && !best.tiny ? best : null
}

export interface ModelLine {
  text: string
  tone: 'ok' | 'busy' | 'none' | 'danger'
}

/** One line for the head of a conversation. */
export function modelLine(models: ModelsReport): ModelLine {
  const { current } = models
  switch (current.state) {
    case 'none': {
      const running = models.downloads.find((download) => download.state === 'running' && download.total > 0)
      if (!running) return { text: 'Choose a model', tone: 'none' }
      return { text: `Downloading ${Math.floor((running.received / running.total) * 100)} %`, tone: 'busy' }
    }
    case 'loading':
      return { text: `Loading ${modelTitle(models, current.name)}`, tone: 'busy' }
    case 'ready':
      return { text: modelTitle(models, current.name), tone: 'ok' }
    case 'failed':
      return { text: `${modelTitle(models, current.name)} is not working`, tone: 'danger' }
  }
}

export const SERVER_NAMES: Record<ServerKind, string> = { ollama: 'Ollama', lmStudio: 'LM Studio', llamaServer: 'llama-server' }

/** Recommended first, then what fits from large to small, the tiny one, and last what does not fit. */
export function inOrder(models: ModelsReport): CatalogueEntry[] {
  const rank = (entry: CatalogueEntry) => (entry.name === models.recommended ? 0 : !entry.fits ? 3 : entry.tiny ? 2 : 1)
  return [...models.catalogue].sort((a, b) => rank(a) - rank(b) || b.memory - a.memory)
}
