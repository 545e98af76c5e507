import { sentence } from '@/api/http'
import type { CatalogueEntry, ModelsReport, ServerKind } from '@/api/protocol.gen'

/** Returns the model's title in the catalogue, or its own name. */
export function modelTitle(models: ModelsReport, name: string): string {
  return models.catalogue.find((entry) => entry.name === name)?.title ?? name.replace(/^.*\//, '')
}

/** Returns true if this model is in use or being loaded. */
export function isInUse({ current }: ModelsReport, name: string): boolean {
  return (current.state === 'ready' || current.state === 'loading') && current.name === name
}

/** Returns the reason why this model, though chosen, does not work; null if it works or is not chosen. */
export function failureOf({ current }: ModelsReport, model: { name: string; current?: boolean }): string | null {
  if (current.state !== 'failed') return null
  return model.current || current.name === model.name ? sentence(current.message) : null
}

/**
 * Returns true if the model in use or being loaded is only a trial one. The report may be older than its
 * current model.
 */
export function isTrial(models: ModelsReport): boolean {
  return models.trial && models.catalogue.some((entry) => entry.tiny && isInUse(models, entry.name))
}

/** Returns the recommended model for this machine while a trial one is in use. */
export function betterModel(models: ModelsReport): CatalogueEntry | null {
  if (!isTrial(models)) return null
  const best = models.catalogue.find((entry) => entry.name === models.recommended)
  return best && !best.tiny ? best : null
}

export interface ModelLine {
  text: string
  tone: 'ok' | 'busy' | 'none' | 'danger'
}

/** Returns the line for the header of a conversation. */
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

/**
 * Sorts the catalogue: the recommended model, those that fit from large to small, the tiny one, and those
 * that do not fit.
 */
export function inOrder(models: ModelsReport): CatalogueEntry[] {
  const rank = (entry: CatalogueEntry) => (entry.name === models.recommended ? 0 : !entry.fits ? 3 : entry.tiny ? 2 : 1)
  return [...models.catalogue].sort((a, b) => rank(a) - rank(b) || b.memory - a.memory)
}
