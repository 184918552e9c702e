import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { bareLine, endLine, type FullEntry, fullLine, headerLine } from '@privity/contract/organizationExportFormat'
import { emptyChain, statementText } from '@privity/contract/auditProof'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '../../src/auditVerifier/problem.ts'
import { chainLeaf, leafOf } from '../../src/core/audit/hashChain.ts'
import { createTestServer } from '../support/server/testServer.ts'
import { createBusyLog, exportOf, verify } from '../support/scenes/organizationExport.ts'

let lines: string[]
let key: string
/** Line numbers of the entries, and of the heads. */
let entries: number[]
let heads: number[]
beforeAll(async () => {
  await using server = await createTestServer()
  const { chief } = await createBusyLog(server, 12)
  key = server.core.auditKey.publicKey
  lines = (await exportOf(chief)).trimEnd().split('\n')
  const at = (is: (line: string) => boolean) => lines.flatMap((line, index) => (is(line) ? [index] : []))
  entries = at((line) => line.startsWith('{"seq":'))
  heads = at((line) => line.startsWith('{"head":'))
  expect([entries.length, heads.length]).toEqual([expect.any(Number), 4])
  expect(entries.length).toBeGreaterThan(20)
})

const check = (changed: readonly string[]) => verify(`${changed.join('\n')}\n`, key)
const numberAt = (index: number) => (JSON.parse(lines[index] as string) as { seq: number }).seq

/** Seeded, so that a failure can be reproduced. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Replaces a letter or digit by another, so that the line still parses; occasionally any byte. */
function alter(line: string, random: (below: number) => number): string {
  const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"\\{}[],: \r\u00e9'
  for (;;) {
    const at = random(line.length)
    const changed = line.slice(0, at) + alphabet.charAt(random(alphabet.length)) + line.slice(at + 1)
    if (changed !== line) return changed
  }
}

const pick = <T>(from: readonly T[], random: (below: number) => number): T => from[random(from.length)] as T

/** Makes a random edit of an entry, and returns the problems that the verifier must report. */
function edit(random: (below: number) => number): { changed: string[]; wanted: Partial<Problem>[] } {
  const changed = [...lines]
  const kind = pick(['altered', 'missing', 'reordered', 'truncated'] as const, random)
  const index = pick(entries, random)
  const number = numberAt(index)
  if (kind === 'altered') {
    changed[index] = alter(changed[index] as string, random)
    return { changed, wanted: [{ kind, part: 'entry', number }] }
  }
  if (kind === 'missing') {
    changed.splice(index, 1)
    // Without its last entry, the file simply ends early.
    const isLast = index === entries.at(-1)
    return { changed, wanted: [{ kind: isLast ? 'truncated' : kind, part: 'entry', number }] }
  }
  if (kind === 'truncated') {
    const end = random(2) === 0 ? lines.slice(-1) : []
    return { changed: [...lines.slice(0, index), ...end], wanted: [{ kind, part: 'entry', number }] }
  }
  const other = pick(
    entries.filter((each) => each !== index),
    random,
  )
  const [first, second] = [Math.min(index, other), Math.max(index, other)]
  ;[changed[first], changed[second]] = [changed[second] as string, changed[first] as string]
  return { changed, wanted: [{ kind, part: 'entry', number: numberAt(first) }] }
}

test('the untouched file is whole, however it is cut into chunks', async () => {
  const text = `${lines.join('\n')}\n`
  for (const size of [1, 7, 1000, 1_000_000]) {
    const verdict = await verify(text, key, size)
    expect(verdict).toMatchObject({ problem: undefined, entries: entries.length, heads: heads.length })
    expect(verdict.own).toBeLessThan(verdict.entries)
  }
})

test(
  '10,000 random edits of entries: each is found, and the first entry it touched is named',
  { timeout: 120_000 },
  async () => {
    const random = createRandom(20261121)
    for (let i = 0; i < 10_000; i++) {
      const { changed, wanted } = edit(random)
      const { problem } = await check(changed)
      expect(problem, `edit ${i}`).toBeDefined()
      expect([problem], `edit ${i}: ${problem?.sentence ?? ''}`).toEqual([expect.objectContaining(wanted[0])])
    }
  },
)

test('2,000 random edits of heads, signatures, header and closing statement are all found', async () => {
  const random = createRandom(7)
  const places = [...heads, 0, lines.length - 1]
  for (let i = 0; i < 2_000; i++) {
    const changed = [...lines]
    const index = pick(places, random)
    const how = random(4)
    if (how < 2) changed[index] = alter(changed[index] as string, random)
    else if (how === 2) changed.splice(index, 1)
    else {
      const [moved = ''] = changed.splice(index, 1)
      changed.splice(
        pick(
          places.filter((each) => each !== index),
          random,
        ),
        0,
        moved,
      )
      if (changed.join() === lines.join()) continue
    }
    expect((await check(changed)).problem, `edit ${i} of line ${index + 1}`).toBeDefined()
  }
})

test('what nests so deep that nothing could write it is found like any other edit', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const [first = 0] = entries
  for (const index of [0, first]) {
    const changed = lines.map((line, at) => (at === index ? `${line.slice(0, -1)},"more":${deep}}` : line))
    expect(await check(changed)).toMatchObject({ problem: { kind: 'altered', line: index + 1 } })
  }
})

describe('a forger who recomputes the hashes', () => {
  const parsed = (index: number) => JSON.parse(lines[index] as string) as FullEntry & { leaf?: string }
  const isFull = (index: number) => parsed(index).leaf === undefined

  /** Recomputes all hashes from this line on. */
  function chained(changed: string[], from: number): string[] {
    let chain = (JSON.parse(changed[entries[entries.indexOf(from) - 1] as number] as string) as FullEntry).hash
    return changed.map((line, index) => {
      if (index < from || !line.startsWith('{"seq":')) return line
      const entry = JSON.parse(line) as FullEntry & { leaf?: string }
      chain = chainLeaf(chain, entry.leaf ?? leafOf(entry))
      return entry.leaf === undefined
        ? fullLine({ ...entry, hash: chain })
        : bareLine({ seq: entry.seq, leaf: entry.leaf, hash: chain })
    })
  }

  test('cannot rewrite an entry that a head covers: the entries of that head are named', async () => {
    const first = entries.find((index) => index > (heads[0] as number) && isFull(index)) as number
    const changed = [...lines]
    changed[first] = fullLine({ ...parsed(first), action: 'signed_out' })
    const { problem } = await check(chained(changed, first))
    expect(problem).toMatchObject({ kind: 'altered', part: 'entry' })
    expect(problem?.number).toBeLessThanOrEqual(numberAt(first))
    expect(problem?.until).toBeGreaterThanOrEqual(numberAt(first))
  })

  test('cannot rewrite the newest entries either, that no head covers yet', async () => {
    const last = entries.at(-1) as number
    expect(last).toBeGreaterThan(heads.at(-1) as number)
    const changed = [...lines]
    changed[last] = fullLine({ ...parsed(last), action: 'signed_out' })
    expect((await check(chained(changed, last))).problem).toMatchObject({ kind: 'altered', part: 'entry' })
  })

  test('cannot hide an entry as if it were of another organization', async () => {
    const hidden = entries.filter(isFull)[5] as number
    const { seq, hash } = parsed(hidden)
    const changed = [...lines]
    changed[hidden] = bareLine({ seq, leaf: leafOf(parsed(hidden)), hash })
    expect((await check(changed)).problem).toMatchObject({ kind: 'altered', part: 'entry', number: seq })
  })

  test('cannot spell the same hash in another way', async () => {
    const bare = entries.find((index) => !isFull(index)) as number
    const { seq, leaf = '', hash } = parsed(bare)
    const bytes = Buffer.from(leaf, 'base64url')
    const last = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].find(
      (letter) => letter !== leaf.at(-1) && Buffer.from(leaf.slice(0, -1) + letter, 'base64url').equals(bytes),
    )
    const changed = [...lines]
    changed[bare] = bareLine({ seq, leaf: leaf.slice(0, -1) + (last ?? ''), hash })
    expect(changed[bare]).not.toBe(lines[bare])
    expect((await check(changed)).problem).toMatchObject({ kind: 'altered', part: 'entry', number: seq })
  })

  test('cannot leave out an address that is still kept', async () => {
    const withAddress = entries.find((index) => isFull(index) && parsed(index).address !== null) as number
    const changed = [...lines]
    changed[withAddress] = fullLine({ ...parsed(withAddress), address: null })
    expect((await check(changed)).problem).toMatchObject({ kind: 'altered', number: numberAt(withAddress) })
  })

  test('who signs everything with another key is found by anyone who knows the right one', async () => {
    await using server = await createTestServer()
    const { chief } = await createBusyLog(server, 2)
    const forged = await exportOf(chief)
    const { problem, fingerprint } = await verify(forged)
    expect(problem).toBeUndefined()
    expect((await verify(forged, key)).problem).toMatchObject({ kind: 'otherKey', part: 'header' })
    expect((await verify(forged, fingerprint)).problem).toBeUndefined()
  })

  const headers: [string, object][] = [
    ['an organization that hides what follows on a terminal', { organizationId: 'a\u001b[8m' }],
    ['an organization that is no text', { organizationId: ['a'] }],
    ['a time that no date can have', { madeAt: 8.64e15 + 1 }],
    ['a time that is no number', { addressesSince: 'x' }],
  ]
  test.each(headers)('has no say over what is shown: %s', async (_name, odd) => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const usual = { organizationId: 'an-organization', madeAt: 1, addressesSince: 1 }
    const sealed = (given: object) => {
      const header = { ...usual, ...given, key: publicKey.export({ format: 'jwk' }).x as string }
      const digest = hash('sha256', `${headerLine(header)}\n`, 'base64url')
      const statement = { ...header, entries: 0, hash: emptyChain, heads: 0, own: '', digest }
      const signature = sign(null, Buffer.from(statementText(statement)), privateKey).toString('base64url')
      return `${headerLine(header)}\n${endLine({ statement, signature })}\n`
    }
    expect((await verify(sealed({}))).problem).toBeUndefined()
    const { problem, organizationId, madeAt } = await verify(sealed(odd))
    expect(problem).toMatchObject({ kind: 'altered', part: 'header', line: 1 })
    expect({ organizationId, madeAt }).toEqual({ organizationId: null, madeAt: undefined })
  })
})
