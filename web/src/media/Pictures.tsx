import { useState } from 'react'
import { OmittedNote } from '@/widgets/parts'
import type { Pictures as Shown } from './read'

/** Pictures from a server, in their natural size but never wider than the page. */
export function Pictures({ pictures, title }: Shown & { title: string }) {
  return (
    <div className="flex flex-col gap-3">
      {pictures.shown.map((address, at) => (
        <Picture key={at} address={address} name={pictures.shown.length > 1 ? `${title}, picture ${at + 1}` : title} />
      ))}
      <OmittedNote of={pictures} what="pictures" />
    </div>
  )
}

function Picture({ address, name }: { address: string; name: string }) {
  const [broken, setBroken] = useState(false)
  if (broken) return <p className="text-13 text-faint">This picture is damaged, and cannot be shown.</p>
  return (
    <a href={address} download={`${name}.${kind(address)}`} title="Save it" className="block w-fit max-w-full rounded-card">
      <img src={address} alt={name} onError={() => setBroken(true)} className="max-h-[28rem] max-w-full rounded-card object-contain" />
    </a>
  )
}

const kind = (address: string) => address.slice('data:image/'.length, address.indexOf(';'))
