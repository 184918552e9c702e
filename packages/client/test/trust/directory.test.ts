import { expect, test } from 'vitest'
import { switchDirectoryOn } from '../../../server/test/support/scenes/directory.ts'
import { createStage, next, type Person, type Stage, texts } from '../support/stage.ts'

/** Two members of an organization with a directory, each in a browser that has not created the account. */
async function createColleagues(stage: Stage): Promise<{ anna: Person; ben: Person }> {
  await switchDirectoryOn(stage.server)
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  return { anna: await stage.signIn(anna), ben: await stage.signIn(ben) }
}

async function find({ client }: Person, { user }: Person): Promise<string> {
  const { colleagues } = await client.connections.directory.search(user.lastName)
  const found = colleagues.find(({ id }) => id === user.id)
  if (found === undefined) throw new Error(`${user.username} was not found.`)
  return found.id
}

async function ask(anna: Person, ben: Person): Promise<string> {
  await anna.client.connections.directory.request(await find(anna, ben))
  const { received } = await ben.client.connections.directory.requests()
  return received[0]?.id ?? ''
}

test('an accepted request connects two who can write to each other', async () => {
  await using stage = await createStage()
  const { anna, ben } = await createColleagues(stage)
  const id = await ask(anna, ben)
  const created = next(anna, 'connection_created')
  const connection = await ben.client.connections.directory.accept(id)
  expect((await created).id).toBe(connection.id)
  const received = next(anna, 'message')
  await ben.client.messages.send(connection.id, 'Found you')
  await received
  expect(await texts(anna, connection.id)).toEqual(['Found you'])
})

test('a request verifies nobody, and only the browser that accepted has met the contact', async () => {
  await using stage = await createStage()
  const { anna, ben } = await createColleagues(stage)
  const { id } = await ben.client.connections.directory.accept(await ask(anna, ben))
  await anna.client.connections.list()
  expect(await ben.client.trust.state(id)).toMatchObject({ state: 'unverified', question: undefined })
  expect(await anna.client.trust.state(id)).toMatchObject({ state: 'unverified', question: { code: 'CONTACT_UNMET' } })
})

test('two who ask each other are connected by the second request', async () => {
  await using stage = await createStage()
  const { anna, ben } = await createColleagues(stage)
  await ask(anna, ben)
  const connection = await ben.client.connections.directory.request(await find(ben, anna))
  expect(await anna.client.connections.list()).toMatchObject([{ id: connection?.id }])
})

test('a request and its withdrawal reach the open pages of the colleague', async () => {
  await using stage = await createStage()
  const { anna, ben } = await createColleagues(stage)
  const asked = next(ben, 'requests_changed')
  const id = await ask(anna, ben)
  await asked
  const withdrawn = next(ben, 'requests_changed')
  await anna.client.connections.directory.withdraw(id)
  await withdrawn
  expect(await ben.client.connections.directory.requests()).toEqual({ received: [], sent: [] })
})

test('declining leaves the sender’s list as it was', async () => {
  await using stage = await createStage()
  const { anna, ben } = await createColleagues(stage)
  const id = await ask(anna, ben)
  const before = await anna.client.connections.directory.requests()
  await ben.client.connections.directory.decline(id)
  expect(before.sent).toHaveLength(1)
  expect(await anna.client.connections.directory.requests()).toEqual(before)
})
