import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { Participant } from '@privity/contract/connections'
import { messageFor } from '../../../app/callError.ts'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import {
  ending,
  patchConnections,
  refreshBlocked,
  refreshFormer,
  refreshStatistics,
  withoutConnection,
} from '../queries.ts'
import { managementTexts } from './texts.ts'

/** A connection that the user is about to remove or block. */
export interface Ended {
  how: 'remove' | 'block'
  connectionId: string
  name: string
  party: Participant
}

interface EndConnectionProps {
  client: Client
  ended: Ended
  onClose: () => void
}

function wordsOf({ name, party }: Ended, how: Ended['how']) {
  const texts = managementTexts
  return how === 'remove'
    ? {
        title: texts.removeTitle(name),
        description: texts.removeHint,
        confirmLabel: texts.removeConfirm,
        busyLabel: texts.removing,
        done: { title: texts.removed, description: texts.removedHint },
        failed: texts.notRemoved,
      }
    : {
        title: texts.blockTitle(name),
        description: texts.blockHint(party.firstName),
        confirmLabel: texts.blockConfirm,
        busyLabel: texts.blocking,
        done: { title: texts.blocked(name), description: texts.blockedHint },
        failed: texts.notBlocked,
      }
}

/** Asks for confirmation, then removes a connection or blocks the contact; removal offers blocking as well. */
export function EndConnection({ client, ended, onClose }: EndConnectionProps) {
  const { connectionId } = ended
  // Kept in state, so that the texts do not change while the dialog closes.
  const [words] = useState(() => ({ remove: wordsOf(ended, 'remove'), block: wordsOf(ended, 'block') }))
  const asked = words[ended.how]
  const end = useMutation({
    async mutationFn(how: Ended['how']) {
      ending.add(connectionId)
      if (how === 'remove') await client.connections.remove(connectionId)
      else await client.connections.block(connectionId)
    },
    onSuccess(_answer, how) {
      patchConnections((known) => withoutConnection(known, connectionId))
      void refreshStatistics()
      void refreshFormer()
      if (how === 'block') void refreshBlocked()
      toast(words[how].done)
      onClose()
    },
    onError(error, how) {
      const { failed } = words[how]
      ending.delete(connectionId)
      toast({
        title: managementTexts.error,
        description: how === 'remove' ? failed : messageFor(error, failed),
        tone: 'destructive',
      })
      onClose()
    },
  })
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      title={asked.title}
      description={asked.description}
      confirmLabel={asked.confirmLabel}
      busyLabel={asked.busyLabel}
      busy={end.isPending}
      onConfirm={() => end.mutate(ended.how)}
      alternative={
        ended.how === 'remove'
          ? { label: managementTexts.removeAndBlock, onSelect: () => end.mutate('block') }
          : undefined
      }
    />
  )
}
