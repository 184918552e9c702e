import { useQuery } from '@tanstack/react-query'
import { factorQuery } from './queries.ts'
import { securityTexts } from './texts.ts'
import './consoleSecurity.css'

/** One line above the sections for as long as the password alone opens the console. */
export function FactorAdvice() {
  const { data: state } = useQuery(factorQuery)
  if (state?.since !== null) return null
  return (
    <p className="sec-advice">
      {securityTexts.factor.advice} <a href="#security">{securityTexts.factor.adviceLink}</a>
    </p>
  )
}
