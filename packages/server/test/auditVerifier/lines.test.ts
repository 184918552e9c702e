import { expect, test } from 'vitest'
import { readLines } from '../../src/auditVerifier/lines.ts'
import { verifyOrganizationExport } from '../../src/auditVerifier/organizationExportVerifier.ts'

async function* pieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
}

async function read(text: string, size: number, most?: number) {
  const lines: [string, boolean][] = []
  for await (const line of readLines(pieces(text, size), most)) lines.push([line.text, line.ended])
  return lines
}

test.each([1, 2, 3, 7, 100])('lines are the same in whatever pieces of %i they come', async (size) => {
  const text = 'one\n\ntwo \r\nthree\n four'
  const expected = [
    ['one', true],
    ['', true],
    ['two \r', true],
    ['three', true],
    [' four', false],
  ]
  expect(await read(text, size)).toEqual(expected)
  expect(await read(`${text}\n`, size)).toEqual([...expected.slice(0, -1), [' four', true]])
})

test.each([1, 4, 100])('a line over the limit ends it, and no line at it does: pieces of %i', async (size) => {
  expect(await read('1234567\n12345678\nnever read', size, 8)).toEqual([
    ['1234567', true],
    ['', true],
  ])
  expect(await read('12345678', size, 8)).toEqual([['12345678', false]])
})

test('a file without line feeds is refused when the limit is passed, not when all of it was read', async () => {
  const piece = Buffer.alloc(64 * 1024, 'x')
  let taken = 0
  async function* endless() {
    for (;;) {
      taken += 1
      yield piece
    }
  }
  const { problem } = await verifyOrganizationExport(endless())
  expect(problem).toMatchObject({ kind: 'altered', part: 'header', line: 1 })
  expect(taken).toBe(1025)
})
