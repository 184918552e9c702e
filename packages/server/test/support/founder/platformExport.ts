import { platformColumns } from '@privity/contract/founder/platformExportFormat'
import { securityEvents } from '@privity/contract/securityEvents'
import { session } from '@privity/contract/session'
import { type PlatformVerdict, verifyPlatformExport } from '../../../src/auditVerifier/platformExportVerifier.ts'
import type { Member, TestServer } from '../server/testServer.ts'
import type { Caller } from '../server/caller.ts'

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export const verify = (text: string, key?: string, chunk = 64 * 1024): Promise<PlatformVerdict> =>
  verifyPlatformExport(inChunks(text, chunk), key)

export const day = 24 * 60 * 60 * 1000

export const address = (query: Record<string, string>) =>
  `/api/founder/audit-logs/export?${new URLSearchParams(query).toString()}`

/** Exports a range around the server's current time by default. */
export async function exported(
  server: TestServer,
  founder: Caller,
  format: 'csv' | 'json',
  more: Record<string, string> = {},
): Promise<{ text: string; headers: Headers }> {
  const now = server.clock.now()
  const dates = { startDate: new Date(now - 7 * day).toISOString(), endDate: new Date(now).toISOString() }
  const answer = await founder.fetch(address({ format, ...dates, ...more }))
  const bytes = await answer.arrayBuffer()
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (answer.status !== 200) throw new Error(`the export answered ${answer.status} ${text}`)
  return { text, headers: answer.headers }
}

export type Row = Record<string, unknown> & { no: number; kind: string; id: string; action: string; time: string }

export const rowsOf = (json: string): Row[] => (JSON.parse(json) as { logs: Row[] }).logs

export const report = (member: Member, eventType: 'copy_attempt' | 'screenshot_attempt') =>
  member.call(securityEvents.report, {
    body: {
      eventType,
      eventDescription: 'A key was pressed',
      pageUrl: '/settings',
      severity: eventType === 'copy_attempt' ? 'low' : 'high',
      metadata: { shortcut: 'PrintScreen' },
      sessionId: 'unknown',
    },
  })

/** Creates entries and events of several days, of members and strangers. */
export async function createLogs(server: TestServer) {
  const anna = await server.signUp('anna')
  const ben = await server.signUp('ben')
  for (let round = 0; round < 4; round++) {
    await anna.call(session.generateCode, {})
    await report(ben, round % 2 === 0 ? 'copy_attempt' : 'screenshot_attempt')
    await server.visitor().refused(session.login, { body: { username: 'anna', password: 'x' } })
    await server.advance(60_000)
  }
  return { anna, ben }
}

/** A parser of RFC 4180 that does not depend on line endings. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [[]]
  let at = 0
  while (at < text.length) {
    let value = ''
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (at >= text.length) throw new Error('a quote without its end')
        if (text[at] === '"') at += 1
        value += text[at]
      }
      at += 1
    } else while (at < text.length && !/[",\r\n]/.test(text[at] as string)) value += text[at++]
    records.at(-1)?.push(value)
    if (text[at] === ',') at += 1
    else if (text.slice(at, at + 2) === '\r\n') {
      at += 2
      if (at < text.length) records.push([])
    } else throw new Error(`no end of a record at ${at}`)
  }
  return records
}

export const column = (name: (typeof platformColumns)[number]) => platformColumns.indexOf(name)
