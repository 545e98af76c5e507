import { NEW } from '@/composer/drafts'
import { useStore } from '@/store'
import { isAssetName, isPicture } from './recognise'

/** The effect of dropping files at a place. */
export interface DropTarget {
  /** True if the avatar's background is visible here, so that a picture changes it. */
  behind: boolean
  /** The conversation whose composer accepts files, or null. */
  talk: string | null
}

/**
 * Describes the place under the pointer. A picture dropped on the composer is attached, even where a
 * background is visible.
 */
export function dropTargetAt(target: EventTarget | null): DropTarget {
  const { route } = useStore.getState()
  const composer = document.querySelector('.composer') !== null && (route.page === 'chat' || route.page === 'new')
  const onComposer = target instanceof Element && target.closest('.composer') !== null
  return {
    behind: document.querySelector('[data-backdrop]') !== null && !onComposer,
    talk: composer ? (route.page === 'chat' ? route.id : NEW) : null,
  }
}

export interface DropPreview {
  title: string
  note?: string
  /** True if nothing here accepts the files. */
  refused?: boolean
}

/**
 * Predicts the effect of a drop. While files are dragged, only their MIME types are known, and models and
 * animations do not even have one.
 */
export function dropPreview(types: readonly string[], { behind, talk }: DropTarget): DropPreview {
  const pictures = types.length > 0 && types.every((type) => type.startsWith('image/'))
  const plain = types.length > 0 && types.every((type) => /^(?:text|audio|video)\/|^application\/(?:json|pdf|zip)$/.test(type))
  if (pictures && behind) return { title: types.length > 1 ? 'Drop to set as backgrounds' : 'Drop to set as background' }
  if ((pictures || plain) && talk !== null) return { title: 'Drop to attach' }
  if (pictures) return { title: 'Pictures can’t be dropped here', note: 'Drop one on a chat to show it to her, or in Settings, Avatar to set it as the background.', refused: true }
  if (plain) return { title: 'This can’t be dropped here', note: 'Drop it on a chat to show it to her.', refused: true }
  return { title: 'Drop to add', note: `An avatar (.vrm) is used at once, and an animation (.vrma or .fbx) is played.${talk === null ? '' : ' Anything else is attached to your message.'}` }
}

/**
 * Separates the dropped files from folders. This must happen during the event: afterwards the browser no
 * longer knows which were folders.
 */
export function droppedFiles(data: DataTransfer): { files: File[]; folders: string[] } {
  const entries = [...data.items].filter(({ kind }) => kind === 'file').map((item) => ({ file: item.getAsFile(), entry: item.webkitGetAsEntry?.() ?? null }))
  return {
    files: entries.flatMap(({ file, entry }) => (file && !entry?.isDirectory ? [file] : [])),
    folders: entries.flatMap(({ entry }) => (entry?.isDirectory ? [entry.name] : [])),
  }
}

/**
 * Passes each dropped file on: models, animations and backgrounds to the avatar, the rest to the composer.
 */
export function distribute({ files, folders }: ReturnType<typeof droppedFiles>, { behind, talk }: DropTarget): void {
  const { addAssets, addFiles, focusComposer, notify } = useStore.getState()
  const avatarFiles = files.filter((file) => isAssetName(file) || (behind && isPicture(file)))
  const rest = files.filter((file) => !avatarFiles.includes(file))
  if (folders[0] !== undefined) notify({ tone: 'danger', text: `“${folders[0]}” is a folder. Drop the files that are in it.` })
  if (avatarFiles.length > 0) void addAssets(avatarFiles)
  if (rest.length === 0) return
  if (talk !== null) {
    void addFiles(talk, rest)
    focusComposer()
    return
  }
  const [first] = rest
  const where = first && isPicture(first) ? 'a chat to show it to her, or in Settings, Avatar to set it as the background' : 'a chat to show it to her'
  notify({ tone: 'danger', text: `“${first?.name}” can’t be dropped here. Drop it on ${where}.` })
}
