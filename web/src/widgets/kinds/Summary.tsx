import { OmittedNote, InlineText } from '../parts'
import type { Summary as Data } from '../read/lists'

export function Summary({ text, points }: Data) {
  return (
    <div className="max-w-(--measure) wrap-anywhere">
      {text && (
        <div className="text-[1rem]/relaxed">
          <InlineText text={text} />
        </div>
      )}
      {points.shown.length > 0 && (
        <ul className={text ? 'mt-4 grid gap-2' : 'grid gap-2'}>
          {points.shown.map((point, index) => (
            <li key={index} className="flex gap-3">
              <span aria-hidden="true" className="mt-[0.5625rem] size-1.5 shrink-0 rounded-full bg-accent" />
              <div className="min-w-0 flex-1">
                <InlineText text={point} />
              </div>
            </li>
          ))}
        </ul>
      )}
      <OmittedNote of={points} what="points" />
    </div>
  )
}
