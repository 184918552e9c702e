import { expect, type Locator, type Page } from '@playwright/test'
import { fullName, type Person } from './people.ts'
import type { Press } from '../screens/pointer.ts'

type Name = Pick<Person, 'firstName' | 'lastName'>

/** This member's connection code, as spelt for a screen reader: 'K T R, M V X, 4 8 2'. */
export async function ownCode(page: Page): Promise<string> {
  const section = page.getByRole('region', { name: 'Your connection code' })
  const spelt = await section.getByText(/^(\S ){2}\S, (\S ){2}\S, (\S ){2}\S$/).textContent()
  return String(spelt).replaceAll(' ', '').replaceAll(',', '-')
}

export async function connect(page: Page, code: string, press: Press = 'click'): Promise<void> {
  await page.getByLabel('Connect to Someone').fill(code)
  await page.getByRole('button', { name: 'Connect', exact: true })[press]()
}

/** The row of a contact in Active Connections. */
export const connectionRow = (page: Page, other: Name) =>
  page.getByRole('region', { name: 'Active Connections' }).getByRole('button', { name: fullName(other) })

export const conversation = (page: Page, other: Name) =>
  page.getByRole('log', { name: `Conversation with ${fullName(other)}` })

export async function openConversation(page: Page, other: Name): Promise<void> {
  await connectionRow(page, other).click()
  await expect(page.getByRole('heading', { name: fullName(other) })).toBeVisible()
  await expect(conversation(page, other)).toBeVisible()
}

export const composer = (page: Page, other: Name): Locator => page.getByLabel(`Message ${fullName(other)}`)

/** Types a text and sends it with Enter. */
export async function send(page: Page, other: Name, text: string): Promise<void> {
  await composer(page, other).fill(text)
  await composer(page, other).press('Enter')
}

/** Every message of the conversation whose text equals `text`. */
export const message = (page: Page, other: Name, text: string) =>
  conversation(page, other).getByText(text, { exact: true })

export async function sees(page: Page, other: Name, text: string): Promise<void> {
  await expect(message(page, other, text)).toHaveCount(1)
  await expect(message(page, other, text)).toBeInViewport()
}
