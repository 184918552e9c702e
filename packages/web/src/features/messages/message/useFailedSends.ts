import { useEffect, useRef } from 'react'
import type { Client } from '@privity/client'
import { toast } from '../../../ui/toast/toastStore.ts'
import { failureReason } from './OutboxRow.tsx'
import { messageTexts as texts } from '../texts.ts'

/** Shows a toast when a message of any conversation fails to send; it can be retried in its conversation. */
export function useFailedSends(client: Client): void {
  const known = useRef(new Set<string>())
  useEffect(() => {
    const failedNow = () => client.outbox.get().filter((item) => item.state === 'failed')
    known.current = new Set(failedNow().map((item) => item.id))
    return client.outbox.subscribe(() => {
      const failed = failedNow()
      const fresh = failed.find((item) => !known.current.has(item.id))
      known.current = new Set(failed.map((item) => item.id))
      if (!fresh) return
      const reason = failureReason(fresh)
      if (fresh.code === 'ARRIVAL_UNKNOWN') toast({ title: reason ?? texts.failed, tone: 'destructive' })
      else toast({ title: texts.failed, description: reason, tone: 'destructive' })
    })
  }, [client])
}
