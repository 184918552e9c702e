import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { session } from '@privity/contract/session'
import { afterEach, expect, test, vi } from 'vitest'
import { everyTable } from '../../../server/test/support/database/schema.ts'
import { createStage, next, type Stage } from '../support/stage.ts'
import { approve, bytesOf, download, share } from '../support/fileSharing.ts'
import { watchKeys, writingsOf } from '../support/keyWatch.ts'

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesUnder(path) : [path]
  })
}

/** Every value of the database that the server's secret opens. */
async function openAtRest({ server }: Stage): Promise<Buffer[]> {
  const { db, secrets } = server.core
  const opened: Buffer[] = []
  for (const table of await everyTable(db.read))
    for (const value of (await db.read.all<object>(`select * from ${table}`)).flatMap((row) => Object.values(row)))
      try {
        opened.push(Buffer.from(secrets.decryptAtRest(String(value))))
      } catch {
        // It is not encrypted at rest.
      }
  return opened
}

afterEach(() => vi.restoreAllMocks())

test('keys have 256 bits, and none that opens anything is on the server’s disk, in any writing', async () => {
  const { secrets, lengths } = watchKeys()
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const heard = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Good morning')
  expect((await heard).body).toEqual({ kind: 'text', text: 'Good morning' })
  const message = await share(anna, ben, connectionId, new File([bytesOf(1000)], 'notes.txt'))
  await approve(anna, ben, message)
  expect((await download(ben, message)).saved[0]?.bytes).toEqual(bytesOf(1000))
  await stage.signIn(anna)

  expect([...lengths]).toEqual([256])
  expect(new Set(secrets.map((secret) => secret.length))).toEqual(new Set([32]))
  expect(secrets.length).toBeGreaterThan(20)
  const disk = filesUnder(stage.server.dataDir).map((path) => readFileSync(path))
  expect(
    disk.some((file) => file.includes(anna.username)),
    'the disk is what is read',
  ).toBe(true)
  const written = secrets.flatMap(writingsOf)
  expect(written.filter((form) => disk.some((file) => file.includes(form))).length).toBe(0)
  const opened = await openAtRest(stage)
  const { keyShare } = (await anna.client.call(session.getUser, {})).session
  expect(
    opened.some((value) => value.includes(keyShare)),
    'what the secret opens is read',
  ).toBe(true)
  expect(written.filter((form) => opened.some((value) => value.includes(form))).length).toBe(0)
})
