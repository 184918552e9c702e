import { useQuery } from '@tanstack/react-query'
import { factorQuery } from './queries.ts'
import { securityTexts } from './texts.ts'
import './consoleSecurity.css'

/** Recommends a second factor while the console has none. */
export function FactorAdvice() {
  const { data: state } = useQuery(factorQuery)
  if (state?.since !== null) return null
  return (
    <p className="sec-advice">
      {securityTexts.factor.advice} <a href="#security">{securityTexts.factor.adviceLink}</a>
    </p>
  )
}
