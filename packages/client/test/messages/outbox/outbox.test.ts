import { expect, test } from 'vitest'
import { accountKeyOf } from '../../support/accountKey.ts'
import { collect, connected, createStage, next, reaches, sentAll, texts, textOf } from '../../support/stage.ts'

const sends = (requests: readonly { request: string }[]) =>
  requests.filter(({ request }) => request === 'POST /api/messages').length

test('messages written offline go out by themselves, once each and in order', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const heard = collect(ben, 'message')
  anna.network.offline = true
  for (const text of ['One', 'Two', 'Three']) await anna.client.messages.send(connectionId, text)
  expect(anna.client.outbox.get().map(({ body }) => textOf({ body }))).toEqual(['One', 'Two', 'Three'])
  anna.network.offline = false
  await stage.advance(60_000)
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['One', 'Two', 'Three'])
  await connected(ben)
  expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length)
})

test('a message that is sent while the one before is still being kept goes out after it, once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const writing = Promise.withResolvers<void>()
  const { set } = anna.device
  let kept = 0
  anna.device.set = async (name, value) => {
    // The first takes longest.
    if (name.startsWith('outbox/') && ++kept === 1) await writing.promise
    return set(name, value)
  }
  const sending = ['First', 'Second', 'Third'].map((text) => anna.client.messages.send(connectionId, text))
  expect(anna.client.outbox.get()).toEqual([])
  writing.resolve()
  await Promise.all(sending)
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['First', 'Second', 'Third'])
  expect(sends(anna.network.requests)).toBe(3)
})

test('a server that is away for a while and comes back gets everything once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'Before')
  await sentAll(anna)
  await stage.server.app.close()
  await anna.client.messages.send(connectionId, 'Meanwhile')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
  await stage.server.start()
  await stage.advance(60_000)
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['Before', 'Meanwhile'])
})

test('an answer that is lost after the server has stored the message does not store it twice', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const heard = collect(ben, 'message')
  const told = collect(anna, 'message')
  anna.network.deaf = true
  let lost = 0
  anna.network.loses = (request) => request === 'POST /api/messages' && ++lost <= 3
  await anna.client.messages.send(connectionId, 'Once')
  while (anna.client.outbox.get().length > 0) {
    await reaches(anna.client.outbox, ([item]) => item?.state !== 'sending')
    await stage.advance(30_000)
  }
  expect(sends(anna.network.requests)).toBe(4)
  expect(await texts(ben, connectionId)).toEqual(['Once'])
  expect(told.map(textOf)).toEqual(['Once'])
  expect(heard.map(textOf)).toEqual(['Once'])
})

test('a lost answer and a reload do not store a message twice either', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.deaf = true
  anna.network.loses = (request) => request === 'POST /api/messages'
  await anna.client.messages.send(connectionId, 'Once')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'sending')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
  anna.client.close()
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  await sentAll(reloaded)
  expect(await texts(ben, connectionId)).toEqual(['Once'])
})

test('a lost answer, and the keys have moved on: the message is still stored once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  let first = true
  anna.network.deaf = true
  anna.network.loses = (request) => request === 'POST /api/messages' && first && !(first = false)
  await anna.client.messages.send(connectionId, 'Once')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting' && !first)
  // The sealed form is gone as well: it is sealed anew under the same id, and the server says it has that id.
  const [name] = await anna.device.names('outbox/')
  anna.client.close()
  await forgetSealedForm(stage, anna, name as string)
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  await sentAll(reloaded)
  expect(await texts(ben, connectionId)).toEqual(['Once'])
  expect(reloaded.network.requests.some(({ request }) => request === 'POST /api/messages')).toBe(true)
})

test('what waits is sealed on the device, and survives a reload', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.offline = true
  await anna.client.messages.send(connectionId, 'Kept for later')
  const [name] = await anna.device.names('outbox/')
  expect(await anna.device.get(name as string)).not.toContain('Kept')
  anna.client.close()
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  await sentAll(reloaded)
  expect(await texts(ben, connectionId)).toEqual(['Kept for later'])
})

test('a permanent failure stays with its message until it is retried or discarded', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await stage.server.core.db.write((tx) => tx.run('update users set suspended = 1 where id = ?', [ben.user.id]))
  const { id } = await anna.client.messages.send(connectionId, 'Are you there?')
  const [failed] = await reaches(anna.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toBe('This person is unavailable and cannot receive messages.')
  await stage.server.core.db.write((tx) => tx.run('update users set suspended = 0 where id = ?', [ben.user.id]))
  await anna.client.messages.retry(id)
  await sentAll(anna)
  expect(await texts(anna, connectionId)).toEqual(['Are you there?'])

  await stage.server.core.db.write((tx) => tx.run('update users set suspended = 1 where id = ?', [ben.user.id]))
  const second = await anna.client.messages.send(connectionId, 'Never mind')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'failed')
  await anna.client.messages.discard(second.id)
  expect(anna.client.outbox.get()).toEqual([])
  expect(await anna.device.names('outbox/')).toEqual([])
})

test('a text that waited for more than 24 hours is not sent by itself any more', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.offline = true
  const { id } = await anna.client.messages.send(connectionId, 'Meet me in an hour')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
  await stage.advance(24 * 60 * 60 * 1000 + 1)
  const [failed] = await reaches(anna.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toMatch(/longer than messages are kept/)
  // The session has been idle for as long: the item outlives it on the device.
  anna.network.offline = false
  await stage.advance(60_000)
  await reaches(anna.client.account.state, ({ status }) => status === 'signedOut')
  expect(anna.client.outbox.get()).toEqual([])
  await anna.client.account.signIn(anna)
  expect(anna.client.outbox.get()).toMatchObject([{ id, state: 'failed' }])
  await anna.client.messages.retry(id)
  await sentAll(anna)
  expect(await texts(await stage.signIn(ben), connectionId)).toEqual(['Meet me in an hour'])
})

test('too many messages at once wait as long as the server says', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const all = Array.from({ length: 65 }, (_, at) => `Number ${at}`)
  for (const text of all) await anna.client.messages.send(connectionId, text)
  await reaches(anna.client.outbox, (items) => items.length === 5 && items[0]?.state === 'sending')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
  await stage.advance(10_000)
  await sentAll(anna)
  expect(sends(anna.network.requests)).toBe(66)
  const newest = (await ben.client.messages.list(connectionId)).map(textOf)
  expect(newest).toEqual(all.slice(15))
})

test('two tabs share one outbox and send each message once, in order', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const tab = stage.tab(anna)
  await tab.client.account.start()
  await connected(tab)
  anna.network.offline = tab.network.offline = true
  await anna.client.messages.send(connectionId, 'One')
  await reaches(tab.client.outbox, (items) => items.length === 1)
  await stage.advance(1)
  await tab.client.messages.send(connectionId, 'Two')
  await reaches(anna.client.outbox, (items) => items.length === 2)
  await stage.advance(1)
  await anna.client.messages.send(connectionId, 'Three')
  anna.network.offline = tab.network.offline = false
  await stage.advance(60_000)
  await Promise.all([sentAll(anna), sentAll(tab)])
  expect(await texts(ben, connectionId)).toEqual(['One', 'Two', 'Three'])
  expect(sends(anna.network.requests) + sends(tab.network.requests)).toBe(3)
})

test('two tabs send in the order of writing, even if their clocks differ', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const tab = stage.tab(anna)
  // As over a network whose answers take longer than its questions.
  tab.network.tampers = (request, answer) =>
    request === 'GET /api/config' ? { ...(answer as object), now: stage.server.clock.now() - 2_000 } : answer
  await tab.client.account.start()
  await connected(tab)
  anna.network.offline = tab.network.offline = true
  for (const [at, { client }] of [anna, tab, anna, tab].entries()) {
    await client.messages.send(connectionId, `Number ${at}`)
    for (const each of [anna, tab]) await reaches(each.client.outbox, (items) => items.length === at + 1)
  }
  anna.network.offline = tab.network.offline = false
  await stage.advance(60_000)
  await Promise.all([sentAll(anna), sentAll(tab)])
  expect(await texts(ben, connectionId)).toEqual(['Number 0', 'Number 1', 'Number 2', 'Number 3'])
})

test('a message is discarded in every tab', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const tab = stage.tab(anna)
  await tab.client.account.start()
  anna.network.offline = tab.network.offline = true
  const { id } = await anna.client.messages.send(connectionId, 'One')
  await reaches(tab.client.outbox, (items) => items.length === 1)
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
  await tab.client.messages.discard(id)
  await sentAll(anna)
  expect(await anna.device.names('outbox/')).toEqual([])
})

test('a message discarded before it leaves does not leave', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const asking = Promise.withResolvers<void>()
  const answering = Promise.withResolvers<void>()
  anna.network.watches = (request) => {
    if (!request.endsWith('/keys')) return
    asking.resolve()
    return answering.promise
  }
  const { id } = await anna.client.messages.send(connectionId, 'Never mind')
  await asking.promise
  await anna.client.messages.discard(id)
  answering.resolve()
  await anna.client.messages.send(connectionId, 'Next')
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['Next'])
  expect(sends(anna.network.requests)).toBe(1)
})

test('what was waiting for a connection that is removed goes with it', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await stage.server.core.db.write((tx) => tx.run('update users set suspended = 1 where id = ?', [ben.user.id]))
  await anna.client.messages.send(connectionId, 'Are you there?')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'failed')
  await anna.client.drafts.set(connectionId, 'Half a')
  const removed = next(anna, 'connection_removed')
  await anna.client.connections.remove(connectionId)
  await removed
  expect(anna.client.outbox.get()).toEqual([])
  expect(await anna.client.drafts.get(connectionId)).toBe('')
})

test('drafts are sealed, survive a reload, and the last text wins', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const { drafts } = anna.client
  await Promise.all(['H', 'Hel', 'Hello'].map((text) => drafts.set(connectionId, text)))
  const tab = stage.tab(anna)
  await tab.client.account.start()
  expect(await tab.client.drafts.get(connectionId)).toBe('Hello')
  const [name] = await anna.device.names('draft/')
  expect(await anna.device.get(name as string)).not.toContain('Hello')
  await drafts.set(connectionId, '')
  expect(await tab.client.drafts.get(connectionId)).toBe('')
  expect(await anna.device.names('draft/')).toEqual([])
})

/** As if the browser had been closed before it could keep how the message was sealed. */
async function forgetSealedForm(
  stage: Awaited<ReturnType<typeof createStage>>,
  person: Awaited<ReturnType<typeof stage.signUp>>,
  name: string,
): Promise<void> {
  const { openPrivate, sealPrivate } = await import('@privity/e2ee')
  const accountKey = await accountKeyOf(person)
  const binding = { userId: person.user.id, purpose: 'outbox', id: name.split('/').at(-1) as string }
  const plain = await openPrivate(accountKey, binding, (await person.device.get(name)) as string)
  const { sealed: _forgotten, ...item } = JSON.parse(new TextDecoder().decode(plain)) as { sealed: unknown }
  await person.device.set(name, await sealPrivate(accountKey, binding, new TextEncoder().encode(JSON.stringify(item))))
}
