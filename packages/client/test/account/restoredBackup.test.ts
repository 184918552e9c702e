import { limits } from '@privity/contract/limits'
import { expect, test, vi } from 'vitest'
import { browserIdOf, browserListed, keysFor } from '../support/browsers.ts'
import { collect, createStage, type Person, type Stage } from '../support/stage.ts'

vi.setConfig({ testTimeout: 60_000 })

const tables = ['browsers', 'browser_links', 'browser_removals', 'epochs', 'sealed_seeds']
const columns = ['only_approved', 'mode_changes', 'mode_signature', 'publication_due']
type Row = Record<string, string | number | null>

/** Copies what the server stores of a member's browsers; the function puts it back, and ends all sessions. */
async function backUp({ server }: Stage, userId: string): Promise<() => Promise<void>> {
  const { db, sessions } = server.core
  const user = (await db.read.get<Row>(`select ${columns.join()} from users where id = ?`, [userId])) as Row
  const select = async (table: string) => db.read.all<Row>(`select * from ${table} where user_id = ?`, [userId])
  const saved = await Promise.all(tables.map(async (table) => ({ table, rows: await select(table) })))
  return () =>
    db.write(async (tx) => {
      for (const { table } of saved.toReversed()) await tx.run(`delete from ${table} where user_id = ?`, [userId])
      for (const { table, rows } of saved)
        for (const row of rows) {
          const marks = Object.keys(row).map(() => '?')
          await tx.run(`insert into ${table} (${Object.keys(row).join()}) values (${marks.join()})`, Object.values(row))
        }
      const changes = columns.map((name) => `${name} = ?`)
      await tx.run(`update users set ${changes.join()} where id = ?`, [...Object.values(user), userId])
      for (const { id } of await tx.all<{ id: string }>('select id from sessions where user_id = ?', [userId]))
        await sessions.end(tx, userId, { id })
    })
}

const numberOf = async (person: Person) => (await keysFor(person)).browsers.own?.n ?? 0

/** Lets time go on, minute by minute, until this holds. */
const passes = (stage: Stage, isDone: () => Promise<boolean>) =>
  expect
    .poll(
      async () => {
        await stage.advance(60_000)
        return isDone()
      },
      { timeout: 30_000, interval: 500 },
    )
    .toBe(true)

async function publish(stage: Stage, person: Person): Promise<void> {
  const before = await numberOf(person)
  await stage.advance(limits.epochDuration)
  await passes(stage, async () => (await numberOf(person)) > before)
}

/** Anna with "Only approved browsers" and an approved phone. What follows is lost with the database. */
async function restoreAfter(stage: Stage, change: (anna: Person, phoneId: string) => Promise<void>) {
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  const phone = await stage.signIn(anna)
  await browserListed(phone)
  await phone.client.browsers.openWithRecoveryKey(anna.recoveryKey)
  phone.client.close()
  const restore = await backUp(stage, anna.user.id)
  await publish(stage, anna)
  const [id, phoneId] = [await browserIdOf(anna, anna), await browserIdOf(phone, anna)]
  await change(anna, phoneId)
  const n = await numberOf(anna)
  anna.client.close()
  await restore()
  const page = { ...anna, ...stage.tab(anna) }
  const alarms = collect(page, 'alarm')
  await page.client.account.signIn(anna)
  await passes(stage, async () => (await numberOf(page)) > n && (await keysFor(page)).browsers.isBound)
  expect(await browserIdOf(page, anna)).toBe(id)
  return { page, phoneId, alarms }
}

test('after a restored backup a browser goes on, and removes again what it had removed', async () => {
  await using stage = await createStage()
  const { page, phoneId } = await restoreAfter(stage, ({ client }, id) => client.browsers.remove(id))
  // Although it lacks the seeds of before, so that it approves nobody.
  await passes(stage, async () => (await keysFor(page)).browsers.removed.length > 0)
  const { browsers } = await keysFor(page)
  expect(browsers.removed.map(({ browserId }) => browserId)).toEqual([phoneId])
  expect(browsers.browsers).toHaveLength(1)
  await publish(stage, page)
  expect((await keysFor(page)).browsers.isApproved).toBe(true)
})

test('after a restored backup a browser that may not switch the stricter mode off goes on in it', async () => {
  await using stage = await createStage()
  const { page, alarms } = await restoreAfter(stage, ({ client }) => client.browsers.setOnlyApproved(false))
  await passes(stage, async () => (await keysFor(page)).epochs.at(-1)?.sealedSeed !== undefined)
  expect((await page.client.browsers.list()).onlyApproved).toBe(true)
  expect(alarms.find(({ code }) => code === 'BROWSER_MODE_OLDER')?.sentence).toContain(
    'a browser that is not approved keeps the stricter one',
  )
  await page.client.browsers.openWithRecoveryKey(page.recoveryKey)
  await page.client.browsers.setOnlyApproved(false)
  expect((await keysFor(page)).epochs.at(-1)?.wrappedSeed).toBeDefined()
})
