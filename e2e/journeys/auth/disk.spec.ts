import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import type { FounderAccess } from '@privity/contract/founder/session'
import type { OwnKeys } from '@privity/contract/keys'
import { deriveMasterKey, deriveSignIn, importAccountKey, openPrivate, unwrapAccountKey } from '@privity/e2ee'
import { deriveFounderMasterKey, deriveFounderSignIn } from '@privity/e2ee/founder'
import { seeDashboard, signIn } from '../../support/members/account.ts'
import { amara } from '../../support/members/people.ts'
import { launch } from '../../support/servers/browsers.ts'
import { findInProfile } from '../../support/servers/profile.ts'
import { expect, test } from '../../support/servers/test.ts'

test.use({ prepared: 'accounts' })

/** The secrets of the account, opened with the password from what the server stores. */
async function readSecrets(page: Page) {
  const keys = (await (await page.request.get('/api/keys')).json()) as OwnKeys
  const { userId } = keys
  const { wrapKey } = await deriveSignIn(await deriveMasterKey(amara.password, amara.username))
  const accountKey = await unwrapAccountKey(wrapKey, keys.wrappedAccountKey, { userId, purpose: 'password' })
  const binding = { userId, purpose: 'identity-seed', id: 'identity' }
  const identitySeed = await openPrivate(await importAccountKey(accountKey), binding, keys.wrappedIdentitySeed)
  return { accountKey, identitySeed }
}

/**
 * Stores a key that scripts cannot read out, as the account key itself would be stored, and then so much else that the
 * database writes its log to a table.
 */
const storeKey = (page: Page, bytes: Uint8Array, place: { database: string; store: string }) =>
  page.evaluate(
    async ([raw, { database, store }]) => {
      const key = await crypto.subtle.importKey('raw', new Uint8Array(raw), 'HKDF', false, ['deriveBits'])
      const opening = indexedDB.open(database)
      await new Promise((resolve) => opening.addEventListener('success', resolve))
      const writing = opening.result.transaction(store, 'readwrite')
      const values = writing.objectStore(store)
      values.put(key, 'control')
      for (let i = 0; i < 120; i++) values.put(crypto.getRandomValues(new Uint8Array(60_000)), `control ${i}`)
      await new Promise((resolve) => writing.addEventListener('complete', resolve))
      opening.result.close()
    },
    [[...bytes], place] as const,
  )

interface Profile {
  folder: string
  /** A key that is stored to show that the search finds keys on this disk. */
  control: Uint8Array
  /** Runs `work` in a browser on this profile, closes it, and expects none of the secrets on the disk. */
  expectNoSecret(secrets: Uint8Array[], work: (page: Page) => Promise<Uint8Array[] | undefined>): Promise<Uint8Array[]>
}

async function onNewProfile(baseURL: string, use: (profile: Profile) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-profile-'))
  const control = randomBytes(32)

  async function expectNoSecret(secrets: Uint8Array[], work: (page: Page) => Promise<Uint8Array[] | undefined>) {
    const context = await chromium.launchPersistentContext(folder, {
      ...launch(process.env.HEADLESS_SHELL_PATH),
      baseURL,
      serviceWorkers: 'block',
      locale: 'en-US',
      reducedMotion: 'reduce',
    })
    const page = context.pages()[0] ?? (await context.newPage())
    const found = (await work(page)) ?? secrets
    await context.close()
    expect(await findInProfile(folder, control)).not.toEqual([])
    for (const secret of found) expect(await findInProfile(folder, secret)).toEqual([])
    return found
  }

  try {
    await use({ folder, control, expectNoSecret })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('the disk of a browser holds neither account key nor identity, signed in or out', async ({ server }) => {
  await onNewProfile(server.origin, async ({ folder, control, expectNoSecret }) => {
    const secrets = await expectNoSecret([], async (page) => {
      await signIn(page, amara)
      await storeKey(page, control, { database: 'privity', store: 'values' })
      return Object.values(await readSecrets(page))
    })
    expect(secrets.map(({ length }) => length)).toEqual([32, 32])

    await expectNoSecret(secrets, async (page) => {
      await page.goto('/')
      await seeDashboard(page)
      await page.getByRole('button', { name: /^User menu/ }).click()
      await page.getByRole('menuitem', { name: 'Logout' }).click()
      await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
    })

    await expectNoSecret(secrets, async (page) => {
      await page.goto('/')
      await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
    })
    expect(await findInProfile(folder, control)).toContainEqual(expect.stringMatching(/\.ldb, decompressed$/))
  })
})

test.describe('of the founder', () => {
  const password = 'the password of the founder'
  test.use({ serverEnv: { FOUNDER_PASSWORD: password } })

  test('the disk of the founder’s browser holds no wrapping key, signed in or out', async ({ server }) => {
    await onNewProfile(server.origin, async ({ control, expectNoSecret }) => {
      const secrets = await expectNoSecret([], async (page) => {
        await page.goto('/founder')
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByRole('button', { name: 'Sign In' }).click()
        await expect(page).toHaveURL(/\/founder\/dashboard$/)
        await storeKey(page, control, { database: 'privity-founder', store: 'keys' })
        const { salt } = (await (await page.request.get('/api/founder/access')).json()) as FounderAccess
        return [(await deriveFounderSignIn(await deriveFounderMasterKey(password, salt))).raw]
      })
      await expectNoSecret(secrets, async (page) => {
        await page.goto('/founder/dashboard')
        await page.getByRole('button', { name: 'Logout' }).click()
        await expect(page).toHaveURL(/\/founder$/)
      })
    })
  })
})
