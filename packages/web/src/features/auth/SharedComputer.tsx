import { useId } from 'react'
import { Checkbox } from '../../ui/choice/Checkbox.tsx'
import { authTexts } from './texts.ts'

const texts = authTexts.signIn

/** Whether the computer is a shared one, as chosen at sign-in. */
export interface SharedComputerChoice {
  isShared: boolean
  setShared: (isShared: boolean) => void
}

export function SharedComputer({ isShared, setShared }: SharedComputerChoice) {
  const costId = useId()
  return (
    <div>
      <Checkbox
        label={texts.sharedComputer}
        aria-describedby={costId}
        checked={isShared}
        onChange={({ target }) => setShared(target.checked)}
      />
      <p className="hint" id={costId}>
        {texts.sharedComputerHint}
      </p>
    </div>
  )
}
