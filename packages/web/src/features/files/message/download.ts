import { saveBlob } from '../../../browser/blobDownload.ts'

/** Saves a decrypted file under its own name. Saves nothing if the stream fails. */
export async function saveFile(name: string, type: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const bytes = await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).blob()
  saveBlob(name, new Blob([bytes], { type: type || 'application/octet-stream' }))
}
