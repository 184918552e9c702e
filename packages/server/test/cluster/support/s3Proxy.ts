import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A fault of a request. Numbers of bytes are those of the request or response body that still pass. */
export type Fault =
  | { answer: number; code?: string; body?: string }
  | { cutRequest: number }
  | { cutAnswer: number }
  | { spoilRequest: true }
  | { hang: true }
  | { hangAnswer: number }

export interface S3Proxy extends AsyncDisposable {
  endpoint: string
  /** Each request, as "PUT /bucket/key?query". */
  seen: string[]
  /** Called for each request. */
  fault: (name: string, headers: IncomingMessage['headers']) => Fault | undefined
}

const errorText = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`

/** Passes requests on to the object store of TEST_S3_ENDPOINT, with faults. */
export async function createS3Proxy(): Promise<S3Proxy> {
  const target = new URL(process.env['TEST_S3_ENDPOINT'] ?? '')

  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    { answer: status, code, body }: Extract<Fault, { answer: number }>,
  ) {
    request.resume()
    request.on('end', () => response.writeHead(status).end(body ?? errorText(code ?? 'InternalError')))
  }

  function pass(request: IncomingMessage, response: ServerResponse, fault: Fault | undefined): void {
    const { method, url, headers } = request
    const onward = send({ host: target.hostname, port: target.port, method, path: url, headers, agent: false })
    onward.on('error', () => void request.socket.destroy())
    let taken = 0
    request.on('data', (chunk: Buffer) => {
      if (fault !== undefined && 'spoilRequest' in fault && taken === 0) chunk[0] = (chunk[0] ?? 0) ^ 1
      taken += chunk.length
      if (fault !== undefined && 'cutRequest' in fault && taken > fault.cutRequest) {
        onward.destroy()
        request.socket.resetAndDestroy()
      } else onward.write(chunk)
    })
    request.on('end', () => onward.end())
    request.on('close', () => void (request.complete || onward.destroy()))
    onward.on('response', (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers)
      const most =
        fault === undefined
          ? undefined
          : 'cutAnswer' in fault
            ? fault.cutAnswer
            : 'hangAnswer' in fault
              ? fault.hangAnswer
              : undefined
      let given = 0
      answered.on('data', (chunk: Buffer) => {
        const part = most === undefined ? chunk : chunk.subarray(0, Math.max(0, most - given))
        given += chunk.length
        response.write(part)
        if (most === undefined || given < most) return
        answered.destroy()
        if (fault !== undefined && 'cutAnswer' in fault) request.socket.destroySoon()
      })
      answered.on('end', () => response.end())
      answered.on('error', () => {})
    })
    response.on('close', () => void onward.destroy())
  }

  const server = createServer((request, response) => {
    const name = `${request.method} ${request.url}`
    proxy.seen.push(name)
    const fault = proxy.fault(name, request.headers)
    request.on('error', () => {})
    if (fault !== undefined && 'answer' in fault) answer(request, response, fault)
    else if (fault !== undefined && 'hang' in fault) request.resume()
    else pass(request, response, fault)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: S3Proxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    fault: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
  return proxy
}

/** A fault for the first `times` requests whose name matches. */
export function faults(fits: RegExp, fault: Fault, times = Number.POSITIVE_INFINITY): S3Proxy['fault'] {
  let left = times
  return (name) => (fits.test(name) && left-- > 0 ? fault : undefined)
}
