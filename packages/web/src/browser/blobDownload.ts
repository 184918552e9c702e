import { openDownload } from './download.ts'

/** Time for the browser to have taken over the bytes before their address is given up. */
const kept = 60_000

/** Hands bytes to the browser's downloads under this name. */
export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  openDownload(address, name)
  setTimeout(() => URL.revokeObjectURL(address), kept)
}
