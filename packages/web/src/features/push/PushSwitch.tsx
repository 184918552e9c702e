import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { toastError } from '../../app/callError.ts'
import { SwitchRow } from '../../ui/section/Section.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { PushDialog } from './PushDialog.tsx'
import { pushQuery, switchOff, useLivePush } from './queries.ts'
import { pushTexts as texts } from './texts.ts'

/** Switches push notifications of this browser; takes effect at once, unlike the draft around it. */
export function PushSwitch({ client }: { client: Client }) {
  const { data } = useQuery(pushQuery(client))
  useLivePush(client)
  const [asking, setAsking] = useState(false)
  const [ending, setEnding] = useState(false)
  const status = data?.status
  const isReady = status === 'on' || status === 'off' || status === 'lost'

  async function end(): Promise<void> {
    setEnding(true)
    try {
      await switchOff(client)
      toast({ title: texts.off })
    } catch (error) {
      toastError(error, texts.failed)
    }
    setEnding(false)
  }

  return (
    <>
      <SwitchRow
        label={texts.row.label}
        hint={
          <>
            {texts.row.hint}
            {status !== undefined && status !== 'on' && status !== 'off' && (
              <b className="set-by">{texts.status[status]}</b>
            )}
          </>
        }
        checked={status === 'on'}
        disabled={!isReady || ending}
        onChange={(on) => (on ? setAsking(true) : void end())}
      />
      {asking && <PushDialog client={client} onClose={() => setAsking(false)} />}
    </>
  )
}
