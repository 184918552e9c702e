import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { FactorPanel } from './FactorPanel.tsx'
import { PasswordPanel } from './PasswordPanel.tsx'
import { SessionsPanel } from './SessionsPanel.tsx'
import { securityTexts } from './texts.ts'

export const securityId = 'security'

/** Second factor, password and sessions of the founder. */
export function SecuritySection() {
  return (
    <ConsoleSection id={securityId} title={securityTexts.title}>
      <div className="con-grid">
        <div className="c6 sec-stack">
          <FactorPanel />
          <PasswordPanel />
        </div>
        <div className="c6">
          <SessionsPanel />
        </div>
      </div>
    </ConsoleSection>
  )
}
