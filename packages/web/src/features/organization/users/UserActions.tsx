import { useState } from 'react'
import { LockOpen, ShieldOff, Trash2 } from 'lucide-react'
import type { OrganizationUser } from '@privity/contract/organization'
import type { User } from '@privity/contract/session'
import { fullName } from '../../../i18n/names.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { reasonAgainst } from '../roles.tsx'
import { organizationTexts } from '../texts.ts'
import { RowButton } from '../../../ui/table/DataTable.tsx'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'

interface UserActionsProps {
  me: User
  user: OrganizationUser
  isLocked: boolean
  onSetActive: (user: OrganizationUser, isActive: boolean) => void
  onResetFactor: (user: OrganizationUser) => void
  onUnlock: (user: OrganizationUser) => void
  onDelete: (user: OrganizationUser) => void
}

/** Actions on a user's account, or the reason why none is allowed. */
export function UserActions(props: UserActionsProps) {
  const { me, user, isLocked, onSetActive, onResetFactor, onUnlock, onDelete } = props
  const texts = organizationTexts.users
  const reason = reasonAgainst(me, user)
  if (reason) return <span className="adm-none">{texts[reason]}</span>
  const name = fullName(user)
  return (
    <div className="row-acts">
      <ActiveButton user={user} onSetActive={onSetActive} />
      {isLocked && <RowButton label={texts.unlock(name)} icon={LockOpen} onClick={() => onUnlock(user)} />}
      {user.hasSecondFactor && (
        <RowButton label={texts.resetFactor(name)} icon={ShieldOff} onClick={() => onResetFactor(user)} />
      )}
      <RowButton danger label={texts.remove(name)} icon={Trash2} onClick={() => onDelete(user)} />
    </div>
  )
}

interface ActiveButtonProps {
  user: OrganizationUser
  onSetActive: (user: OrganizationUser, isActive: boolean) => void
}

/** Activates immediately; asks for confirmation before deactivating. */
function ActiveButton({ user, onSetActive }: ActiveButtonProps) {
  const { users: texts, changes } = organizationTexts
  const [asking, setAsking] = useState(false)
  const name = fullName(user)
  return (
    <>
      <Button
        size="sm"
        className="adm-toggle"
        aria-label={user.isActive ? texts.deactivateName(name) : texts.activateName(name)}
        onClick={() => (user.isActive ? setAsking(true) : onSetActive(user, true))}
      >
        {user.isActive ? texts.deactivate : texts.activate}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={changes.deactivateTitle(name)}
        description={changes.deactivateHint(name)}
        confirmLabel={changes.deactivateConfirm}
        onConfirm={() => {
          setAsking(false)
          onSetActive(user, false)
        }}
      />
    </>
  )
}
