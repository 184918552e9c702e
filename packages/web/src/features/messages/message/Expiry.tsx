import type { Client } from '@privity/client'
import { everyMinute } from '../../../browser/useMinuteTick.ts'
import { useStore } from '../../../ui/useStore.ts'
import { ExpiryRing } from '../../../ui/indicator/ExpiryRing.tsx'
import { expiryOf } from './expiry.ts'

/** A ring and a text such as 'disappears in 19 h', updated every minute. */
export function Expiry({ client, createdAt, expiresAt }: { client: Client; createdAt: number; expiresAt: number }) {
  useStore(everyMinute)
  const { text, soon, left } = expiryOf({ createdAt, expiresAt }, client.now())
  return (
    <span className={soon ? 'soon' : undefined}>
      <ExpiryRing left={left} />
      {text}
    </span>
  )
}
