import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { createTestServer } from '../../support/server/testServer.ts'
import { createTalk } from '../../support/scenes/conversation.ts'

const rules = fileURLToPath(new URL('../../../../../deploy/prometheus', import.meta.url))
const script = new URL('../../../../../scripts/cluster/prometheus.mjs', import.meta.url).href
const { findPromtool } = (await import(script)) as { findPromtool(): Promise<string> }
const token = 'a-token-for-the-scraper-0123456789abcdef'

let program: string
beforeAll(async () => {
  program = await findPromtool()
})

/** Resolves with the exit code and all output: promtool also exits with 0 when it only prints a warning. */
function promtool(args: readonly string[], input = ''): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd: rules }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
    )
    child.stdin?.end(input)
  })
}

test('promtool finds nothing to remark in the metrics of a server that was used', async () => {
  await using server = await createTestServer({ env: { METRICS_TOKEN: token } })
  const talk = await createTalk(server)
  await talk.send(talk.anna)
  await server.visitor().request('GET', '/nowhere')
  const answer = await server.visitor().fetch('/metrics', { headers: { authorization: `Bearer ${token}` } })
  expect(await promtool(['check', 'metrics'], await answer.text())).toEqual({ code: 0, said: '' })
})

test('promtool accepts the alerting rules', async () => {
  expect(await promtool(['check', 'rules', 'rules.yaml'])).toMatchObject({ code: 0 })
})

test('each alert fires in its case and not before', async () => {
  const { code, said } = await promtool(['test', 'rules', 'rules.test.yaml'])
  expect([code, said]).toEqual([0, expect.stringContaining('SUCCESS')])
})
