import { useState } from 'react'
import type { OrganizationUser } from '@privity/contract/organization'
import { fullName } from '../../../i18n/fullName.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { organizationTexts } from '../texts.ts'

interface ActiveButtonProps {
  user: OrganizationUser
  onSetActive: (user: OrganizationUser, isActive: boolean) => void
}

/** Activates immediately; asks for confirmation before deactivating. */
export function ActiveButton({ user, onSetActive }: ActiveButtonProps) {
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
