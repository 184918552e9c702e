import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { demoAccounts } from '../../../packages/server/src/features/config/config.ts'
import { openSignUp, seeDashboard } from '../../support/members/account.ts'
import { openConversation, sees, send } from '../../support/members/conversation.ts'
import type { RunningServer } from '../../support/servers/server.ts'
import { expect, test } from '../../support/servers/test.ts'
import { smallTargets } from '../../support/screens/targets.ts'
import { phone } from '../../support/screens/touch.ts'

const seedDemo = fileURLToPath(new URL('../../../scripts/seedDemo.ts', import.meta.url))
const osei = { firstName: 'Demo', lastName: 'Osei' }
const whitford = { firstName: 'Demo', lastName: 'Whitford' }

test.use({ serverEnv: { DEMO: '1' } })

const seed = ({ origin }: RunningServer) =>
  promisify(execFile)(process.execPath, [seedDemo, origin, JSON.stringify(demoAccounts)])

test('the demo accounts are filled in, connected, and able to write to each other', async ({ openBrowser, server }) => {
  const early = await openBrowser()
  await early.goto('/auth')
  await expect(early.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(early.getByLabel('Username'), 'accounts that are still being made').toHaveValue('')
  await seed(server)
  await seed(server)

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

test('every target of a sign-in with demo credentials measures 44 px on a phone', async ({ openBrowser, server }) => {
  await seed(server)
  const page = await openBrowser(phone)
  await page.goto('/auth')
  await expect(page.getByRole('button', { name: 'fill in the other demo account' })).toBeVisible()
  expect(await smallTargets(page)).toEqual([])
})

test('demo credentials that come late never touch what a person or a manager has entered', async ({
  openBrowser,
  server,
}) => {
  await seed(server)
  const page = await openBrowser()
  const username = page.getByLabel('Username')
  const password = page.getByLabel('Password', { exact: true })
  /** Opens the form, and delivers the demo accounts only after `enter` has run. */
  const arriveAfter = async (enter: () => Promise<void>) => {
    const entered = Promise.withResolvers<void>()
    await page.route('/api/config', async (route) => {
      await entered.promise
      await route.continue()
    })
    await page.goto('/auth')
    await enter()
    entered.resolve()
    await expect(page.getByRole('button', { name: 'fill in the other demo account' })).toBeVisible()
    await page.unroute('/api/config')
  }

  await test.step('someone who has gone to a field types into it what they type, and nothing else', async () => {
    await arriveAfter(() => username.focus())
    await username.pressSequentially('amara.osei')
    await expect(username).toHaveValue('amara.osei')
    await expect(password).toHaveValue('')
    await expect(page.getByText('Demo credentials are filled in.')).toBeHidden()
  })

  await test.step('a password that was filled in without anyone going there stays', async () => {
    await arriveAfter(() =>
      password.evaluate((field: HTMLInputElement) => {
        // As an extension sets it: from its own JavaScript world, in which React has not wrapped this setter.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'from the manager')
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }),
    )
    await expect(password).toHaveValue('from the manager')
    await expect(username).toHaveValue('')
  })

  await test.step('fields that nobody touched are filled in', async () => {
    await arriveAfter(async () => expect(username).toHaveValue(''))
    await expect(username).not.toHaveValue('')
    await expect(page.getByText('Demo credentials are filled in.')).toBeVisible()
  })
})
