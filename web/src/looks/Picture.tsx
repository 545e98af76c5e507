import { useEffect, useState } from 'react'
import { thumbnail } from './thumbnail'

/** A picture of a body. Until there is one, and where none can be drawn, its outline stands there. */
export function Picture({ url }: { url: string }) {
  const [picture, setPicture] = useState<{ url: string; drawn: string } | null>(null)
  useEffect(() => {
    let left = false
    thumbnail(url).then(
      (drawn) => {
        if (!left) setPicture({ url, drawn })
      },
      () => {},
    )
    return () => {
      left = true
    }
  }, [url])
  if (picture?.url !== url) return <Silhouette />
  return <img src={picture.drawn} alt="" draggable={false} className="size-full animate-appear object-contain object-bottom" />
}

export function Silhouette() {
  return (
    <svg viewBox="0 0 80 100" aria-hidden="true" className="size-full fill-[color-mix(in_oklab,var(--text)_9%,transparent)]">
      <circle cx="40" cy="38" r="17" />
      <path d="M12 100c0-24 10-37 28-37s28 13 28 37Z" />
    </svg>
  )
}
