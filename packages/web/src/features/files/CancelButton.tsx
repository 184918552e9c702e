import { X } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { LateTooltip } from '../../ui/LateTooltip.tsx'

/** A lone cross; `name` says what it ends. */
export function CancelButton({ name, onCancel }: { name: string; onCancel: () => void }) {
  return (
    <LateTooltip text={name}>
      <Button variant="ghost" size="sm" icon aria-label={name} onClick={onCancel}>
        <X className="ic" />
      </Button>
    </LateTooltip>
  )
}
