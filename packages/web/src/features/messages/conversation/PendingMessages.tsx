import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { Client } from '@privity/client'
import { messageFor } from '../../../app/callError.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { loadHeld } from '../pendingMessages.ts'
import { messageTexts as texts } from '../texts.ts'

/** With auto sync off: a button that loads new messages. */
export function HeldMessages({ client, connectionId }: { client: Client; connectionId: string }) {
  const load = useMutation({
    mutationFn: () => loadHeld(client, connectionId),
    onError: (error) =>
      toast({ title: texts.notLoaded, description: messageFor(error, texts.tryAgain), tone: 'destructive' }),
  })
  return (
    <div role="status">
      <Button className="convo-new" size="sm" busy={load.isPending} onClick={() => load.mutate()}>
        <Download className="ic" />
        {texts.loadNew}
      </Button>
    </div>
  )
}
