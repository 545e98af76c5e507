import { TriangleAlert } from 'lucide-react'
import { Button } from '@/design/Button'
import { BacktickText } from '@/design/BacktickText'
import { plain } from '@/tools/wording'
import { useServerStore } from './useServerStore'

/** A problem that the user has to fix. */
export function ServerTrouble({ text }: { text: string }) {
  const { refreshServers } = useServerStore.getState()
  return (
    <div role="alert" className="mt-4 flex gap-3 rounded-card bg-[color-mix(in_oklab,var(--warn)_10%,transparent)] px-4 py-3 text-13">
      <TriangleAlert size={16} className="mt-0.5 text-warn" />
      <div className="min-w-0">
        <p className="wrap-anywhere whitespace-pre-wrap">
          <BacktickText text={plain(text)} />
        </p>
        <Button className="mt-2 h-7" onClick={() => void refreshServers()}>
          Look again
        </Button>
      </div>
    </div>
  )
}
