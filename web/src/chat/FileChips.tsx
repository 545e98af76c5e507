import { FileText, X } from 'lucide-react'
import { attachmentAddress } from '@/api/chats'
import type { AttachmentInfo } from '@/api/protocol.gen'
import type { DraftFile } from '@/composer/files'
import { bytes } from '@/design/format'
import { IconButton } from '@/design/IconButton'
import { classNames } from '@/design/classNames'
import { useStore } from '@/store'

interface ShownFile {
  key: string
  name: string
  bytes: number
  picture: boolean
  address: string
}

export function fromDraft(file: DraftFile): ShownFile {
  const address = file.preview ?? `data:text/plain;base64,${file.data}`
  return { key: file.id, name: file.name, bytes: file.bytes, picture: file.kind === 'picture', address }
}

export function fromStored(file: AttachmentInfo): ShownFile {
  return {
    key: file.id,
    name: file.name,
    bytes: file.bytes,
    picture: file.mime.startsWith('image/'),
    address: attachmentAddress(file.id),
  }
}

interface Props {
  files: ShownFile[]
  onRemove?: (key: string) => void
  /** True in a message, which has room for a picture. */
  large?: boolean
}

/** The files of a message or of a draft. A click opens one. */
export function FileChips({ files, onRemove, large = false }: Props) {
  const show = useStore((state) => state.show)
  if (files.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2" aria-label="Files">
      {files.map((file) => (
        <li key={file.key} className="group/file relative">
          <button
            type="button"
            onClick={() => show({ kind: file.picture ? 'picture' : 'textFile', address: file.address, name: file.name })}
            className={classNames(
              'flex max-w-60 items-center gap-3 overflow-hidden rounded-card bg-[color-mix(in_oklab,var(--text)_6%,transparent)] text-start shadow-[inset_0_0_0_1px_var(--hairline)] transition-colors hover:bg-pressed',
              file.picture && large ? 'h-40' : 'h-16',
            )}
          >
            <span className="sr-only">Show </span>
            {file.picture ? (
              <img src={file.address} alt={file.name} className={classNames('object-cover', large ? 'size-40' : 'size-16')} />
            ) : (
              <span className="flex min-w-0 items-center gap-2.5 px-3.5">
                <FileText size={18} className="text-muted" />
                <span className="min-w-0">
                  <span className="block truncate text-13" dir="auto">
                    {file.name}
                  </span>
                  <span className="block text-12 text-muted">{bytes(file.bytes)}</span>
                </span>
              </span>
            )}
          </button>
          {onRemove && (
            <IconButton
              size="small"
              label={`Remove ${file.name}`}
              onClick={() => onRemove(file.key)}
              className="absolute -end-2 -top-2 size-6! rounded-full! bg-raised shadow-lit hover:bg-raised"
            >
              <X size={13} />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  )
}
