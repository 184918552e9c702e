import type { MouseEvent } from 'react'
import { X } from 'lucide-react'
import { Button } from '../../ui/button/Button.tsx'
import { LateTooltip } from '../../ui/overlay/LazyTooltip.tsx'

/** An icon button; `name` states what it cancels. */
export function CancelButton({ name, onCancel }: { name: string; onCancel: () => void }) {
  /** The button appears where the start button was, so ignore the second click of a double click. */
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
