/** Has the browser fetch this address of our own and save it under this name, however large it is. */
export function openDownload(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
