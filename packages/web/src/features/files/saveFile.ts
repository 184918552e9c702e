/** Time for the browser to have taken over the bytes before their address is given up. */
const kept = 60_000

/** Hands a decrypted file to the browser's downloads under its own name. Nothing is saved if the stream fails. */
export async function saveFile(name: string, type: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const bytes = await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).blob()
  const address = URL.createObjectURL(new Blob([bytes], { type: type || 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), kept)
}
