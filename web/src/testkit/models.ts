import type { CatalogueEntry, ModelsReport } from '@/api/protocol.gen'

export function catalogueEntry(name: string, memory: number, more: Partial<CatalogueEntry> = {}): CatalogueEntry {
  return {
    name, title: name.toUpperCase(), about: '', bytes: memory, memory, parameters: '1B', licence: 'MIT', sources: ['hub'], installed: false, fits: true,
    tiny: false, ...more,
  }
}

export function report(more: Partial<ModelsReport> = {}): ModelsReport {
  return {
    current: { state: 'none', hint: '' },
    installed: [{ name: 'lmstudio/phi', kind: 'openai', bytes: null, current: false }],
    catalogue: [catalogueEntry('tiny', 1, { tiny: true }), catalogueEntry('huge', 99, { fits: false }), catalogueEntry('small', 2), catalogueEntry('best', 4), catalogueEntry('other', 8)],
    servers: [],
    downloads: [],
    recommended: 'best',
    trial: false,
    machine: { memory: 10, cores: 2, diskFree: 100 },
    ...more,
  }
}
