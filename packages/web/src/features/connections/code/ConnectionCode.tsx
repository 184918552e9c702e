import { Fragment, useId } from 'react'
import { copyableText } from '../../../browser/clipboard.ts'
import { Cut, cutShapes } from '../../../ui/cut/Cut.tsx'
import { CardShareButtons } from './ShareButtons.tsx'
import { spaceCode, spellCode } from './spelling.ts'
import { connectionTexts as texts } from '../texts.ts'
import '../../../ui/tile/connectionCode.css'

/** Decorative digits, the same for every code: not derived from the code. */
const cutDigits = '304821190755310004187'

/** The user's own connection code, with buttons to copy and share it. */
export function ConnectionCode({ code }: { code: string }) {
  const id = useId()
  const groups = code.split('-')
  return (
    <section className="deed" data-keep-clear="" aria-labelledby={id} {...copyableText}>
      <div className="deed-top on-ink">
        <h2 id={id}>{texts.yourCode}</h2>
        <p className="code">
          <span className="sr">{spaceCode(code)}</span>
          <span className="code-shown" aria-hidden="true">
            {groups.map((group, i) => (
              <Fragment key={`${i}${group}`}>
                {i > 0 && <s>-</s>}
                {/^\d+$/.test(group) ? <em>{group}</em> : group}
              </Fragment>
            ))}
          </span>
        </p>
        <p className="spell">{spellCode(code)}</p>
        <Cut className="cut" digits={cutDigits} shape={cutShapes.code} length={640} depth={16} />
      </div>
      <CardShareButtons code={code} />
    </section>
  )
}
