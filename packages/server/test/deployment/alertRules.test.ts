import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createTestServer } from '../support/server/testServer.ts'

const read = (path: string) => readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8')

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
}

async function readRules(): Promise<Rule[]> {
  const { groups } = parse(await read('deploy/prometheus/rules.yaml')) as { groups: { rules: Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

test('"What to watch" of the operations guide has the rules of the file, row by row', async () => {
  const guide = await read('docs/operations/monitoring.md')
  const section = guide.slice(guide.indexOf('\n### What to watch'))
  const rows = section.match(/^\| Privity.*$/gm) ?? []
  const told = rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\||\|$/g, '').trim()))
  const rules = (await readRules()).map((rule) => [rule.alert, `\`${rule.expr}\``, rule.for ?? ''])
  expect(told.map((cells) => cells.slice(0, 3))).toEqual(rules)
})

test('the rules ask for metrics that a server has', async () => {
  const token = 'a-token-for-the-scraper-0123456789abcdef'
  await using server = await createTestServer({ env: { METRICS_TOKEN: token } })
  const answer = await server.visitor().fetch('/metrics', { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  const asked = (await readRules()).flatMap(
    ({ expr }) => expr.match(/\b(?:privity|process)_\w+(?:\{\w+="\w+"\})?/g) ?? [],
  )
  expect(asked.length).toBeGreaterThan(10)
  for (const metric of asked) {
    const [name = '', label = ''] = metric.replace('}', '').split('{')
    // `job` is set by the scrape.
    const wanted = label.startsWith('job=') ? '' : label
    expect(
      text.split('\n').some((line) => line.startsWith(name) && line.includes(wanted)),
      metric,
    ).toBe(true)
  }
})
