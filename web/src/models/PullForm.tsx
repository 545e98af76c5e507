import { useId, useState } from 'react'
import { Button } from '@/design/Button'
import { TextField } from '@/design/Field'
import { useStore } from '@/store'

/** The form for a model from a link, or from a file on this machine. */
export function PullForm() {
  const [name, setName] = useState('')
  const field = useId()
  return (
    <form
      className="flex flex-col gap-1.5 px-5"
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = name.trim()
        if (wanted === '') return
        void useStore
          .getState()
          .pullModel({ name: wanted, thenUse: true })
          .then((begun) => begun && setName(''))
      }}
    >
      <label htmlFor={field} className="text-13 text-muted">
        Link to a GGUF file, or its path on this machine
      </label>
      <div className="flex gap-2">
        <TextField id={field} mono value={name} onChange={(event) => setName(event.target.value)} placeholder="https://… or /home/you/model.gguf" />
        <Button type="submit" className="h-9">
          Download
        </Button>
      </div>
    </form>
  )
}
