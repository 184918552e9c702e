import { connections, type Connection } from '@privity/contract/connections'
import { files } from '@privity/contract/files'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { prefer } from '../../support/scenes/preferences.ts'
import { createTalk } from '../../support/scenes/conversation.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const partyOf = (connection: Connection | undefined, { user }: Member) =>
  [connection?.user1, connection?.user2].find((party) => party?.id === user.id)

const listed = async (viewer: Member, of: Member) => partyOf((await viewer.call(connections.list, {}))[0], of)

/** As they appear in a response or a notice. */
const secrets = ({ user }: Member) => [user.email, `"username":"${user.username}"`]

test('off: contacts see the name, and neither email address nor username, wherever they look', async () => {
  const talk = await createTalk(server)
  const { anna, ben } = talk
  const socket = await anna.socket()
  await prefer(ben, { profileVisibility: false })
  const { filePath } = await talk.sendFile(anna)
  await ben.call(files.request, { body: { filePath } })
  await ben.socket()
  await talk.send(ben)
  await socket.next('authorization_requested').then((frame) => {
    expect(frame.request).toMatchObject({ requestedBy: `${ben.user.firstName} ${ben.user.lastName}` })
    expect(frame.request.requestedByEmail).toBeUndefined()
  })
  await socket.settled()
  const answers = await Promise.all(
    [
      '/api/connections',
      '/api/file-authorizations/pending',
      `/api/connections/${talk.connection.id}/messages`,
      `/api/connections/${talk.connection.id}/messages/progress`,
      `/api/connections/${talk.connection.id}/keys`,
      '/api/notifications',
      '/api/unread-counts',
    ].map((path) => anna.request('GET', path)),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const seen = JSON.stringify([...answers.map(({ body }) => body), ...socket.frames])
  expect(seen).toContain(ben.user.lastName)
  for (const secret of secrets(ben)) expect(seen).not.toContain(secret)
  expect(await listed(anna, ben)).toEqual({
    id: ben.user.id,
    firstName: ben.user.firstName,
    lastName: ben.user.lastName,
    available: true,
    online: true,
  })
})

test('it hides nothing from oneself, and is not mutual', async () => {
  const { anna, ben } = await createTalk(server)
  await prefer(ben, { profileVisibility: false })
  expect(await listed(ben, ben)).toMatchObject({ email: ben.user.email, username: ben.user.username })
  expect(await listed(ben, anna)).toMatchObject({ email: anna.user.email, username: anna.user.username })
})

test('switching takes effect in open browsers at once, and back', async () => {
  const { anna, ben } = await createTalk(server)
  const socket = await anna.socket()
  await prefer(ben, { profileVisibility: false })
  const hidden = (await socket.next('party_changed')).party
  expect(hidden).toMatchObject({ id: ben.user.id, firstName: ben.user.firstName })
  expect(hidden).not.toHaveProperty('email')
  expect(hidden).not.toHaveProperty('username')
  await prefer(ben, { profileVisibility: true })
  expect((await socket.next('party_changed')).party).toMatchObject({ email: ben.user.email })
})

test('a new connection does not show it either, in the answer or in the notice', async () => {
  const [anna, ben] = [await server.signUp(), await server.signUp()]
  await prefer(ben, { profileVisibility: false })
  const socket = await anna.socket()
  const answer = await server.connect(anna, ben)
  const { connection } = await socket.next('connection_created')
  for (const shown of [partyOf(answer, ben), partyOf(connection, ben)]) {
    expect(shown).toMatchObject({ firstName: ben.user.firstName })
    expect(shown).not.toHaveProperty('email')
    expect(shown).not.toHaveProperty('username')
  }
})
