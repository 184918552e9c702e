import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  method: string | undefined
  path: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

export interface Services extends AsyncDisposable {
  readonly origin: string
  /** Every request received, in order. */
  readonly asked: Asked[]
  /** Sets the response from now on: a status, or never a response. */
  answerWith(answer: number | 'nothing'): void
}

/** Fakes of SendGrid and Twilio on this machine. */
export async function createServices(): Promise<Services> {
  const asked: Asked[] = []
  let answer: number | 'nothing' = 202
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => void (body += part))
    request.on('end', () => {
      asked.push({ method: request.method, path: request.url, headers: request.headers, body })
      if (answer === 'nothing') return
      const elsewhere = answer >= 300 && answer < 400 ? { location: '/elsewhere' } : {}
      response.writeHead(answer, { 'content-type': 'application/json', ...elsewhere }).end('{"secret":"echo"}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answerWith: (given) => void (answer = given),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
