import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { organizationTexts } from '../texts.ts'

/** Asks for confirmation before two-factor authentication becomes optional. */
export function ReleaseTwoFactor({ onClose, onConfirm }: { onClose: () => void; onConfirm: () => void }) {
  const texts = organizationTexts.policy.release
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      title={texts.title}
      description={texts.hint}
      confirmLabel={texts.confirm}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
    />
  )
}
