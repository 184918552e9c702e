import { useState } from 'react'
import { RefreshCw } from 'lucide-react'
import type { Client } from '@privity/client'
import { queryClient } from '../../../app/queryClient.ts'
import { userQuery } from '../../../app/session.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { managementTexts } from '../management/texts.ts'
import { ConfirmAction } from '../../../app/ConfirmAction.tsx'

/** Replaces the user's connection code after a confirmation: the old code becomes useless. */
export function NewCode({ client, code }: { client: Client; code: string }) {
  const texts = managementTexts
  const [asking, setAsking] = useState(false)
  const [replaced, setReplaced] = useState(code)
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
      <ConfirmAction
        open={asking}
        title={texts.generateTitle}
        description={texts.generateHint(replaced)}
        confirmLabel={texts.generate}
        busyLabel={texts.generating}
        act={() => client.connections.generateCode()}
        onSuccess={async () => {
          await queryClient.invalidateQueries(userQuery)
          toast({ title: texts.generated })
        }}
        failed={texts.notGenerated}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
