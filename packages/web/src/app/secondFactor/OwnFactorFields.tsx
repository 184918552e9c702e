import { ProofFields } from './ProofFields.tsx'
import type { OwnFactor } from './useOwnFactor.ts'

/** Fields for the user's own second factor, if it is enabled. */
export function OwnFactorFields({ factor, autoFocus }: { factor: OwnFactor; autoFocus?: boolean }) {
  return factor.on && <ProofFields entry={factor.entry} elsewhere={factor.elsewhere} autoFocus={autoFocus} />
}
