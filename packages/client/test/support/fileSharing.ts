import { expect } from 'vitest'
import type { FileStatus } from '@privity/contract/files'
import type { ClientEvents, Transfer } from '../../src/index.ts'
import { next, type Person, reaches, type Stage } from './stage.ts'

const isOver = ({ phase }: Transfer) => phase === 'done' || phase === 'failed' || phase === 'cancelled'

export function ended({ client }: Person, id: string): Promise<Transfer> {
  const find = (all: readonly Transfer[]) => all.find((each) => each.id === id)
  return reaches(client.files.transfers, (all) => isOver(find(all) as Transfer)).then((all) => find(all) as Transfer)
}

/** A loop: `Uint8Array.from` with a function takes twenty times as long. */
export function bytesOf(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at++) bytes[at] = at * 31 + (at >> 8)
  return bytes
}

export type FileMessage = ClientEvents['message'] & { filePath: string }

/** Sends a file and gives the message as the other side hears it. */
export async function share(from: Person, to: Person, connectionId: string, file: File): Promise<FileMessage> {
  const heard = next(to, 'message')
  const transfer = await ended(from, from.client.files.send(connectionId, file))
  expect([transfer.phase, transfer.error]).toEqual(['done', undefined])
  return (await heard) as FileMessage
}

interface Saved {
  name: string
  type: string
  bytes: Uint8Array
}

export async function download(person: Person, message: ClientEvents['message']) {
  const saved: Saved[] = []
  const id = person.client.files.download(message, async (name, type, stream) => {
    saved.push({ name, type, bytes: new Uint8Array(await new Response(stream as never).arrayBuffer()) })
  })
  return { transfer: await ended(person, id), saved }
}

export async function approve(owner: Person, requester: Person, message: FileMessage): Promise<void> {
  const asked = next(owner, 'authorization_requested')
  const changed = nextWithStatus(requester, 'authorized')
  await requester.client.files.request(message)
  await owner.client.files.decide(await asked, true)
  await changed
}

export function nextWithStatus({ client }: Person, status: FileStatus['status']): Promise<void> {
  return new Promise((resolve) => {
    const off = client.on('authorization_changed', (event) => {
      if (event.status.status !== status) return
      off()
      resolve()
    })
  })
}

export const report = () => new File([bytesOf(2_500_000)], 'Report – final.pdf', { type: 'application/pdf' })

export async function shared(stage: Stage, file = report()) {
  const { anna, ben, connectionId } = await stage.pair()
  return { anna, ben, connectionId, message: await share(anna, ben, connectionId, file) }
}
