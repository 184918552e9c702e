import type { Strength } from './strength.ts'
import { newPasswordTexts as texts } from './texts.ts'
import './strength.css'

interface StrengthMeterProps {
  strength: Strength
  /** The field already shows an error that the password is too short. */
  refused: boolean
}

/** Shows the strength in five steps with a label and advice. */
export function StrengthMeter({ strength, refused }: StrengthMeterProps) {
  const { score, longEnough, advice } = strength
  const shown = longEnough ? score : Math.min(score, 1)
  return (
    <div className={`strength strength-${shown}`}>
      <span className="strength-bar" aria-hidden="true">
        {texts.words.map((word, step) => (
          <i key={word} className={step <= shown ? 'on' : undefined} />
        ))}
      </span>
      <span role="status">
        <span className="sr">{texts.strength}: </span>
        <b>{texts.words[shown]}</b>
      </span>
      {(longEnough || !refused) && <p>{longEnough ? advice : texts.tooShort}</p>}
    </div>
  )
}
