import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { openSignUp, seeDashboard } from '../support/account.ts'
import { openConversation, sees, send } from '../support/conversation.ts'
import { expect, test } from '../support/test.ts'

const seedDemo = fileURLToPath(new URL('../../scripts/seedDemo.ts', import.meta.url))
const osei = { firstName: 'Demo', lastName: 'Osei' }
const whitford = { firstName: 'Demo', lastName: 'Whitford' }

test.use({ serverEnv: { DEMO: '1' } })

test('the demo accounts are filled in, connected, and able to write to each other', async ({ openBrowser, server }) => {
  const seed = () => promisify(execFile)(process.execPath, [seedDemo, server.origin])
  await seed()
  await seed()

  const [page, other] = [await openBrowser(), await openBrowser()]
  await openSignUp(page)
  await expect(page.getByLabel('Username')).toHaveValue('')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByLabel('Username')).not.toHaveValue('')
  await expect(page.getByLabel('Password', { exact: true })).not.toHaveValue('')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await seeDashboard(page)

  await other.goto('/auth')
  await other.getByRole('button', { name: 'fill in the other demo account' }).click()
  await other.getByRole('button', { name: 'Sign In' }).click()
  await seeDashboard(other)

  await openConversation(page, whitford)
  await openConversation(other, osei)
  await send(page, whitford, 'Both sides on one machine')
  await sees(other, osei, 'Both sides on one machine')
})
