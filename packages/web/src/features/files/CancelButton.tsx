import type { MouseEvent } from 'react'
import { X } from 'lucide-react'
import { Button } from '../../ui/button/Button.tsx'
import { LateTooltip } from '../../ui/overlay/LazyTooltip.tsx'

/** A lone cross; `name` says what it ends. */
export function CancelButton({ name, onCancel }: { name: string; onCancel: () => void }) {
  /** It comes where the button was that began: the second half of a double click there is not meant for this one. */
  const click = ({ detail }: MouseEvent) => {
    if (detail < 2) onCancel()
  }
  return (
    <LateTooltip text={name}>
      <Button variant="ghost" size="sm" icon aria-label={name} onClick={click}>
        <X className="ic" />
      </Button>
    </LateTooltip>
  )
}
