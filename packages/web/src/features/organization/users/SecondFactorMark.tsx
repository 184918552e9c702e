import { ShieldCheck } from 'lucide-react'
import { organizationTexts } from '../texts.ts'

/** Whether more than the password is needed to sign in. */
export function SecondFactorMark({ has }: { has: boolean }) {
  const texts = organizationTexts.users
  return (
    <span className="adm-factor">
      {has && <ShieldCheck className="ic ic-sm" />}
      {has ? texts.hasFactor : texts.noFactor}
    </span>
  )
}
