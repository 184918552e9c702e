import { useId } from 'react'
import { Checkbox } from '../../ui/choice/Checkbox.tsx'
import { authTexts } from './texts.ts'

const texts = authTexts.signIn

/** The visitor's choice, which stays when they go from the sign-in to a new password. */
export interface SharedComputerChoice {
  isShared: boolean
  setShared: (isShared: boolean) => void
}

/** Asks whether this is a shared computer, and says what that costs. */
export function SharedComputer({ isShared, setShared }: SharedComputerChoice) {
  const hintId = useId()
  return (
    <div>
      <Checkbox
        label={texts.sharedComputer}
        aria-describedby={hintId}
        checked={isShared}
        onChange={({ target }) => setShared(target.checked)}
      />
      <p className="hint" id={hintId}>
        {texts.sharedComputerHint}
      </p>
    </div>
  )
}
