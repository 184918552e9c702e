import type { Client } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { toast } from '../../../ui/toast/toastStore.ts'
import { formatSize } from '../fileLabels.ts'
import { fileTexts as texts } from '../texts.ts'
import { uploadQueueOf } from './uploadQueue.ts'

/** Queues files for upload; refuses files above the size limit before anything leaves this device. */
export function shareFiles(client: Client, connectionId: string, files: readonly File[]): void {
  const tooLarge = files.find((file) => file.size > limits.fileBytes)
  if (tooLarge) {
    const description = texts.tooLarge(tooLarge.name, formatSize(tooLarge.size))
    toast({ title: texts.uploadFailed, description, tone: 'destructive' })
  }
  const fitting = files.filter((file) => file.size <= limits.fileBytes)
  uploadQueueOf(client).add(connectionId, fitting)
}
