import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as door from '../src/index.ts'

const source = new URL('../src/', import.meta.url)
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

test('the door opens to this and nothing else', () => {
  expect(Object.keys(door).sort()).toEqual(
    [
      'E2eeError contactFingerprint createAccountKey createBrowserKey createEnvelope createEpoch createFileKey',
      'createIdentity createKeyShare openForBrowser openNameForOwner sealForBrowser sealNameForOwner',
      'deriveMasterKey deriveSignIn equalBytes fileBinding fromBase64url',
      'hashFileKey importAccountKey importIdentity isSeedOf loadKeyAgreement maxExcerptBytes messageLink newId openEnvelope openForOwner openMessage openPrivate',
      'normalizePassword passwordVersions randomBytes sealForOwner sealMessage sealPrivate signPinList toBase64url unwrapAccountKey',
      'verifyEpoch wrapAccountKey',
    ]
      .join(' ')
      .split(' ')
      .sort(),
  )
})

test('the package has no network, storage, page, clock or console of its own', () => {
  const forbidden =
    /\b(fetch|XMLHttpRequest|WebSocket|indexedDB|localStorage|sessionStorage|caches|document|window|navigator|location|Date|performance|setTimeout|setInterval|console|process|Buffer|require|Math\.random)\b\s*[.(]/
  expect(files.length).toBeGreaterThan(20)
  for (const file of files) {
    const code = readFileSync(new URL(file, source), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    expect(forbidden.exec(code)?.[0], file).toBeUndefined()
    expect(/from 'node:|import\('node:/.test(code), file).toBe(false)
  }
})
