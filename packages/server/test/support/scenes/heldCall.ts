import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Endpoint } from '@privity/contract/endpoint'
import type { Caller } from '../server/caller.ts'
import type { TestServer } from '../server/testServer.ts'

/** Resolves once the guard has counted the next call, that is, has found its session. */
function nextAuthorized({ core }: TestServer): Promise<void> {
  const { take } = core.rates
  return new Promise((resolve) => {
    core.rates.take = (...given) => {
      core.rates.take = take
      const takeBack = take(...given)
      resolve()
      return takeBack
    }
  })
}

/**
 * Sends the head of a call; once it is authorized, resolves with a function that sends the body and resolves with the
 * status of the response.
 */
export async function holdBody(
  server: TestServer,
  { cookies, address }: Caller,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  body: unknown,
): Promise<() => Promise<number>> {
  const { host, hostname, port } = new URL(server.url)
  const json = JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    `x-forwarded-for: ${address}`,
    `cookie: ${[...cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(json)}`,
    'connection: close',
  ]
  const authorized = nextAuthorized(server)
  const stream = connect(Number(port), hostname)
  const answer = text(stream)
  stream.write(`${head.join('\r\n')}\r\n\r\n`)
  await authorized
  return async () => {
    stream.write(json)
    return Number(/^HTTP\/1\.1 (\d+) /.exec(await answer)?.[1])
  }
}
