/** Downloads a same-origin address under this name; the browser streams it, so the size does not matter. */
export function openDownload(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** Time for the browser to take over the bytes before the object URL is revoked. */
const revokeAfterMs = 60_000

/** Saves bytes as a download with this name. */
export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  openDownload(address, name)
  setTimeout(() => URL.revokeObjectURL(address), revokeAfterMs)
}
