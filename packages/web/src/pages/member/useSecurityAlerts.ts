import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { translated } from '../../app/callError.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { memberTexts as texts } from './texts.ts'

/** Shows the client's security alerts about the user's own keys. */
export function useAlarms(client: Client): void {
  useEffect(
    () =>
      client.on('alarm', (said) =>
        toast({ title: texts.alarm, description: translated(said), tone: 'critical', stays: true }),
      ),
    [client],
  )
}
