import { ProofFields } from './ProofFields.tsx'
import type { OwnFactor } from './useOwnFactor.ts'

/** The field for one's second factor, where there is one. */
export function OwnFactorFields({ factor, autoFocus }: { factor: OwnFactor; autoFocus?: boolean }) {
  return factor.on && <ProofFields entry={factor.entry} elsewhere={factor.elsewhere} autoFocus={autoFocus} />
}
