import { Face } from '@/design/Moon'
import { useStore } from '@/store'
import { FolderForm } from './FolderForm'

const PROMISES = ['She reads that folder, and no other.', 'You review every change before it reaches a file.', 'Commands run in a sandbox, and every change can be undone.']

/** The page before the first folder is opened. */
export function NoFolder() {
  const name = useStore((state) => state.companionName)
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-center-safe overflow-y-auto px-6 pt-2 pb-16">
      <div className="mx-auto w-full max-w-[34rem]">
        <Face size={56} />
        <h1 className="display mt-5 text-30 sm:text-44">Let’s write code.</h1>
        <p className="mt-2 text-17 text-pretty text-muted">Open a folder, and {name} works on it with you.</p>
        <ul className="mt-5 mb-7 flex flex-col gap-1.5 text-15 text-muted">
          {PROMISES.map((text) => (
            <li key={text} className="flex gap-3">
              <span aria-hidden="true" className="mt-2.5 size-1 shrink-0 rounded-full bg-accent" />
              {text}
            </li>
          ))}
        </ul>
        <FolderForm onOpened={() => useStore.getState().go({ page: 'code' })} />
      </div>
    </div>
  )
}
