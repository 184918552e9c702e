import { createAccountKey, importAccountKey, newId } from '@privity/e2ee'
import { expect, test, vi } from 'vitest'
import { createMemoryDevice } from '../../src/index.ts'
import { countText } from '../../src/messages/countText.ts'
import { createDuplicateTexts } from '../../src/messages/duplicateText.ts'
import type { DecryptedMessage } from '../../src/types.ts'

const hour = 60 * 60 * 1000

async function createKeeping() {
  const clock = { now: () => 100 * hour, after: () => () => {} }
  const accountKey = await importAccountKey(createAccountKey())
  const count = vi.fn(countText)
  const deps = { userId: newId(clock.now()), accountKey, device: createMemoryDevice(), clock }
  const duplicateTexts = createDuplicateTexts(deps, count)
  const open = (id: string, createdAt = clock.now()) =>
    duplicateTexts.addDecrypted({
      id,
      createdAt,
      body: { kind: 'text', text: `A text that is long enough: ${id}` },
    } as DecryptedMessage)
  /** Returns the ids whose plaintext was still kept. */
  async function kept(): Promise<string[]> {
    await duplicateTexts.tagFor({ id: 'sent', text: 'Another text that is long enough', createdAt: clock.now() })
    return count.mock.lastCall?.[2].map(({ id }) => id) ?? []
  }
  return { duplicateTexts, open, kept }
}

test('an own text is kept in clear once, however often it is opened, and not when it has expired', async () => {
  const { duplicateTexts, open, kept } = await createKeeping()
  for (let i = 0; i < 20; i++) for (const id of ['one', 'two', 'three']) open(id)
  open('from the day before', 75 * hour)
  duplicateTexts.removeExpired(['two'])
  expect(await kept()).toEqual(['one', 'three'])
  expect(await kept()).toEqual([])
})
