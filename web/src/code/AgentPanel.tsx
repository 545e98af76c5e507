import { GitPullRequestArrow, MessageSquarePlus, X } from 'lucide-react'
import { Suspense, useEffect } from 'react'
import type { ConversationId } from '@/api/protocol.gen'
import { Announcer } from '@/chat/Announcer'
import { SidebarButton } from '@/chat/ChatHead'
import { NEW_CODE } from '@/composer/drafts'
import { Boundary } from '@/design/Boundary'
import { Broken } from '@/design/Broken'
import { Button } from '@/design/Button'
import { IconButton } from '@/design/IconButton'
import { useMedia } from '@/design/media'
import { Face } from '@/design/Moon'
import { lazyPart } from '@/design/lazyPart'
import { fragmentOf } from '@/shell/route'
import { useStore } from '@/store'
import { Questions } from '@/tools/Questions'
import { plain } from '@/tools/wording'
import { CodeComposer } from './CodeComposer'
import { WIDE } from './panes'
import { showsProposal } from './runs'
import { StatusMark } from './StatusMark'
import { useCodeStore } from './useCodeStore'

const MessageList = lazyPart(() => import('@/chat/MessageList'))

/** The chat beside the code. With `alone` it fills the page. */
export function AgentPanel({ alone = false }: { alone?: boolean }) {
  const id = useStore((state) => state.codeChat)
  const draftKey = id ?? NEW_CODE
  const conversation = useStore((state) => (id === null ? undefined : state.conversations[id]))
  const sending = useStore((state) => state.outgoing[draftKey] !== undefined || (id !== null && state.live[id] !== undefined))
  const gone = conversation?.state === 'failed' && conversation.gone && !sending
  useEffect(() => {
    if (id === null) return
    useStore.getState().answerInWorkspace(id)
    void useStore.getState().peekChat(id)
  }, [id])
  useEffect(() => {
    // The conversation was deleted elsewhere. Its draft is kept.
    if (!gone || id === null) return
    useStore.getState().moveDraft(id, NEW_CODE)
    useStore.getState().showCodeChat(null)
  }, [gone, id])
  const empty = !sending && (id === null || (conversation?.state === 'ready' && conversation.messages.length === 0))
  const failed = conversation?.state === 'failed' && !gone && !sending
  return (
    <div className="agent-panel relative flex h-full min-w-0 flex-col">
      <Head alone={alone} />
      {failed ? (
        <div className="flex-1 px-4 py-6">
          <p role="alert" className="text-15 text-muted">
            {conversation.trouble}
          </p>
          <Button className="mt-3" onClick={() => id !== null && void useStore.getState().peekChat(id)}>
            Try again
          </Button>
        </div>
      ) : empty ? (
        <Starters draftKey={draftKey} alone={alone} />
      ) : (
        <Boundary resetOn={draftKey} fallback={<Broken />}>
          <Suspense fallback={<div className="flex-1" aria-busy="true" />}>
            <MessageList key={draftKey} draftKey={draftKey} id={id} conversation={conversation} />
          </Suspense>
        </Boundary>
      )}
      {id !== null && !sending && <Waiting chat={id} />}
      {id !== null && <Questions key={`questions ${id}`} chat={id} edge="px-3" />}
      <CodeComposer key={`composer ${draftKey}`} draftKey={draftKey} />
      {id !== null && <Announcer key={`announcer ${id}`} chat={id} />}
    </div>
  )
}

/** The open proposal of the conversation, shown if the message that it belongs to is not loaded. */
function Waiting({ chat }: { chat: ConversationId }) {
  const waiting = useCodeStore((state) => state.proposals?.find(({ status, conversationId }) => status === 'open' && conversationId === chat))
  const seen = useCodeStore((state) => waiting !== undefined && state.tab === `review ${waiting.id}`)
  const shown = useStore((state) => state.conversations[chat]?.messages.some((message) => waiting && showsProposal(message, state.codeRuns[message.id], waiting.id)))
  const wide = useMedia(WIDE)
  if (!waiting || shown || (seen && wide)) return null
  return (
    <div className="shrink-0 px-3 pb-2">
      <a
        href={fragmentOf({ page: 'code', view: 'review', item: waiting.id })}
        className="mx-auto flex h-9 w-full max-w-[44.5rem] items-center gap-2.5 rounded-card bg-raised px-3.5 text-13 shadow-lit transition-colors hover:bg-[color-mix(in_oklab,var(--text)_5%,var(--raised))] pointer-coarse:h-11"
      >
        <GitPullRequestArrow size={15} className="text-accent-text" />
        <bdi className="min-w-0 flex-1 truncate">{plain(waiting.title)}</bdi>
        <StatusMark status="open" stale={waiting.stale.length > 0} />
      </a>
    </div>
  )
}

function Head({ alone }: { alone: boolean }) {
  const name = useStore((state) => state.companionName)
  const title = useStore((state) => (state.codeChat === null ? '' : (state.conversations[state.codeChat]?.chat?.title ?? '')))
  const Title = alone ? 'h1' : 'h2'
  const begun = useStore((state) => state.codeChat !== null)
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 ps-4 pe-3 pt-[env(safe-area-inset-top)]">
      {alone && (
        <span className="-ms-1">
          <SidebarButton />
        </span>
      )}
      <Title className="min-w-0 flex-1 truncate text-15 font-medium" dir="auto">
        {title === '' ? name : plain(title)}
      </Title>
      {begun && (
        <IconButton
          label="New conversation about the code"
          side="bottom"
          onClick={() => {
            useStore.getState().showCodeChat(null)
            useStore.getState().focusComposer()
          }}
        >
          <MessageSquarePlus size={17} />
        </IconButton>
      )}
      {!alone && (
        <IconButton label="Hide the conversation" keys="mod+shift+b" side="bottom" onClick={() => useCodeStore.getState().showAgent(false)}>
          <X size={17} />
        </IconButton>
      )}
    </header>
  )
}

/** The suggestions for an empty folder, with nothing yet to explain or to fix. */
const FIRST_STARTERS = ['Start a small command-line program, with a test', 'Set up a web page without a framework', 'Plan a project first']
const STARTERS = ['Explain how this project is built', 'Fix a bug', 'Write tests for the open file', 'Plan a change first']

function Starters({ draftKey, alone }: { draftKey: string; alone: boolean }) {
  const name = useStore((state) => state.companionName)
  const model = useStore((state) => state.models?.current.state ?? 'ready')
  const nothing = useCodeStore((state) => state.files?.length === 0)
  const { setText, focusComposer, show } = useStore.getState()
  if (model === 'none' || model === 'failed') {
    return (
      <div className="mx-auto flex min-h-0 w-full max-w-[46rem] flex-1 flex-col justify-end overflow-y-auto px-4 pb-5">
        {alone && <Face size={44} mood="sorry" className="mb-4" />}
        <p className="display text-22">{model === 'none' ? 'No model yet' : 'The model is not working'}</p>
        <p className="mt-1 text-15 text-pretty text-muted">{name} needs one to read and write code. The files, the editor and the terminal work without it.</p>
        <div className="mt-3">
          <Button variant="primary" onClick={() => show({ kind: 'models' })}>
            Choose a model
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="mx-auto flex min-h-0 w-full max-w-[46rem] flex-1 flex-col justify-end overflow-y-auto px-4 pb-3">
      {/* A second avatar beside the code would be redundant. */}
      {alone && <Face size={44} className="mb-4" />}
      <p className="display text-22">{nothing ? 'What shall we build?' : 'What do you want to change?'}</p>
      <p className="mt-1 text-13 text-pretty text-muted">{name} reads, tries and tests. You review the result.</p>
      <ul aria-label="Suggestions" className="mt-3 -ms-2 flex flex-col items-start">
        {(nothing ? FIRST_STARTERS : STARTERS).map((text) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => {
                setText(draftKey, text)
                if (text.startsWith('Plan')) useCodeStore.getState().setMode('plan')
                focusComposer()
              }}
              className="rounded-control px-2 py-1 text-start text-13 text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:py-2.5"
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
