import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import type { Client } from '@privity/client'
import { messageFor } from '../../../app/callError.ts'
import { queryClient } from '../../../app/queryClient.ts'
import { userQuery } from '../../../app/userQuery.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { connectionTexts } from '../texts.ts'

/** Replaces the user's connection code after a confirmation: the old code becomes useless. */
export function NewCode({ client, code }: { client: Client; code: string }) {
  const texts = connectionTexts.manage
  const [asking, setAsking] = useState(false)
  const [replaced, setReplaced] = useState(code)
  const generate = useMutation({
    mutationFn: () => client.connections.generateCode(),
    async onSuccess() {
      await queryClient.invalidateQueries(userQuery)
      setAsking(false)
      toast({ title: texts.generated })
    },
    onError(error) {
      setAsking(false)
      toast({ title: texts.notGenerated, description: messageFor(error, ''), tone: 'destructive' })
    },
  })

  function ask() {
    setReplaced(code)
    setAsking(true)
  }

  return (
    <>
      <Button onClick={ask}>
        <RefreshCw className="ic" />
        {texts.generate}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={texts.generateTitle}
        description={texts.generateHint(replaced)}
        confirmLabel={texts.generate}
        busyLabel={texts.generating}
        busy={generate.isPending}
        onConfirm={() => generate.mutate()}
      />
    </>
  )
}
