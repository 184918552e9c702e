import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { toast } from '../../ui/toastStore.ts'
import { memberTexts as texts } from './texts.ts'

/** What the client noticed about one's own keys that should not be. */
export function useAlarms(client: Client): void {
  useEffect(
    () => client.on('alarm', ({ sentence }) => toast({ title: texts.alarm, description: sentence, tone: 'critical' })),
    [client],
  )
}
