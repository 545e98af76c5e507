import { putAsset, removeAsset, restoreAsset } from '@/api/body'
import { errorText } from '@/api/http'
import type { AssetKind } from '@/api/protocol.gen'
import { cue } from '@/body/cues'
import type { BodySlice } from '@/body/slice'
import { plural } from '@/design/format'
import type { Notices } from '@/shell/slice'
import type { Slice } from '@/store/slice'
import { freeAssetName, type NameConflict, nameConflict } from './names'
import { type Asset, AssetTrouble, recognise, stem } from './recognise'

/** A file that is being uploaded for the avatar. */
export interface PendingUpload {
  id: number
  filename: string
  part: number
  stop: () => void
}

/** The action to take for a file whose name is taken. */
export type NameConflictAnswer = 'replace' | 'both' | 'none'

export interface AssetSlice {
  /** Uploads that take longer than a moment. */
  pendingUploads: PendingUpload[]
  /** The question to the user about a name that is taken. */
  nameTaken: (NameConflict & { kind: AssetKind; answer: (answer: NameConflictAnswer) => void }) | null

  /** Adds files as avatars, animations and backgrounds, and uses them at once. */
  addAssets: (files: File[]) => Promise<void>
  removeAsset: (kind: AssetKind, filename: string) => Promise<void>
}

interface AddedAsset extends Asset {
  /** The file that it replaced. */
  instead: string | null
}

/** The topic of these notices: a later choice withdraws their undo. */
export const ASSETS_TOPIC = 'looks'
/** The time before an upload is shown; shorter ones need no indication. */
const SLOW_MS = 1000

let uploadId = 0

export const assetSlice: Slice<AssetSlice, BodySlice & Notices> = (set, get) => {
  const last = (kept: AddedAsset[], kind: AssetKind) => kept.findLast((one) => one.kind === kind)

  const ask = (kind: AssetKind, found: NameConflict) =>
    new Promise<NameConflictAnswer>((resolve) => {
      const answer = (given: NameConflictAnswer) => {
        set({ nameTaken: null })
        resolve(given)
      }
      set({ nameTaken: { ...found, kind, answer } })
    })

  const send = async ({ kind, filename, file }: Asset) => {
    uploadId += 1
    const id = uploadId
    const given = new AbortController()
    let part = 0
    const arrival = (): PendingUpload => ({ id, filename, part, stop: () => given.abort(new AssetTrouble(`“${filename}” was not added.`)) })
    const timer = setTimeout(() => set(({ pendingUploads }) => ({ pendingUploads: [...pendingUploads, arrival()] })), SLOW_MS)
    const onProgress = (now: number) => {
      part = now
      if (get().pendingUploads.some((one) => one.id === id)) set(({ pendingUploads }) => ({ pendingUploads: pendingUploads.map((one) => (one.id === id ? arrival() : one)) }))
    }
    try {
      await putAsset(kind, filename, file, { onProgress, signal: given.signal })
    } catch (error) {
      throw error instanceof AssetTrouble ? error : new AssetTrouble(`“${filename}” was not added. ${errorText(error)}`)
    } finally {
      clearTimeout(timer)
      set(({ pendingUploads }) => ({ pendingUploads: pendingUploads.filter((one) => one.id !== id) }))
    }
  }

  /** Recognises and stores one file. Returns null if the user declined. */
  const bring = async (file: File): Promise<AddedAsset | null> => {
    const asset = await recognise(file)
    const found = nameConflict(asset.kind, asset.filename, get())
    const answer = found ? await ask(asset.kind, found) : 'both'
    if (answer === 'none') return null
    if (!found || answer === 'both') {
      const filename = found ? freeAssetName(asset.kind, asset.filename, get()) : asset.filename
      await send({ ...asset, filename })
      return { ...asset, filename, instead: null }
    }
    await send(asset)
    // With another extension, the old file would stay and conflict with the one that replaces it.
    if (!found.own && found.filename !== asset.filename) await removeAsset(asset.kind, found.filename)
    return { ...asset, instead: found.own ? null : found.filename }
  }

  /** Applies the last file of each kind. Returns messages about those that took effect. */
  const use = async (kept: AddedAsset[]): Promise<string[]> => {
    const messages: string[] = []
    const worn = last(kept, 'models')
    if (worn) {
      await get().chooseBody({ model: worn.filename })
      if (get().body?.model === worn.filename) messages.push(`Avatar changed to “${worn.filename}”.`)
    }
    const behind = last(kept, 'backgrounds')
    if (behind) {
      await get().setBackground(behind.filename)
      if (get().backgrounds?.current === behind.filename) messages.push(`“${behind.filename}” is the new background.`)
    }
    const played = last(kept, 'anims')
    if (played) {
      cue({ action: 'play', animation: stem(played.filename) })
      messages.push(`Animation added: “${stem(played.filename)}”.`)
    }
    return messages
  }

  /**
   * Restores the previous model, unless it lies outside the folder: such a model is set in the configuration.
   */
  const wearAgain = async (model: string | null) => {
    if (model === null || get().body?.models.some(({ filename }) => filename === model)) await get().chooseBody({ model: model ?? '' })
  }

  /** Restores the file that was replaced. */
  const putBack = async ({ kind, filename, instead }: AddedAsset) => {
    // With the same name, restoring swaps the two files.
    if (instead !== filename) await removeAsset(kind, filename)
    if (instead !== null) await restoreAsset(kind, instead)
  }

  const takeBack = async (kept: AddedAsset[], model: string | null, background: string) => {
    if (last(kept, 'models')) await wearAgain(model)
    if (last(kept, 'backgrounds')) await get().setBackground(background)
    const gone = await Promise.allSettled(kept.map(putBack))
    await get().refreshBody()
    const failed = gone.find((one) => one.status === 'rejected')
    if (failed) get().notify({ tone: 'danger', text: errorText(failed.reason) })
  }

  const tell = (troubles: string[]) => {
    if (troubles.length === 0) return
    const [first = ''] = troubles
    const more = troubles.length > 1 ? ` And ${plural(troubles.length - 1, 'more file was', 'more files were')} not added.` : ''
    get().notify({ tone: 'danger', text: first + more })
  }

  return {
    pendingUploads: [],
    nameTaken: null,

    addAssets: async (files) => {
      await get().refreshBody()
      const { body, backgrounds, bodyTrouble } = get()
      if (!body || bodyTrouble !== null) return tell([bodyTrouble ?? ''])
      const kept: AddedAsset[] = []
      const troubles: string[] = []
      for (const file of files) {
        try {
          const one = await bring(file)
          if (one) kept.push(one)
          await get().refreshBody()
        } catch (error) {
          troubles.push(errorText(error))
        }
      }
      tell(troubles)
      if (kept.length === 0) return
      const messages = await use(kept)
      const text = [...(kept.length > 1 ? [`${kept.length} files added.`] : []), ...messages].join(' ')
      get().withdraw(ASSETS_TOPIC)
      if (text !== '') get().notify({ tone: 'plain', text, about: ASSETS_TOPIC, action: { label: 'Undo', run: () => void takeBack(kept, body.model, backgrounds?.current ?? 'night') } })
    },

    removeAsset: async (kind, filename) => {
      const worn = kind === 'models' && get().body?.model === filename
      const behind = kind === 'backgrounds' && get().backgrounds?.current === filename
      const resume = async () => {
        if (worn) await get().chooseBody({ model: filename })
        if (behind) await get().setBackground(filename)
      }
      // The avatar changes first, so that it is never shown without its model.
      if (worn) await get().chooseBody({ model: '' })
      if (behind) await get().setBackground('night')
      try {
        await removeAsset(kind, filename)
      } catch (error) {
        await resume()
        get().notify({ tone: 'danger', text: errorText(error) })
        return
      }
      await get().refreshBody()
      const restore = async () => {
        try {
          await restoreAsset(kind, filename)
          await get().refreshBody()
          await resume()
        } catch (error) {
          get().notify({ tone: 'danger', text: errorText(error) })
        }
      }
      get().withdraw(ASSETS_TOPIC)
      get().notify({ tone: 'plain', text: `“${filename}” was removed.`, about: ASSETS_TOPIC, action: { label: 'Undo', run: () => void restore() } })
    },
  }
}
