import { useSyncExternalStore } from 'react'
import { KeyRound } from 'lucide-react'
import { Link } from 'wouter'
import type { User } from '@privity/contract/session'
import { unsavedRecoveryKey } from '../../core/unsavedRecoveryKey.ts'
import { recoveryKeyTexts as texts } from './texts.ts'
import '../../styles/panel.css'

/** Until a new one is made: whoever closed the page over the key has none. */
export function UnsavedRecoveryKey({ user }: { user: User }) {
  const isUnsaved = useSyncExternalStore(unsavedRecoveryKey.subscribe, () => unsavedRecoveryKey.isOf(user))
  if (!isUnsaved) return null
  return (
    <div className="alert alert-warning" role="status">
      <KeyRound className="ic" />
      <p>
        {texts.unsaved} <Link href="/account-settings">{texts.makeNew}</Link>
      </p>
    </div>
  )
}
