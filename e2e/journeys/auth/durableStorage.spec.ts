import { signIn } from '../../support/members/account.ts'
import { amara } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/test.ts'

test.use({ prepared: 'accounts' })

test('what the browser stores counts only once it is on the disk', async ({ openBrowser }) => {
  const page = await openBrowser()
  const written: string[] = []
  await page.exposeFunction('recordDurability', (durability: string) => void written.push(durability))
  await page.addInitScript(() => {
    const { transaction } = IDBDatabase.prototype
    IDBDatabase.prototype.transaction = function (...given) {
      const begun = transaction.apply(this, given)
      const { recordDurability } = window as unknown as { recordDurability: (durability: string) => void }
      if (begun.mode === 'readwrite') recordDurability(begun.durability)
      return begun
    }
  })
  await signIn(page, amara)
  await expect.poll(() => new Set(written)).toEqual(new Set(['strict']))
})
