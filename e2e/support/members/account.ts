import { expect, type Page } from '@playwright/test'
import type { Person } from './people.ts'

export async function openSignUp(page: Page): Promise<void> {
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Create an account' }).click()
}

/** Fills in the sign-up form and submits it. */
export async function fillSignUp(page: Page, person: Person): Promise<void> {
  await page.getByLabel('First name').fill(person.firstName)
  await page.getByLabel('Last name').fill(person.lastName)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Create account' }).click()
}

/** The recovery key on the screen that shows it once. */
export async function readRecoveryKey(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { name: /^Save your (new )?account recovery key$/ })).toBeVisible()
  const list = page.getByRole('list', { name: 'Account recovery key' })
  return (await list.getByRole('listitem').allTextContents()).join('-')
}

/** Continues past a recovery key: types the group that is asked for. */
export async function confirmSaved(page: Page, recoveryKey: string): Promise<void> {
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByLabel('Group 3 of your account recovery key').fill(recoveryKey.split('-')[2] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Creates an account in this browser and continues to the dashboard; resolves with the recovery key. */
export async function signUp(page: Page, person: Person): Promise<string> {
  await openSignUp(page)
  await fillSignUp(page, person)
  const recoveryKey = await readRecoveryKey(page)
  await confirmSaved(page, recoveryKey)
  await seeDashboard(page)
  return recoveryKey
}

/** Fills in the sign-in form of /auth and submits it. */
export async function fillSignIn(page: Page, { username, password }: Pick<Person, 'username' | 'password'>) {
  await page.goto('/auth')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

export async function signIn(page: Page, person: Pick<Person, 'username' | 'password'>): Promise<void> {
  await fillSignIn(page, person)
  await seeDashboard(page)
}

/** Fails `times` sign-ins from this browser, without the form's key derivation for each. */
export async function guess(page: Page, { username }: Pick<Person, 'username'>, times: number): Promise<void> {
  const headers = { origin: new URL(page.url()).origin }
  for (let attempt = 0; attempt < times; attempt++) {
    const data = { username, password: `a guess, ${attempt} before` }
    expect((await page.request.post('/api/login', { headers, data })).status()).toBe(401)
  }
}

export async function seeDashboard(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Your connection code' })).toBeVisible()
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
}

/** The message of a refusal inside the form: at a field or above its button. */
export const refusal = (page: Page, words: string) => page.locator('form').getByText(words)

/** The toast with this title; only one is shown at a time. */
export const toast = (page: Page, title: string) => page.getByRole('region', { name: 'Notices' }).getByText(title)
