import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fingerprintOf } from '../../src/auditVerifier/signatures.ts'
import { createTestServer, type TestServer } from '../support/server/testServer.ts'
import { exportOf } from '../support/scenes/organizationExport.ts'
import type { Caller } from '../support/server/caller.ts'
import { signInFounder } from '../support/founder/founder.ts'
import { join as joinOrganization } from '../support/scenes/organization.ts'
import { createLogs, exported, rowsOf, verify } from '../support/founder/platformExport.ts'

let server: TestServer
let founder: Caller
let files: { json: string; csv: string }
beforeAll(async () => {
  server = await createTestServer()
  founder = await signInFounder(server)
  await createLogs(server)
  files = {
    json: (await exported(server, founder, 'json')).text,
    csv: (await exported(server, founder, 'csv')).text,
  }
})
afterAll(() => server.close())

const problem = async (text: string) => (await verify(text)).problem
const withLines = (text: string, change: (lines: string[]) => void) => {
  const lines = text.split('\n')
  change(lines)
  return lines.join('\n')
}

describe.each(['json', 'csv'] as const)('the %s', (format) => {
  const file = () => files[format]

  test('is whole as the server wrote it, in pieces of any size, under the key of the server', async () => {
    const { publicKey } = server.core.auditKey
    for (const chunk of [1, 17, 1 << 20]) {
      const verdict = await verify(file(), publicKey, chunk)
      expect(verdict).toMatchObject({ problem: undefined, eventType: null, fingerprint: fingerprintOf(publicKey) })
      expect(verdict.rows).toBe(file().split('\n').length - 3)
      expect(verdict.entries).toBeGreaterThan(5)
    }
    expect((await verify(file(), fingerprintOf(publicKey))).problem).toBeUndefined()
    expect((await verify(file(), 'A'.repeat(43))).problem).toMatchObject({ kind: 'otherKey' })
  })

  test('an entry that says something else is named', async () => {
    const at = file()
      .split('\n')
      .findIndex((line) => line.includes('connection_code_replaced'))
    const forged = withLines(file(), (lines) => {
      lines[at] = (lines[at] as string).replace('connection_code_replaced', 'connection_code_unchanged')
    })
    expect(await problem(forged)).toMatchObject({ kind: 'altered', part: 'row', number: at, line: at + 1 })
  })

  test('an address that is not the one of the entry is named', async () => {
    const at = file()
      .split('\n')
      .findIndex((line) => line.includes('audit_entry') && /10\.\d+\.\d+\.\d+/.test(line))
    const forged = withLines(file(), (lines) => {
      lines[at] = (lines[at] as string).replace(/10\.\d+\.\d+\.\d+/, '192.0.2.1')
    })
    expect(await problem(forged)).toMatchObject({ kind: 'altered', part: 'row', number: at })
  })

  test('an event that says something else, and a name that is another, are found', async () => {
    for (const [from, to] of [
      ['A key was pressed', 'No key was pressed'],
      ['First anna', 'First dora'],
    ] as const)
      expect(await problem(file().replace(from, to))).toMatchObject({ kind: 'altered', part: 'row', number: 1 })
  })

  test('a missing row is named', async () => {
    const forged = withLines(file(), (lines) => void lines.splice(4, 1))
    expect(await problem(forged)).toMatchObject({ kind: 'missing', part: 'row', number: 4 })
  })

  test('rows that changed places, or stand twice, are found', async () => {
    const swapped = withLines(file(), (lines) => lines.splice(3, 2, lines[4] as string, lines[3] as string))
    expect((await problem(swapped))?.kind).toBe('missing')
    const twice = withLines(file(), (lines) => lines.splice(3, 0, lines[3] as string))
    expect(await problem(twice)).toMatchObject({ kind: 'reordered', part: 'row', number: 3 })
  })

  test('a file without its end, cut anywhere, is not whole', async () => {
    const lines = file().split('\n')
    expect(await problem(`${lines.slice(0, -2).join('\n')}\n`)).toMatchObject({ kind: 'truncated', part: 'row' })
    for (let cut = 0; cut < file().length; cut += 97)
      expect((await problem(file().slice(0, cut)))?.kind, `cut at ${cut}`).toBeDefined()
  })

  test('any one letter that is another is found', { timeout: 60_000 }, async () => {
    for (let at = 1; at < file().length; at += 61) {
      const other = file()[at] === 'x' ? 'y' : 'x'
      const forged = file().slice(0, at) + other + file().slice(at + 1)
      expect(await problem(forged), `at ${at}: ${file().slice(at - 20, at + 20)}`).toBeDefined()
    }
  })

  test('each letter of the end is looked at', async () => {
    const text = file()
    for (let at = text.length - 12; at < text.length; at++) {
      for (const other of ['', text[at] === 'x' ? 'A' : 'x']) {
        const forged = text.slice(0, at) + other + text.slice(at + 1)
        expect(await problem(forged), `${at - text.length}: ${other}`).toBeDefined()
      }
    }
  })

  test('what is added behind the end is found', async () => {
    expect(await problem(`${file()}\n`)).toMatchObject({ kind: 'altered', part: 'end' })
    expect(await problem(file().trimEnd())).toMatchObject({ kind: 'altered', part: 'end' })
  })

  test('forged files end in a sentence, never in a crash', async () => {
    const junk = [
      '',
      '\n',
      '[]',
      'null',
      '{',
      `${file().split('\n')[0] ?? ''}\n{"no":1,"kind":"audit_entry","previous":5}\n`,
    ]
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    junk.push(`${file().split('\n')[0] ?? ''}\n{"no":1,"kind":"audit_entry","details":${deep}}\n`)
    for (const text of junk) expect((await problem(text))?.sentence, text).toMatch(/\.$/)
  })
})

test('its entries are those of an organization’s export, by number and hash', async () => {
  const administrator = await joinOrganization(server, 'super_admin')
  const theirs = new Map(
    (await exportOf(administrator))
      .split('\n')
      .filter((line) => line.startsWith('{"seq"'))
      .map((line) => JSON.parse(line) as { seq: number; hash: string })
      .map(({ seq, hash }) => [String(seq), hash]),
  )
  const own = rowsOf(files.json).filter(({ kind }) => kind === 'audit_entry')
  expect(own.map(({ id, hash }) => [id, hash])).toEqual(own.map(({ id }) => [id, theirs.get(id)]))
})

test('the statement ends with a signed head that covers the export’s own entry', async () => {
  const { proof, logs } = JSON.parse(files.json) as {
    proof: { statement: { entries: number; hash: string }; head: { seq: number; hash: string } }
    logs: { id: string; hash: string }[]
  }
  expect(proof.head).toMatchObject({ seq: proof.statement.entries, hash: proof.statement.hash })
  expect(logs.find(({ id }) => id === String(proof.head.seq))?.hash).toBe(proof.head.hash)
})

test('npm run verify-audit takes both kinds of file, and says in its exit code what it found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-test-'))
  const program = fileURLToPath(new URL('../../src/verifyAudit.ts', import.meta.url))
  const run = (name: string, ...more: string[]) =>
    new Promise<{ code: number | string | undefined; text: string }>((resolve) => {
      execFile(process.execPath, [program, join(folder, name), ...more], { cwd: folder }, (error, out) =>
        resolve({ code: error === null ? 0 : (error.code ?? undefined), text: out }),
      )
    })
  try {
    await writeFile(join(folder, 'a.json'), files.json)
    await writeFile(join(folder, 'a.csv'), files.csv)
    await writeFile(join(folder, 'forged.csv'), files.csv.replace('First anna', 'First dora'))
    const fingerprint = fingerprintOf(server.core.auditKey.publicKey)
    for (const name of ['a.json', 'a.csv']) {
      const { code, text } = await run(name, '--key', fingerprint)
      expect([code, text]).toEqual([
        0,
        expect.stringMatching(/^Whole: \d+ rows, \d+ of them entries of the audit log\./),
      ])
      expect(text).toContain(`Signed with the key you gave, ${fingerprint}`)
    }
    const forged = await run('forged.csv')
    expect([forged.code, forged.text]).toEqual([1, expect.stringContaining('NOT WHOLE: One of the rows 1 to')])
    expect(JSON.parse((await run('a.csv', '--json')).text)).toMatchObject({ ok: true, pinned: false })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
