import './lists.css'
import { OmittedNote, InlineText } from '../parts'
import type { TimelineContent as Data } from '../read/lists'

export function Timeline({ moments }: Data) {
  const dated = moments.shown.some(({ when }) => when !== '')
  return (
    <>
      <ol className="timeline" data-dated={dated || undefined}>
        {moments.shown.map(({ when, title, text }, index) => (
          <li key={index} className="timeline-row">
            {dated && (
              <span dir="auto" className="timeline-when text-13 text-muted tabular-nums wrap-anywhere">
                {when}
              </span>
            )}
            <span aria-hidden="true" className="timeline-mark" />
            <div className="timeline-what min-w-0 wrap-anywhere">
              <div className="font-medium">
                <InlineText text={title} />
              </div>
              {text && (
                <div className="mt-0.5 max-w-(--measure) text-muted">
                  <InlineText text={text} />
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
      <OmittedNote of={moments} what="moments" />
    </>
  )
}
