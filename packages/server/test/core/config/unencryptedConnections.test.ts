import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/config.ts'
import { warningsOf } from '../../../src/run.ts'

test.each([
  ['http://chat.example.org', true],
  ['https://chat.example.org', false],
  ['http://localhost:3000', false],
])('PUBLIC_URL=%s behind a proxy is warned about: %s', (PUBLIC_URL, expected) => {
  const warnings = loadConfig({ HOST: '127.0.0.1', TRUST_PROXY: '1', PUBLIC_URL }).warnings.join()
  expect(warnings.includes('passwords cross the network readable')).toBe(expected)
})

test('localhost in capitals causes no more warnings than in small letters', async () => {
  const DATABASE_URL = 'postgresql://privity@LOCALHOST/privity'
  expect(await warningsOf(loadConfig({ HOST: 'LOCALHOST', DATABASE_URL }))).toEqual(await warningsOf(loadConfig({})))
})

test('DATABASE_URL under TLS that checks no certificate is warned about', async () => {
  const DATABASE_URL = 'postgresql://user:secret@db.example.org/privity?sslmode=no-verify'
  const warnings = (await warningsOf(loadConfig({ DATABASE_URL }))).join()
  expect(warnings).toContain('DATABASE_URL checks no certificate')
  expect(warnings).not.toContain('secret')
})
