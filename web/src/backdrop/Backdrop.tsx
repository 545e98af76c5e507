/** What stands behind her. It fills its place, and is not for the hand. */
export default function Backdrop({ className }: { className?: string }) {
  return <div aria-hidden="true" className={className} />
}
