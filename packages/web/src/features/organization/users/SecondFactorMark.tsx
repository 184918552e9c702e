import { ShieldCheck } from 'lucide-react'
import { organizationTexts } from '../texts.ts'

/** Shows whether the user has a second factor. */
export function SecondFactorMark({ has }: { has: boolean }) {
  const texts = organizationTexts.users
  return (
    <span className="adm-factor">
      {has && <ShieldCheck className="ic ic-sm" />}
      {has ? texts.hasFactor : texts.noFactor}
    </span>
  )
}
