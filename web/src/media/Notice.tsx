/** The text of a system notification. */
export function Notice({ title, text }: { title: string; text: string }) {
  return (
    <div dir="auto" className="max-w-(--measure) py-0.5 wrap-anywhere whitespace-pre-wrap">
      <p className="font-medium">{title}</p>
      {text && <p className="text-muted">{text}</p>}
    </div>
  )
}
