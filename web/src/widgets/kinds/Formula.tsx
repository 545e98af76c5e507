import './formula.css'
import { Maths } from '@/markdown/Maths'
import { OmittedNote, InlineText } from '../parts'
import type { Formula as Data } from '../read/lists'

export function Formula({ latex, text, variables }: Data) {
  return (
    <>
      <div className="formula">
        <Maths tex={latex} display />
      </div>
      {text && (
        <div className="mx-auto mt-2 max-w-(--measure) text-center text-muted wrap-anywhere">
          <InlineText text={text} />
        </div>
      )}
      {variables.shown.length > 0 && (
        <dl className="mx-auto mt-5 grid w-fit max-w-full grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5">
          {variables.shown.map(({ name, meaning }, index) => (
            <div key={index} className="contents">
              <dt className="text-end">
                <Maths tex={name} display={false} />
              </dt>
              <dd className="text-muted wrap-anywhere">
                <InlineText text={meaning} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <OmittedNote of={variables} what="variables" />
    </>
  )
}
