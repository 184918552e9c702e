import { useEffect, useMemo, useRef } from 'react'
import type { Client, Transfer } from '@privity/client'
import { useStore } from '../../ui/useStore.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { isOver, reasonOf } from './fileState.ts'
import { fileTexts as texts } from './texts.ts'

/** Running or failed uploads of a conversation, oldest first. */
export function useUploads(client: Client, connectionId: string): readonly Transfer[] {
  const all = useStore(client.files.transfers)
  return useMemo(
    () =>
      all.filter(
        (transfer) =>
          transfer.kind === 'upload' &&
          transfer.connectionId === connectionId &&
          (!isOver(transfer) || transfer.phase === 'failed'),
      ),
    [all, connectionId],
  )
}

/** The running download of a message's file, if there is one. */
export function useDownload(client: Client, messageId: string): Transfer | undefined {
  return useStore(client.files.transfers).find(
    (transfer) => transfer.kind === 'download' && transfer.messageId === messageId && !isOver(transfer),
  )
}

/** Shows a toast when a transfer ends, wherever it was started. */
export function useTransferToasts(client: Client): void {
  const ended = useRef(new Set<string>())
  useEffect(() => {
    const { transfers } = client.files
    const finished = () => transfers.get().filter(isOver)
    ended.current = new Set(finished().map((transfer) => transfer.id))
    return transfers.subscribe(() => {
      const now = finished()
      const fresh = now.filter((transfer) => !ended.current.has(transfer.id))
      ended.current = new Set(now.map((transfer) => transfer.id))
      for (const transfer of fresh) {
        say(transfer)
        // A failed upload stays in the list, with a button to retry.
        if (transfer.kind === 'download' || transfer.phase !== 'failed') client.files.dismiss(transfer.id)
      }
    })
  }, [client])
}

function say(transfer: Transfer): void {
  const { kind, phase, name, resumes } = transfer
  if (kind === 'upload' && phase === 'done') toast({ title: texts.shared, description: texts.sharedHint(name) })
  if (phase !== 'failed') return
  if (resumes) return toast({ title: texts.interrupted, description: texts.resumesHint(name), tone: 'warning' })
  toast(
    kind === 'upload'
      ? { title: texts.uploadFailed, description: reasonOf(transfer), tone: 'destructive' }
      : { title: texts.downloadFailed, description: texts.downloadFailedHint, tone: 'destructive' },
  )
}
