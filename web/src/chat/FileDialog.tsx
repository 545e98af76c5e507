import { useEffect, useState } from 'react'
import { Dialog } from '@/design/Dialog'
import { useStore } from '@/store'

interface Props {
  kind: 'picture' | 'textFile'
  address: string
  name: string
}

export default function FileDialog({ kind, address, name }: Props) {
  const show = useStore((state) => state.show)
  return (
    <Dialog title={name} onClose={() => show(null)} width="sm:w-[52rem]">
      <div className="min-h-0 overflow-auto px-5 pb-5">
        {kind === 'picture' ? (
          <img src={address} alt={name} className="mx-auto max-h-[64vh] rounded-card object-contain" />
        ) : (
          <TextFile address={address} />
        )}
      </div>
    </Dialog>
  )
}

function TextFile({ address }: { address: string }) {
  const [text, setText] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let gone = false
    readText(address).then(
      (content) => {
        if (!gone) setText(content)
      },
      () => {
        if (!gone) setFailed(true)
      },
    )
    return () => {
      gone = true
    }
  }, [address])
  if (failed) return <p className="text-15 text-muted">The file could not be fetched. It is still part of the message.</p>
  return (
    <pre tabIndex={0} className="overflow-x-auto rounded-card bg-well p-4 font-mono text-13 whitespace-pre-wrap wrap-anywhere">
      {text ?? 'Opening…'}
    </pre>
  )
}

/**
 * Reads the text behind an address. Data URLs are decoded here, since the content security policy allows no
 * connection to `data:`.
 */
async function readText(address: string): Promise<string> {
  const inline = /^data:[^,]*;base64,(.*)$/.exec(address)?.[1]
  if (inline !== undefined) {
    return new TextDecoder().decode(Uint8Array.from(atob(inline), (letter) => letter.charCodeAt(0)))
  }
  const response = await fetch(address)
  if (!response.ok) throw new Error('not there')
  return response.text()
}
