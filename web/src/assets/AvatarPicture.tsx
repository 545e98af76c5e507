import { useEffect, useState } from 'react'
import { thumbnail } from './thumbnail'

/** A picture of an avatar. Until it is ready, or if it cannot be drawn, an outline takes its place. */
export function AvatarPicture({ url }: { url: string }) {
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

/** The outline of a figure with a moon on a stalk. */
export function Silhouette() {
  return (
    <svg viewBox="0 0 80 100" aria-hidden="true" className="size-full fill-[color-mix(in_oklab,var(--text)_8%,transparent)]">
      <path d="M45.5 9.5a7 7 0 1 0 1.6 9.4 5.4 5.4 0 1 1-1.6-9.4Z" />
      <path d="M39.6 21.5h2.2L40 36h-2.2Z" />
      <rect x="17" y="35" width="46" height="40" rx="19.5" />
      <path d="M27 100c0-13 4-22 13-22s13 9 13 22Z" />
    </svg>
  )
}
