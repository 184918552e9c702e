import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ConfigError } from '../../../src/core/config/config.ts'
import { loadConfig } from '../../../src/core/config/config.ts'
import { readEnvironment, secretNames, variableNames } from '../../../src/core/config/environment.ts'

const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8')
const example = read('.env.example')

test('.env.example names every variable', () => {
  const named = [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name)
  expect([...new Set(named)].toSorted()).toEqual(variableNames.filter((name) => name !== 'NODE_ENV').toSorted())
})

test('configuration.md names every variable, and every secret that a file may give', () => {
  const page = read('docs/operations/configuration.md')
  for (const name of variableNames) expect(page, name).toMatch(new RegExp(`\\b${name}\\b`))
  const [, listed = ''] = /Any secret may stand in a file: ([^.]*)\./.exec(page) ?? []
  for (const name of secretNames) expect(listed, name).toContain(name)
})

test('the values that .env.example sets are the defaults', () => {
  const set = Object.fromEntries([...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
  expect(set).not.toHaveProperty('MESSAGE_RETENTION')
  expect(loadConfig(set as Record<string, string>)).toEqual(loadConfig({}))
})

test('problems state the bounds and why, and quote the value', () => {
  const env = { MESSAGE_RETENTION: '25h', DRAIN_DELAY: '11m', DATABASE_READERS: '0', DEMO: 'constructor' }
  let thrown: unknown
  try {
    loadConfig(env)
  } catch (error) {
    thrown = error
  }
  expect((thrown as ConfigError).problems).toEqual([
    'DRAIN_DELAY is "11m": use a time from 0s to 10m, such as 30s or 10m.',
    'DATABASE_READERS is "0": use a number from 1 to 100.',
    'MESSAGE_RETENTION is "25h": use a time from 1s to 24h, such as 30s or 10m, as messages must not live longer.',
    'DEMO is "constructor": use 1 or 0.',
  ])
})

test.each([
  ['SMTP_URL', 'smtps://user:100%@mail.example.org'],
  ['SMTP_URL', 'smtps://100%:password@mail.example.org'],
  ['SMTP_URL', 'smtps://user:%zz@mail.example.org'],
  ['VALKEY_URL', 'valkey://:100%@valkey.example.org'],
])('%s=%s with a bare % is refused by name', (name, text) => {
  const { problems } = readEnvironment({ [name]: text })
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} is not valid: use `))])
  expect(problems.join()).not.toContain(text)
})

test('an encoded % in SMTP_URL is decoded', () => {
  const { variables } = readEnvironment({ SMTP_URL: 'smtps://user:100%25@mail.example.org' })
  expect(variables.SMTP_URL?.auth).toEqual({ user: 'user', pass: '100%' })
})
