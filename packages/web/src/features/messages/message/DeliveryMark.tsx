import { Check, CheckCheck } from 'lucide-react'
import type { Delivery } from '../delivery.ts'
import { messageTexts as texts } from '../texts.ts'

export function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const Icon = delivery === 'read' ? CheckCheck : Check
  return (
    <span className={delivery === 'read' ? 'read' : undefined}>
      <Icon className="ic ic-sm" />
      {texts.delivery[delivery]}
    </span>
  )
}
