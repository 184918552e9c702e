import { KeyRound } from 'lucide-react'
import { Link } from 'wouter'
import type { User } from '@privity/contract/session'
import { recoveryKeyTexts as texts } from './texts.ts'
import '../../ui/panel/panel.css'

/** Until a new one is made: whoever closed the page over the key has none, in whatever browser he is now. */
export function UnsavedRecoveryKey({ user }: { user: User }) {
  if (user.recoveryKeyUnsaved !== true) return null
  return (
    <div className="alert alert-warning" role="status">
      <KeyRound className="ic" />
      <p>
        {texts.unsaved} <Link href="/account-settings">{texts.makeNew}</Link>
      </p>
    </div>
  )
}
