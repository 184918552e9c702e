import { expect, test } from 'vitest'
import { createFounderClient } from '../../src/founder/index.ts'

const query = { format: 'csv', startDate: '2026-01-01', endDate: '2026-01-02' } as const

const answering = (answer: () => Response) => {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (address) => {
    asked.push(address as string)
    return answer()
  }
  return { asked, client: createFounderClient({ origin: 'https://chat.example.org', fetch }) }
}

const named = (disposition: string | undefined) =>
  answering(
    () => new Response('x', disposition === undefined ? {} : { headers: { 'content-disposition': disposition } }),
  )

test('asks by format and dates, and for one type of event only where one is given', async () => {
  const { asked, client } = answering(() => new Response('rows'))
  expect(await (await client.exportLogs(query)).content.text()).toBe('rows')
  await client.exportLogs({ ...query, format: 'json', eventType: 'copy_attempt' })
  const base = 'https://chat.example.org/api/founder/audit-logs/export'
  expect(asked).toEqual([
    `${base}?format=csv&startDate=2026-01-01&endDate=2026-01-02`,
    `${base}?format=json&startDate=2026-01-01&endDate=2026-01-02&eventType=copy_attempt`,
  ])
})

test.each([
  ['attachment; filename="audit_logs_2026-01-01_2026-01-02.csv"', 'audit_logs_2026-01-01_2026-01-02.csv'],
  [undefined, 'audit_logs.csv'],
  ['attachment', 'audit_logs.csv'],
  ['attachment; filename="../../etc/passwd"', 'audit_logs.csv'],
  ['attachment; filename=".hidden"', 'audit_logs.csv'],
])('the name of the file by content-disposition %s', async (disposition, name) => {
  expect((await named(disposition).client.exportLogs(query)).name).toBe(name)
})

test('a refusal is the server’s sentence', async () => {
  const body = { error: 'Please select both start and end dates.', code: 'INVALID_INPUT', message: 'x' }
  const { client } = answering(() => Response.json(body, { status: 400 }))
  await expect(client.exportLogs(query)).rejects.toMatchObject({ code: 'INVALID_INPUT', sentence: body.error })
})

test('a file that breaks off, and a server that is not there, are failures', async () => {
  const broken = () =>
    new Response(
      new ReadableStream({
        start(stream) {
          stream.enqueue(new TextEncoder().encode('half'))
          stream.error(new TypeError('terminated'))
        },
      }),
    )
  await expect(answering(broken).client.exportLogs(query)).rejects.toMatchObject({ code: 'OFFLINE' })
  const gone = () => {
    throw new TypeError('fetch failed')
  }
  await expect(answering(gone).client.exportLogs(query)).rejects.toMatchObject({ code: 'OFFLINE' })
})
