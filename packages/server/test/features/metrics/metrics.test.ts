import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { errors } from '@privity/contract/errors'
import { session } from '@privity/contract/session'
import { expect, test } from 'vitest'
import { createMetrics } from '../../../src/core/metrics/metrics.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { createTalk } from '../../support/scenes/conversation.ts'

const token = 'a-token-for-the-scraper-0123456789abcdef'
const withToken = { authorization: `Bearer ${token}` }

/** The value of each line that is no comment, by name and labels. */
function valuesIn(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

test('without METRICS_TOKEN there is no such address, whoever asks', async () => {
  await using server = await createTestServer()
  for (const headers of [{}, withToken, { authorization: 'Bearer undefined' }]) {
    const { status, body } = await server.visitor().request('GET', '/metrics', undefined, headers)
    expect([status, body]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })])
  }
})

test('only the whole token reads it: anybody else is answered as where there is no such address', async () => {
  await using server = await createTestServer({ env: { METRICS_TOKEN: token } })
  const member = await server.signUp()
  const attempts: Record<string, string>[] = [
    {},
    { authorization: token },
    { authorization: `Bearer ${token.slice(0, -1)}` },
    { authorization: `Bearer ${token}0` },
    { authorization: `bearer ${token}` },
    { authorization: `Basic ${btoa(`:${token}`)}` },
    { authorization: 'x'.repeat(8_000) },
  ]
  const nowhere = await server.visitor().request('GET', '/nowhere')
  for (const headers of attempts) {
    const { status, body } = await member.request('GET', '/metrics', undefined, headers)
    expect([status, body]).toEqual([404, nowhere.body])
  }
  expect((await member.request('GET', `/metrics?token=${token}`)).status).toBe(404)
  for (const method of ['POST', 'PUT', 'HEAD', 'OPTIONS'])
    expect((await member.fetch('/metrics', { method, headers: withToken })).status).toBe(404)
  const answer = await server.visitor().fetch('/metrics', { headers: withToken })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('the document of the API does not name it', async () => {
  await using server = await createTestServer({ env: { METRICS_TOKEN: token } })
  const { body } = await server.visitor().request('GET', '/api/docs')
  expect(JSON.stringify(body)).not.toContain('/metrics')
  expect(server.core.endpoints.map(({ path }) => path)).not.toContain('/metrics')
})

test('it counts what was asked and stored, by route and never by person', async () => {
  await using server = await createTestServer({ env: { METRICS_TOKEN: token } })
  const talk = await createTalk(server)
  const socket = await talk.anna.socket()
  const sent = await talk.send(talk.anna)
  await talk.anna.request('GET', `/api/connections/${talk.connection.id}/messages`)
  await server.visitor().request('GET', `/api/connections/${talk.connection.id}/messages`)
  await server.visitor().request('GET', '/nowhere')
  const read = async () => (await server.visitor().fetch('/metrics', { headers: withToken })).text()
  const text = await read()
  const values = valuesIn(text)
  const requests = (method: string, route: string, status: string) =>
    values.get(`privity_http_requests_total{method="${method}",route="${route}",status="${status}"}`)

  expect(requests('POST', '/api/messages', '2xx')).toBe(1)
  expect(requests('GET', '/api/connections/:id/messages', '2xx')).toBe(1)
  expect(requests('GET', '/api/connections/:id/messages', '4xx')).toBe(1)
  expect(requests('any', 'none', '4xx')).toBe(1)
  expect(values.get('privity_http_request_duration_seconds_count{method="POST",route="/api/messages"}')).toBe(1)
  expect(
    values.get('privity_http_request_duration_seconds_bucket{method="POST",route="/api/messages",le="+Inf"}'),
  ).toBe(1)
  expect(values.get('privity_http_refusals_total{status="401"}')).toBe(1)
  expect(values.get('privity_messages_stored_total')).toBe(1)
  expect(values.get('privity_sockets')).toBe(1)
  expect(values.get('privity_bus_whole')).toBe(1)
  expect(values.get('privity_other_processes')).toBe(0)
  expect(values.get('privity_db_batch_calls_count')).toBeGreaterThan(3)
  expect(values.get('privity_db_batch_seconds_sum')).toBeGreaterThan(0)
  expect(values.get('privity_db_repeats_total')).toBe(0)
  expect(values.get('privity_up{part="database"}')).toBe(1)
  expect(values.get('privity_up{part="files"}')).toBe(1)
  expect(values.get('privity_job_runs_total{job="destroy what has expired",ended="done"}')).toBe(1)
  expect(values.get('privity_job_runs_total{job="destroy what has expired",ended="failed"}')).toBe(0)
  expect(values.get('privity_job_last_success_seconds{job="destroy what has expired"}')).toBe(server.clock.now() / 1000)
  expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(values.get('privity_event_loop_delay_seconds{statistic="p99"}')).toBeGreaterThanOrEqual(0)

  for (const { user } of [talk.anna, talk.ben])
    for (const secret of [user.id, user.username, user.email, user.connectionCode]) expect(text).not.toContain(secret)
  for (const secret of [sent.id, talk.connection.id, '127.0.0.1', talk.anna.address]) expect(text).not.toContain(secret)
  socket.close()
})

test('every line has the form of the format, and every name its kind once', async () => {
  await using server = await createTestServer({ env: { METRICS_TOKEN: token } })
  await server.signUp()
  const text = await (await server.visitor().fetch('/metrics', { headers: withToken })).text()
  expect(text.endsWith('\n')).toBe(true)
  const kinds = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name]) => name)
  expect(new Set(kinds).size).toBe(kinds.length)
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"\n]*",?)+\})? -?[\d.]+(e[+-]?\d+)?)$/)
    const name = /^[a-z_]+/.exec(line)?.[0].replace(/_(bucket|sum|count)$/, '')
    if (!line.startsWith('#')) expect(kinds.some((kind) => kind === name || line.startsWith(`${kind}`))).toBe(true)
  }
})

test('the guide for operators lists every metric', async () => {
  await using server = await createTestServer({ env: { METRICS_TOKEN: token } })
  const text = await (await server.visitor().fetch('/metrics', { headers: withToken })).text()
  const guide = await readFile(new URL('../../../../../docs/operations/monitoring.md', import.meta.url), 'utf8')
  const listed = new Set([...guide.matchAll(/`(\w+)(?:\{[\w,]+\})?`/g)].map(([, name]) => name))
  const names = [...text.matchAll(/^# TYPE (\w+) \w+$/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !listed.has(name))).toEqual([])
})

test('every counter exists with 0 before it counts anything', async () => {
  await using server = await createTestServer({ env: { METRICS_TOKEN: token } })
  const values = valuesIn(await (await server.visitor().fetch('/metrics', { headers: withToken })).text())
  const refusals = [...new Set(Object.values(errors).map(({ status }) => status))]
  expect(refusals.map((status) => values.get(`privity_http_refusals_total{status="${status}"}`))).toEqual(
    refusals.map(() => 0),
  )
  for (const { method, path } of server.core.endpoints)
    for (const status of ['2xx', '3xx', '4xx', '5xx']) {
      const name = `privity_http_requests_total{method="${method}",route="${path}",status="${status}"}`
      expect(values.get(name), name).toBe(0)
    }
})

test('what waits to be destroyed is told, and that it waits no more', async () => {
  await using server = await createTestServer({ env: { METRICS_TOKEN: token, MESSAGE_RETENTION: '30s' } })
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  const read = async () => valuesIn(await (await server.visitor().fetch('/metrics', { headers: withToken })).text())
  expect((await read()).get('privity_expired_rows')).toBe(0)
  await server.core.db.write((tx) => tx.run('update messages set expires_at = ?', [server.clock.now() - 5_000]))
  const waiting = await read()
  expect([waiting.get('privity_expired_rows'), waiting.get('privity_retention_lag_seconds')]).toEqual([1, 5])
  await server.advance(15_000)
  const after = await read()
  expect([after.get('privity_expired_rows'), after.get('privity_retention_lag_seconds')]).toEqual([0, 0])
})

test('a store of files that is gone is told beside everything else', async () => {
  await using server = await createTestServer({ env: { METRICS_TOKEN: token } })
  server.core.storage.check = () => Promise.reject(new Error('gone'))
  await server.advance(15_000)
  const text = await (await server.visitor().fetch('/metrics', { headers: withToken })).text()
  expect(text).toContain('privity_up{part="files"} 0')
  expect(text).toContain('privity_up{part="database"} 1')
})

test('a rate limit is counted by its status', async () => {
  await using server = await createTestServer({
    env: { METRICS_TOKEN: token },
    options: { rateLimits: { signIn: { requests: 1, window: 60_000 } } },
  })
  const visitor = server.visitor()
  const body = { username: 'nobody', password: 'nothing' }
  for (let at = 0; at < 3; at += 1) await visitor.refused(session.login, { body })
  const text = await (await visitor.fetch('/metrics', { headers: withToken })).text()
  expect(text).toContain('privity_http_refusals_total{status="429"} 2')
})

test('a refused upgrade and bytes that are no request are counted by their status', async () => {
  await using server = await createTestServer({ env: { METRICS_TOKEN: token } })
  const upgrade = 'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
  const bytes = ['no request\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', upgrade]
  const statuses: string[] = []
  for (const text of bytes) {
    const stream = connect(Number(new URL(server.url).port), '127.0.0.1')
    stream.on('data', (data: Buffer) => void statuses.push(data.toString().slice(9, 12)))
    stream.write(text)
    await once(stream, 'close')
  }
  const values = valuesIn(await (await server.visitor().fetch('/metrics', { headers: withToken })).text())
  expect(statuses.slice(0, 3)).toEqual(['400', '400', '400'])
  expect(values.get('privity_http_refusals_total{status="400"}')).toBe(3)
  expect(values.get(`privity_http_refusals_total{status="${statuses[3]}"}`)).toBe(1)
})

test('labels are escaped, a reading that fails is left out, and no two metrics share a name', async () => {
  const failures: string[] = []
  const metrics = createMetrics((_error, name) => void failures.push(name))
  metrics.counter('one_total', 'With a \\ and\na line.')({ odd: 'a "b" \\ c\nd' }).add(2)
  metrics.readAtScrape('two', 'Never read.', () => {
    throw new Error('no')
  })
  const histogram = metrics.histogram('three', 'In buckets.', [1, 2])()
  for (const value of [0.5, 1, 1.5, 9]) histogram.observe(value)
  expect((await metrics.write()).split('\n')).toEqual([
    '# HELP one_total With a \\\\ and\\na line.',
    '# TYPE one_total counter',
    'one_total{odd="a \\"b\\" \\\\ c\\nd"} 2',
    '# HELP three In buckets.',
    '# TYPE three histogram',
    'three_bucket{le="1"} 2',
    'three_bucket{le="2"} 3',
    'three_bucket{le="+Inf"} 4',
    'three_sum 12',
    'three_count 4',
    '',
  ])
  expect(failures).toEqual(['two'])
  expect(() => metrics.counter('two', 'Again.')).toThrow('two metrics called two')
})
