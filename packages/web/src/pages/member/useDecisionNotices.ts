import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { queryClient } from '../../core/queryClient.ts'
import { fullName } from '../../features/connections/party.ts'
import { fileTexts } from '../../features/files/texts.ts'
import { historyKey, type OpenedHistory } from '../../features/messages/queries.ts'
import { toast } from '../../ui/toastStore.ts'

/** The file's own name, where its conversation is loaded; the server does not know it. */
function nameOf(connectionId: string, filePath: string): string {
  const history = queryClient.getQueryData<OpenedHistory>(historyKey(connectionId))
  const body = history?.messages.find((message) => message.filePath === filePath)?.body
  return body?.kind === 'file' ? body.name : fileTexts.theFile
}

/** Tells whoever asked for a file what its owner has decided. */
export function useDecisionNotices(client: Client): void {
  useEffect(
    () =>
      client.on('notification', (notification) => {
        if (notification.kind !== 'file_decided') return
        const { decision, who, connectionId, filePath } = notification
        toast({
          title: fileTexts.decided[decision](fullName(who)),
          description: fileTexts.decidedHint[decision](nameOf(connectionId, filePath)),
          tone: decision === 'approved' ? 'success' : 'info',
        })
      }),
    [client],
  )
}
