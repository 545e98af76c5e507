import { putAsset, removeAsset, restoreAsset } from '@/api/body'
import { words } from '@/api/http'
import type { AssetKind } from '@/api/protocol.gen'
import { cue } from '@/body/cues'
import type { BodySlice } from '@/body/slice'
import { plural } from '@/design/format'
import type { Notices } from '@/shell/slice'
import type { Slice } from '@/store/slice'
import { freeName, type Namesake, namesake } from './names'
import { type Look, LookTrouble, recognise, stem } from './recognise'

/** A file that is being uploaded for the avatar. */
export interface Arrival {
  id: number
  filename: string
  part: number
  stop: () => void
}

/** The action to take for a file whose name is taken. */
export type Answer = 'replace' | 'both' | 'none'

export interface LooksSlice {
  /** Uploads that take longer than a moment. */
  arrivals: Arrival[]
  /** The question to the user about a name that is taken. */
  nameTaken: (Namesake & { kind: AssetKind; answer: (answer: Answer) => void }) | null

  /** Adds files as avatars, animations and backgrounds, and uses them at once. */
  addLooks: (files: File[]) => Promise<void>
  removeLook: (kind: AssetKind, filename: string) => Promise<void>
}

interface Kept extends Look {
  /** The file that it replaced. */
  instead: string | null
}

/** The topic of these notices: a later choice withdraws their undo. */
export const LOOKS = 'looks'
/** The time before an upload is shown; shorter ones need no indication. */
const SLOW_MS = 1000

let arrivalId = 0

export const looksSlice: Slice<LooksSlice, BodySlice & Notices> = (set, get) => {
  const last = (kept: Kept[], kind: AssetKind) => kept.findLast((one) => one.kind === kind)

  const ask = (kind: AssetKind, found: Namesake) =>
    new Promise<Answer>((resolve) => {
      const answer = (given: Answer) => {
        set({ nameTaken: null })
        resolve(given)
      }
      set({ nameTaken: { ...found, kind, answer } })
    })

  const send = async ({ kind, filename, file }: Look) => {
    arrivalId += 1
    const id = arrivalId
    const given = new AbortController()
    let part = 0
    const arrival = (): Arrival => ({ id, filename, part, stop: () => given.abort(new LookTrouble(`“${filename}” was not added.`)) })
    const timer = setTimeout(() => set(({ arrivals }) => ({ arrivals: [...arrivals, arrival()] })), SLOW_MS)
    const told = (now: number) => {
      part = now
      if (get().arrivals.some((one) => one.id === id)) set(({ arrivals }) => ({ arrivals: arrivals.map((one) => (one.id === id ? arrival() : one)) }))
    }
    try {
      await putAsset(kind, filename, file, { told, signal: given.signal })
    } catch (error) {
      throw error instanceof LookTrouble ? error : new LookTrouble(`“${filename}” was not added. ${words(error)}`)
    } finally {
      clearTimeout(timer)
      set(({ arrivals }) => ({ arrivals: arrivals.filter((one) => one.id !== id) }))
    }
  }

  /** Recognises and stores one file. Returns null if the user declined. */
  const bring = async (file: File): Promise<Kept | null> => {
    const look = await recognise(file)
    const found = namesake(look.kind, look.filename, get())
    const answer = found ? await ask(look.kind, found) : 'both'
    if (answer === 'none') return null
    if (!found || answer === 'both') {
      const filename = found ? freeName(look.kind, look.filename, get()) : look.filename
      await send({ ...look, filename })
      return { ...look, filename, instead: null }
    }
    await send(look)
    // With another extension, the old file would stay and conflict with the one that replaces it.
    if (!found.own && found.filename !== look.filename) await removeAsset(look.kind, found.filename)
    return { ...look, instead: found.own ? null : found.filename }
  }

  /** Applies the last file of each kind. Returns messages about those that took effect. */
  const use = async (kept: Kept[]): Promise<string[]> => {
    const said: string[] = []
    const worn = last(kept, 'models')
    if (worn) {
      await get().wear({ model: worn.filename })
      if (get().body?.model === worn.filename) said.push(`Avatar changed to “${worn.filename}”.`)
    }
    const behind = last(kept, 'backgrounds')
    if (behind) {
      await get().setBackground(behind.filename)
      if (get().backgrounds?.current === behind.filename) said.push(`“${behind.filename}” is the new background.`)
    }
    const played = last(kept, 'anims')
    if (played) {
      cue({ action: 'play', animation: stem(played.filename) })
      said.push(`Animation added: “${stem(played.filename)}”.`)
    }
    return said
  }

  /**
   * Restores the previous model, unless it lies outside the folder: such a model is set in the configuration.
   */
  const wearAgain = async (model: string | null) => {
    if (model === null || get().body?.models.some(({ filename }) => filename === model)) await get().wear({ model: model ?? '' })
  }

  /** Restores the file that was replaced. */
  const putBack = async ({ kind, filename, instead }: Kept) => {
    // With the same name, restoring swaps the two files.
    if (instead !== filename) await removeAsset(kind, filename)
    if (instead !== null) await restoreAsset(kind, instead)
  }

  const takeBack = async (kept: Kept[], model: string | null, background: string) => {
    if (last(kept, 'models')) await wearAgain(model)
    if (last(kept, 'backgrounds')) await get().setBackground(background)
    const gone = await Promise.allSettled(kept.map(putBack))
    await get().refreshBody()
    const failed = gone.find((one) => one.status === 'rejected')
    if (failed) get().notify({ tone: 'danger', text: words(failed.reason) })
  }

  const tell = (troubles: string[]) => {
    if (troubles.length === 0) return
    const [first = ''] = troubles
    const more = troubles.length > 1 ? ` And ${plural(troubles.length - 1, 'more file was', 'more files were')} not added.` : ''
    get().notify({ tone: 'danger', text: first + more })
  }

  return {
    arrivals: [],
    nameTaken: null,

    addLooks: async (files) => {
      await get().refreshBody()
      const { body, backgrounds, bodyTrouble } = get()
      if (!body || bodyTrouble !== null) return tell([bodyTrouble ?? ''])
      const kept: Kept[] = []
      const troubles: string[] = []
      for (const file of files) {
        try {
          const one = await bring(file)
          if (one) kept.push(one)
          await get().refreshBody()
        } catch (error) {
          troubles.push(words(error))
        }
      }
      tell(troubles)
      if (kept.length === 0) return
      const said = await use(kept)
      const text = [...(kept.length > 1 ? [`${kept.length} files added.`] : []), ...said].join(' ')
      get().withdraw(LOOKS)
      if (text !== '') get().notify({ tone: 'plain', text, about: LOOKS, action: { label: 'Undo', run: () => void takeBack(kept, body.model, backgrounds?.current ?? 'night') } })
    },

    removeLook: async (kind, filename) => {
      const worn = kind === 'models' && get().body?.model === filename
      const behind = kind === 'backgrounds' && get().backgrounds?.current === filename
      const resume = async () => {
        if (worn) await get().wear({ model: filename })
        if (behind) await get().setBackground(filename)
      }
      // The avatar changes first, so that it is never shown without its model.
      if (worn) await get().wear({ model: '' })
      if (behind) await get().setBackground('night')
      try {
        await removeAsset(kind, filename)
      } catch (error) {
        await resume()
        get().notify({ tone: 'danger', text: words(error) })
        return
      }
      await get().refreshBody()
      const restore = async () => {
        try {
          await restoreAsset(kind, filename)
          await get().refreshBody()
          await resume()
        } catch (error) {
          get().notify({ tone: 'danger', text: words(error) })
        }
      }
      get().withdraw(LOOKS)
      get().notify({ tone: 'plain', text: `“${filename}” was removed.`, about: LOOKS, action: { label: 'Undo', run: () => void restore() } })
    },
  }
}
