import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { importFiles } from '../../src/operator/importFiles.ts'
import type { Objects } from '../../src/operator/objects.ts'

const [first, second, third] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
const measured = (text: string) => ({
  bytes: text.length,
  sha256: createHash('sha256').update(text).digest('base64url'),
})
const listed = [first, second, third].map((id) => ({ id, ...measured(id) }))

/** Holds texts. A copied object gets the last 36 characters of its source's path; `spoilt` gets another text. */
function createStore(held: Record<string, string>, spoilt?: string) {
  const texts = new Map(Object.entries(held))
  const copied: string[] = []
  const store: Objects = {
    copyOut: async () => false,
    async copyIn(id, from) {
      copied.push(id)
      texts.set(id, id === spoilt ? 'spoilt' : from.slice(-36))
    },
    remove: async (id) => void texts.delete(id),
    async measure(id) {
      const text = texts.get(id)
      return text === undefined ? undefined : measured(text)
    },
  }
  return { store, copied, texts }
}

test('files that are already there as backed up are not written again, and survive an undo', async () => {
  const { store, copied, texts } = createStore({ [first]: first, [second]: 'damaged', other: 'mine' })
  const undo = await importFiles(store, '/backup/objects', listed)
  expect(copied).toEqual([second, third])
  expect([...texts.values()].toSorted()).toEqual([first, second, third, 'mine'].toSorted())
  await undo()
  expect([...texts.keys()].toSorted()).toEqual([first, second, 'other'].toSorted())
})

test('a failure leaves none of the files that this restore has added', async () => {
  const { store, texts } = createStore({ [first]: first }, third)
  await expect(importFiles(store, '/backup/objects', listed)).rejects.toThrow(
    `The file ${third} does not match the backup`,
  )
  expect([...texts.keys()]).toEqual([first])
})
