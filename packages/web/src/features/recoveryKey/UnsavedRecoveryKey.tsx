import { KeyRound } from 'lucide-react'
import { Link } from 'wouter'
import type { User } from '@privity/contract/session'
import { recoveryKeyTexts as texts } from './texts.ts'
import '../../ui/panel/panel.css'

/** Warns, in every browser, until a new key is created: a user who left the page without saving the key has none. */
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
