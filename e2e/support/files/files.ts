import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { conversation } from '../members/conversation.ts'
import type { Person } from '../members/people.ts'
import type { Press } from '../screens/pointer.ts'

type Name = Pick<Person, 'firstName' | 'lastName'>
export type Given = string | { name: string; mimeType: string; buffer: Buffer }

/** Chooses a file (a path, or bytes with a name) with the UPLOAD FILE button. */
export async function upload(page: Page, file: Given): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'UPLOAD FILE' }).click()
  await (await chooser).setFiles(file)
}

/** The row of a file in the conversation, with its state and its button. */
export const fileRow = (page: Page, other: Name, fileName: string): Locator =>
  conversation(page, other)
    .getByRole('article')
    .filter({ has: page.getByTitle(fileName, { exact: true }) })

/** Requests a file, and waits until the owner must decide. */
export async function requestAccess(page: Page, other: Name, fileName: string, press: Press = 'click'): Promise<void> {
  const row = fileRow(page, other, fileName)
  await row.getByRole('button', { name: 'Request Access' })[press]()
  await expect(row.getByText('Authorization pending')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Request sent' })).toBeDisabled()
}

/** Opens the pending requests and decides the one for this file. */
export async function decide(
  page: Page,
  fileName: string,
  decision: 'Approve' | 'Deny',
  press: Press = 'click',
): Promise<void> {
  await page.getByRole('region', { name: 'File authorization' }).getByRole('button', { name: 'Review' }).click()
  const dialog = page.getByRole('dialog', { name: 'File authorization requests' })
  await dialog.getByRole('button', { name: `${decision} ${fileName}` })[press]()
  await expect(dialog.getByText(decision === 'Approve' ? 'can now download' : 'cannot download')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
}

export interface Downloaded {
  name: string
  path: string
}

/** Downloads a file to the browser's download folder. */
export async function download(page: Page, other: Name, fileName: string): Promise<Downloaded> {
  const started = page.waitForEvent('download', { timeout: 60_000 })
  await fileRow(page, other, fileName).getByRole('button', { name: 'Download', exact: true }).click()
  const finished = await started
  return { name: finished.suggestedFilename(), path: await finished.path() }
}

export const bytesOf = ({ path }: Downloaded): Promise<Buffer> => readFile(path)
