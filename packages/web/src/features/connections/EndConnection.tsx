import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { Party } from '@privity/contract/connections'
import { sentenceOf } from '../../core/callError.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { toast } from '../../ui/toastStore.ts'
import { ending, patchConnections, refreshBlocked, refreshStatistics, withoutConnection } from './queries.ts'
import { connectionTexts } from './texts.ts'

/** A connection that someone is about to remove, or to remove and block. */
export interface Ended {
  how: 'remove' | 'block'
  connectionId: string
  name: string
  party: Party
}

interface EndConnectionProps {
  client: Client
  ended: Ended
  onClose: () => void
}

function wordsOf({ how, name, party }: Ended) {
  const texts = connectionTexts.manage
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

/** Asks once more, then removes a connection, or removes it and blocks its other party. */
export function EndConnection({ client, ended, onClose }: EndConnectionProps) {
  const { how, connectionId } = ended
  // Kept: the sentence must not change while the dialog closes.
  const [words] = useState(() => wordsOf(ended))
  const end = useMutation({
    async mutationFn() {
      ending.add(connectionId)
      if (how === 'remove') await client.connections.remove(connectionId)
      else await client.connections.block(connectionId)
    },
    onSuccess() {
      patchConnections((known) => withoutConnection(known, connectionId))
      void refreshStatistics()
      if (how === 'block') void refreshBlocked()
      toast(words.done)
      onClose()
    },
    onError(error) {
      ending.delete(connectionId)
      toast({
        title: connectionTexts.manage.error,
        description: how === 'remove' ? words.failed : sentenceOf(error, words.failed),
        tone: 'destructive',
      })
      onClose()
    },
  })
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      title={words.title}
      description={words.description}
      confirmLabel={words.confirmLabel}
      busyLabel={words.busyLabel}
      busy={end.isPending}
      onConfirm={() => end.mutate()}
    />
  )
}
