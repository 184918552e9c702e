import { createHmac } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { moveTo } from './navigation.ts'
import type { Person } from './people.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of an authenticator app with this key, `steps` of 30 seconds from now (RFC 6238). */
export function codeFor(key: string, steps = 0): string {
  const bits = [...key.replaceAll(' ', '')]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE((mac[19] as number) & 15) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

export const section = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' })
export const toggle = (page: Page) => section(page).getByRole('switch', { name: 'Two-factor authentication' })

export async function openSection(page: Page): Promise<void> {
  await moveTo(page, '/privacy-security')
  await expect(toggle(page)).toBeVisible()
}

const dialog = (page: Page) => page.getByRole('dialog')

/** Enters the password in the open dialog and presses the button. */
export async function confirmWith(page: Page, { password }: Person, button: string): Promise<void> {
  await dialog(page).getByLabel('Password', { exact: true }).fill(password)
  await dialog(page).getByRole('button', { name: button }).click()
}

/** Reads the recovery codes from the screen that shows them once, and leaves it. */
export async function takeRecoveryCodes(page: Page): Promise<string[]> {
  const list = dialog(page).getByRole('list', { name: 'Backup codes' })
  await expect(list).toBeVisible()
  const codes = await list.getByRole('listitem').allTextContents()
  await page.keyboard.press('Escape')
  await expect(dialog(page).getByRole('button', { name: 'Close' })).toHaveCount(0)
  await dialog(page).getByLabel('I have saved them').check()
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await expect(dialog(page)).toBeHidden()
  return codes
}

/** Opens the dialog that sets up an authenticator app; resolves with the app's key. */
export async function beginApp(page: Page, person: Person): Promise<string> {
  await toggle(page).click()
  await confirmWith(page, person, 'Continue')
  const key = dialog(page).getByRole('group', { name: 'Key for your authenticator app' })
  await expect(key).toBeVisible()
  return (await key.textContent()) ?? ''
}

/** Enables an authenticator app; resolves with its key and the recovery codes. */
export async function enableApp(page: Page, person: Person): Promise<{ key: string; recoveryCodes: string[] }> {
  await openSection(page)
  const key = await beginApp(page, person)
  await dialog(page).getByLabel('Code from your authenticator app').fill(codeFor(key))
  await dialog(page).getByRole('button', { name: 'Switch on' }).click()
  return { key, recoveryCodes: await takeRecoveryCodes(page) }
}

export async function seeSecondStep(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
}
