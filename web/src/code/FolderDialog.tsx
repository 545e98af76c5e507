import { Dialog } from '@/design/Dialog'
import { useStore } from '@/store'
import { FolderForm } from './FolderForm'

/** The dialog that opens another folder. */
export default function FolderDialog() {
  const { show, go } = useStore.getState()
  return (
    <Dialog title="Open a folder" onClose={() => show(null)}>
      <div className="overflow-y-auto px-5 pb-5">
        <FolderForm
          onOpened={() => {
            show(null)
            go({ page: 'code' })
          }}
        />
      </div>
    </Dialog>
  )
}
