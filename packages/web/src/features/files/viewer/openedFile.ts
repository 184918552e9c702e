import type { Client, DecryptedMessage } from '@privity/client'

/** A file on its way into memory. */
export interface Opening {
  /** Rejects if the download fails or is cancelled. */
  file: Promise<Blob>
  cancel: () => void
}

/** Downloads a file as `Download` does, and counts like it, but keeps the verified bytes in memory. */
export function openInMemory({ files }: Pick<Client, 'files'>, message: DecryptedMessage): Opening {
  const { promise: file, resolve, reject } = Promise.withResolvers<Blob>()
  file.catch(() => {})
  const id = files.download(message, async (_name, _type, stream) => {
    resolve(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).blob())
  })
  const off = files.transfers.subscribe(() => {
    const transfer = files.transfers.get().find((each) => each.id === id)
    if (transfer && transfer.phase !== 'failed' && transfer.phase !== 'cancelled') return
    off()
    reject(new Error('The download has ended.'))
  })
  return { file, cancel: () => files.cancel(id) }
}
