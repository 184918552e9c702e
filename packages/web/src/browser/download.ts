/** Downloads a same-origin address under this name; the browser streams it, so the size does not matter. */
export function openDownload(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
