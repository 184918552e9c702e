import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { toast } from './account.ts'
import type { Person } from './people.ts'

const verifier = fileURLToPath(new URL('../../../packages/server/src/verifyAudit.ts', import.meta.url))

export const tab = (page: Page, name: string) => page.getByRole('tab', { name })
export const policySwitch = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })

/** Clicks a switch, and waits until the server has confirmed its new state. */
export async function flip(page: Page, name: string, to: 'on' | 'off'): Promise<void> {
  await policySwitch(page, name).click()
  await expect(toast(page, `${name}: ${to}`)).toBeVisible()
}

/** Confirms a change of the email address with the password. */
export async function confirmEmail(page: Page, { password }: Pick<Person, 'password'>): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirm your identity' })
  await question.getByLabel('Password', { exact: true }).fill(password)
  await question.getByRole('button', { name: 'Change email' }).click()
  await expect(question).toHaveCount(0)
}

/** Confirms the identity in the dialog: first with a wrong password, then with the right one. */
export async function confirmIdentity(page: Page, { password }: Person): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirm your identity' })
  const field = question.getByLabel('Password', { exact: true })
  // The dialog that asked for the confirmation is hidden meanwhile.
  await expect(page.locator('.dialog:visible')).toHaveCount(1)
  await field.fill('not the password')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(field).toHaveAccessibleDescription('Incorrect password.')
  await field.fill(password)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(question).toHaveCount(0)
}

/** Exports the log in this format; resolves with the path of the download and its suggested name. */
export async function exportLog(page: Page, format: string): Promise<{ path: string; name: string }> {
  await page.getByRole('button', { name: 'Export' }).click()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click(),
  ])
  await expect(toast(page, 'Export Successful')).toBeVisible()
  return { path: await saved.path(), name: saved.suggestedFilename() }
}

/** Runs `npm run verify-audit` on a file; returns its exit code and its output. */
export function verifyLog(path: string): { code: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [verifier, path], { encoding: 'utf8' })
  return { code: status, said: stdout + stderr }
}
