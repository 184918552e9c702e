import { createAccountKey, importAccountKey, newId } from '@privity/e2ee'
import { expect, test, vi } from 'vitest'
import { createMemoryDevice } from '../../src/index.ts'
import type * as counting from '../../src/messages/duplicateTextCount.ts'
import { countText } from '../../src/messages/duplicateTextCount.ts'
import { createDuplicateTexts } from '../../src/messages/duplicateText.ts'
import type { DecryptedMessage } from '../../src/types.ts'

vi.mock('../../src/messages/duplicateTextCount.ts', async (original) => {
  const real = await original<typeof counting>()
  return { countText: vi.fn(real.countText) }
})

const hour = 60 * 60 * 1000

async function createKeeping() {
  const clock = { now: () => 100 * hour, after: () => () => {} }
  const accountKey = await importAccountKey(createAccountKey())
  const repetition = createDuplicateTexts({
    userId: newId(clock.now()),
    accountKey,
    device: createMemoryDevice(),
    clock,
  })
  const open = (id: string, createdAt = clock.now()) =>
    repetition.opened({
      id,
      createdAt,
      body: { kind: 'text', text: `A text that is long enough: ${id}` },
    } as DecryptedMessage)
  /** Returns the ids whose plaintext was still kept. */
  async function kept(): Promise<string[]> {
    await repetition.tagFor({ id: 'sent', text: 'Another text that is long enough', at: clock.now() })
    return vi.mocked(countText).mock.lastCall?.[2].map(({ id }) => id) ?? []
  }
  return { repetition, open, kept }
}

test('an own text is kept in clear once, however often it is opened, and not when it has expired', async () => {
  const { repetition, open, kept } = await createKeeping()
  for (let at = 0; at < 20; at++) for (const id of ['one', 'two', 'three']) open(id)
  open('from the day before', 75 * hour)
  repetition.expired(['two'])
  expect(await kept()).toEqual(['one', 'three'])
  expect(await kept()).toEqual([])
})
