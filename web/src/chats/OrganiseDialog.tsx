import { Check, FolderPlus, Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { ConversationId } from '@/api/protocol.gen'
import { Button } from '@/design/Button'
import { Dialog } from '@/design/Dialog'
import { TextField } from '@/design/Field'
import { useStore } from '@/store'

/** The number of existing tags that are suggested at once; others are typed. */
const OFFERED = 8

/** The dialog for the folder and the tags of a conversation. */
export default function OrganiseDialog({ id }: { id: ConversationId }) {
  const chat = useStore((state) => state.conversations[id]?.chat ?? state.chats.find((row) => row.id === id))
  const folders = useStore((state) => state.folders)
  const known = useStore((state) => state.tags)
  const { show, patchChat } = useStore.getState()
  const [folder, setFolder] = useState(chat?.folder ?? '')
  const [tags, setTags] = useState(chat?.tags ?? [])
  const [tag, setTag] = useState('')

  const addTag = () => {
    const fresh = tag.split(/[\s,#]+/).filter(Boolean)
    if (fresh.length > 0) setTags((chosen) => [...new Set([...chosen, ...fresh])])
    setTag('')
    return fresh
  }
  const offered = known.filter(({ name }) => !tags.includes(name)).slice(0, OFFERED)
  const save = () => {
    const all = [...new Set([...tags, ...addTag()])]
    void patchChat(id, { folder: folder.trim(), tags: all })
    show(null)
  }

  return (
    <Dialog title="Folder and tags" onClose={() => show(null)} width="sm:w-[26rem]">
      <form
        className="flex min-h-0 flex-col gap-5 overflow-y-auto px-5 pb-5"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <p className="truncate text-13 text-muted" dir="auto">
          {chat?.title || 'New chat'}
        </p>
        <label className="flex flex-col gap-1.5">
          <span className="text-13 text-muted">Folder</span>
          <TextField value={folder} onChange={(event) => setFolder(event.target.value)} placeholder="No folder" dir="auto" maxLength={80} />
        </label>
        {folders.length > 0 && (
          <ul className="-mt-3 flex flex-wrap gap-1.5" aria-label="Folders">
            {folders.map(({ name }) => (
              <li key={name}>
                <Button variant={folder === name ? 'raised' : 'quiet'} aria-pressed={folder === name} onClick={() => setFolder(folder === name ? '' : name)}>
                  {folder === name ? <Check size={14} /> : <FolderPlus size={14} />}
                  {name}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <label className="flex flex-col gap-1.5">
          <span className="text-13 text-muted">Tags</span>
          <TextField
            value={tag}
            placeholder="Add a tag"
            dir="auto"
            maxLength={80}
            onChange={(event) => setTag(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && tag.trim() !== '' && !event.nativeEvent.isComposing) {
                event.preventDefault()
                addTag()
              }
            }}
          />
        </label>
        {tags.length + offered.length > 0 && (
          <ul className="-mt-3 flex flex-wrap gap-1.5" aria-label="Tags">
            {tags.map((name) => (
              <li key={name}>
                <Button aria-label={`Remove the tag ${name}`} onClick={() => setTags(tags.filter((other) => other !== name))}>
                  {name}
                  <X size={14} className="text-faint" />
                </Button>
              </li>
            ))}
            {offered.map(({ name }) => (
              <li key={name}>
                <Button variant="quiet" icon={<Plus size={14} />} aria-label={`Add the tag ${name}`} onClick={() => setTags([...tags, name])}>
                  {name}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={() => show(null)}>
            Cancel
          </Button>
          <Button variant="primary" type="submit">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
