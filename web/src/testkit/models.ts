import type { CatalogueEntry, ModelsReport } from '@/api/protocol.gen'

export function entry(name: string, memory: number, more: Partial<CatalogueEntry> = {}): CatalogueEntry {
  return {
    name, title: name.toUpperCase(), about: '', bytes: memory, memory, parameters: '1B', licence: 'MIT', sources: ['hub'], installed: false, fits: true,
    tiny: false, ...more,
  }
}

export function report(more: Partial<ModelsReport> = {}): ModelsReport {
  return {
    current: { state: 'none', hint: '' },
    installed: [{ name: 'lmstudio/phi', kind: 'openai', bytes: null, current: false }],
    catalogue: [entry('tiny', 1, { tiny: true }), entry('huge', 99, { fits: false }), entry('small', 2), entry('best', 4), entry('other', 8)],
    servers: [],
    downloads: [],
    recommended: 'best',
    trial: false,
    machine: { memory: 10, cores: 2, diskFree: 100 },
    ...more,
  }
}
