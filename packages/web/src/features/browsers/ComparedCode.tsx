import { isCallError, messageFor } from '../../app/callError.ts'
import { Button } from '../../ui/button/Button.tsx'
import { FormError } from '../../ui/feedback/Errors.tsx'
import { Spinner } from '../../ui/feedback/Progress.tsx'
import type { useComparison } from './useComparison.ts'
import { browsersTexts as texts } from './texts.ts'
import './browsers.css'

type Shown = Pick<ReturnType<typeof useComparison>, 'state' | 'error' | 'restart'>

interface Words {
  question: string
  /** Said once the comparison is over. */
  ended: string
}

const isOver = (error: unknown) => isCallError(error) && error.code === 'APPROVAL_ENDED'

/** The six digits with the question about them, or what the comparison waits for. */
export function ComparedCode({ state, error, restart, question, ended }: Shown & Words) {
  if (error || state.status === 'ended') {
    return (
      <div className="browser-step">
        <FormError message={error && !isOver(error) ? messageFor(error, texts.fallback) : ended} />
        <Button onClick={restart}>{texts.again}</Button>
      </div>
    )
  }
  if (state.status !== 'comparing') {
    return (
      <p className="browser-wait" role="status">
        <Spinner />
        {texts.waiting}
      </p>
    )
  }
  const { code } = state
  return (
    <div className="browser-step" role="status">
      {/* One digit at a time, as it is compared. */}
      <output className="browser-code" aria-label={`${texts.code}: ${[...code].join(' ')}`}>
        {code.slice(0, 3)} {code.slice(3)}
      </output>
      <p>{question}</p>
    </div>
  )
}
