import { createCallError, offlineError, toCallError } from '../transport/call.ts'
import type { OnProgress } from './fileCrypto.ts'

/** PUTs raw bytes. Throws CallError. `onProgress` counts the bytes sent. */
type Put = (url: string, body: Blob, onProgress: OnProgress, signal: AbortSignal) => Promise<void>

const headers = { 'content-type': 'application/octet-stream' }

/** For Node, whose fetch reports no progress. */
const createFetchPut =
  (fetch: typeof globalThis.fetch): Put =>
  async (url, body, onProgress, signal) => {
    const response = await fetch(url, { method: 'PUT', body, headers, credentials: 'include', signal }).catch(
      (cause: unknown) => {
        signal.throwIfAborted()
        throw offlineError(cause)
      },
    )
    if (!response.ok) throw await toCallError(response)
    onProgress(body.size)
  }

/** Only XMLHttpRequest reports the progress of an upload in browsers. */
const putByXhr: Put = (url, body, onProgress, signal) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal.addEventListener('abort', abort)
    request.open('PUT', url)
    request.withCredentials = true
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', abort)
      if (signal.aborted) reject(signal.reason as Error)
      else if (request.status === 0) reject(offlineError(undefined))
      else if (request.status < 300) resolve()
      else {
        const { status, statusText, responseText: text } = request
        reject(createCallError({ status, statusText, text, retryAfter: request.getResponseHeader('retry-after') }))
      }
    })
    request.send(body)
  })

/** Without `fetch`, uses the browser's XMLHttpRequest. */
export const createPut = (fetch: typeof globalThis.fetch | undefined): Put => (fetch ? createFetchPut(fetch) : putByXhr)
