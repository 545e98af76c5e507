import type { BodyChoice as Choose, BodyReport } from '@/api/protocol.gen'
import { bytes } from '@/design/format'
import { useStore } from '@/store'
import { AddCard, Choice, Part } from './Choice'
import { AvatarPicture } from './AvatarPicture'
import { stem } from './recognise'
import { ASSETS_TOPIC } from './slice'

const SHAPE = 'aspect-[4/5]'

/** The choice of the avatar: the built-in one in its colours, and every added model. */
export function BodyChoice({ body }: { body: BodyReport }) {
  const { chooseBody, removeAsset, withdraw } = useStore.getState()
  const choose = (choice: Choose) => {
    withdraw(ASSETS_TOPIC)
    void chooseBody(choice)
  }
  // The model may lie outside the folder; then only the settings name it.
  const elsewhere = body.model !== null && !body.trouble && !body.models.some(({ filename }) => filename === body.model) ? body.model : null
  return (
    <Part title="Avatar" about="The built-in avatar comes in three colours. You can also use any VRM file.">
      {body.trouble && <p className="-mt-1 mb-3 text-13 text-warn">{body.trouble}</p>}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-x-3 gap-y-4 sm:grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))]">
        {body.palettes.map(({ name, title, url, colours }) => (
          <Choice
            key={name}
            group="body"
            title={title}
            note={<Swatches colours={colours} />}
            chosen={(body.model === null || body.trouble !== null) && body.palette === name}
            onChoose={() => choose({ model: '', palette: name })}
            shape={SHAPE}
          >
            <AvatarPicture url={url} />
          </Choice>
        ))}
        {elsewhere !== null && (
          <Choice group="body" title={elsewhere} note="Set in the settings file" chosen onChoose={() => {}} shape={SHAPE}>
            <AvatarPicture url={body.url} />
          </Choice>
        )}
        {body.models.map(({ filename, url, bytes: size }) => (
          <Choice
            key={filename}
            group="body"
            title={stem(filename)}
            note={bytes(size)}
            chosen={body.model === filename}
            onChoose={() => choose({ model: filename })}
            onRemove={() => void removeAsset('models', filename)}
            shape={SHAPE}
          >
            <AvatarPicture url={url} />
          </Choice>
        ))}
        <AddCard label="Add an avatar" accept=".vrm" note="Drop a .vrm here" shape={`${SHAPE} flex-col px-2`} />
      </div>
    </Part>
  )
}

function Swatches({ colours }: { colours: readonly string[] }) {
  return (
    <span className="flex gap-1 pt-0.5" aria-hidden="true">
      {colours.map((colour, index) => (
        <span key={index} className="size-3 rounded-full shadow-[inset_0_0_0_1px_var(--hairline)]" style={{ backgroundColor: colour }} />
      ))}
    </span>
  )
}
