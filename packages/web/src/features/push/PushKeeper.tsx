import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { toast } from '../../ui/toast/toastStore.ts'
import { PushDialog } from './PushDialog.tsx'
import { pushQuery, restorePush } from './queries.ts'
import { pushTexts as texts } from './texts.ts'

async function restore(client: Client): Promise<void> {
  if (await restorePush(client)) return
  toast({ title: texts.lost, description: texts.lostHint, tone: 'warning', stays: true })
}

/** Renews the subscription of this browser at the start, or says that it is lost; offers it after a missed message. */
export function PushKeeper({ client }: { client: Client }) {
  const { data } = useQuery(pushQuery(client))
  const [answered, setAnswered] = useState(false)
  useEffect(() => {
    // Without a connection nothing is known; the next start asks again.
    restore(client).catch(() => {})
  }, [client])
  const isOffered = data?.isOffered === true && data.status === 'off' && !answered
  return isOffered && <PushDialog client={client} isOffer onClose={() => setAnswered(true)} />
}
