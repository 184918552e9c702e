import { connect } from 'node:net'
import { files } from '@privity/contract/files'
import { expect } from 'vitest'
import { activeUploads } from '../../../src/features/files/activeTransfers.ts'
import type { Member, TestServer } from '../server/testServer.ts'
import { randomFile } from './conversation.ts'

export const newAddress = async (member: Member) => (await member.call(files.createUpload, {})).uploadURL

export const put = (member: Member, path: string, body: RequestInit['body'] = randomFile(10)) =>
  member.fetch(path, { method: 'PUT', body, headers: { 'content-type': 'application/octet-stream' } })

/** Tries to register and expects a refusal. */
export const failToRegister = (member: Member, fileURL: string) => member.refused(files.register, { body: { fileURL } })

/** The id at the end of an upload address or a file path. */
export const idIn = (path: string) => path.slice(-36)

/** Every complete and every partial object. */
export async function objects({ core: { storage } }: TestServer): Promise<string[]> {
  return [...(await storage.list()), ...(await storage.partials())].map(({ id }) => id)
}

/** Waits until bytes of an upload arrive. A bucket shows a small upload only when it is complete. */
export async function untilArriving(server: TestServer, path: string): Promise<void> {
  const id = idIn(path)
  const arrives = async () =>
    server.core.config.s3 === undefined ? (await objects(server)).includes(id) : activeUploads.has(id)
  await expect.poll(arrives, { interval: 5 }).toBe(true)
}

export async function expectRefused(response: Response | Promise<Response>, status: number, code: string) {
  const answer = await response
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status, body: { code } })
}

/** Starts a PUT by hand and sends `bytes` of its body. */
export function startPut({ url }: TestServer, member: Member, path: string, head: string, bytes: Uint8Array) {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  socket.write(`PUT ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\n${head}\r\n\r\n`)
  socket.write(bytes)
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => void (answer += text))
  // Ignored: after a reset, 'close' follows.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  return { socket, answer: () => answer, closed }
}
