import { importAccountKey, newId, randomBytes } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { createMemoryDevice } from '../../src/device/device.ts'
import { createDrafts } from '../../src/messages/drafts.ts'

test('conversations with a draft are listed once, whichever tabs keep it, and of this user alone', async () => {
  const device = createMemoryDevice()
  const accountKey = await importAccountKey(randomBytes(32))
  const open = (userId: string, id: string) =>
    createDrafts(device, { userId, accountKey, tabs: { id, runIfClosed: async () => undefined } })
  const [anna, ben] = [newId(0), newId(1)]
  const [one, other, stranger] = [open(anna, 'tab-1'), open(anna, 'tab-2'), open(ben, 'tab-3')]
  await one.set('first', 'Half a sentence')
  await other.set('first', 'Another half')
  await other.set('second', 'A third')
  await stranger.set('third', 'Of somebody else')
  expect(await one.listConversations()).toEqual(['first', 'second'])
  await one.set('first', '')
  await other.set('first', '')
  expect(await one.listConversations()).toEqual(['second'])
})
