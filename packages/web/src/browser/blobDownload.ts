import { openDownload } from './download.ts'

/** Time for the browser to take over the bytes before the object URL is revoked. */
const kept = 60_000

/** Saves bytes as a download with this name. */
export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  openDownload(address, name)
  setTimeout(() => URL.revokeObjectURL(address), kept)
}
