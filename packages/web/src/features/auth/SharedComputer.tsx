import { useId } from 'react'
import { Checkbox } from '../../ui/choice/Checkbox.tsx'
import { authTexts } from './texts.ts'

const texts = authTexts.signIn

/** The visitor's choice, which the sign-in and the reset of the password share. */
export interface SharedComputerChoice {
  isShared: boolean
  setShared: (isShared: boolean) => void
}

/** The checkbox for a shared computer, with a hint at what the visitor has to do without there. */
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
