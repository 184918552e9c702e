import { expect, test } from 'vitest'
import { createStage, type Person, reaches, sentAll, type Stage, texts } from '../../support/stage.ts'

const hour = 60 * 60 * 1000

/** A device that takes what is new to the outbox, and no change of it, until it is relieved. */
function fill({ device }: Person): { relieve(): void; refusals: () => number } {
  const { set, remove } = device
  const known = new Set<string>()
  let refusals = 0
  const full = () => {
    refusals += 1
    return Promise.reject(new DOMException('The quota has been exceeded.', 'QuotaExceededError'))
  }
  device.set = async (name, value) => {
    if (name.startsWith('outbox/') && known.has(name)) return full()
    known.add(name)
    return set(name, value)
  }
  device.remove = async (name) => (known.has(name) && name.startsWith('outbox/') ? full() : remove(name))
  return {
    refusals: () => refusals,
    relieve() {
      Object.assign(device, { set, remove })
    },
  }
}

const sends = ({ network }: Pick<Person, 'network'>) =>
  network.requests.filter(({ request }) => request === 'POST /api/messages').length

test('a message whose sealed form the device cannot keep is sent all the same, once and in order', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const device = fill(anna)
  for (const text of ['One', 'Two']) await anna.client.messages.send(connectionId, text)
  await sentAll(anna)
  await anna.client.messages.send(connectionId, 'Three')
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['One', 'Two', 'Three'])
  expect(sends(anna)).toBe(3)
  // The device still has them; what was sent does not go out again once it can be removed.
  expect(await anna.device.names('outbox/')).toHaveLength(3)
  device.relieve()
  await anna.client.messages.send(connectionId, 'Four')
  await sentAll(anna)
  expect(await anna.device.names('outbox/')).toEqual([])
  expect(await texts(ben, connectionId)).toEqual(['One', 'Two', 'Three', 'Four'])
  expect(sends(anna)).toBe(4)
})

test('a message whose sealed form the device cannot keep is tried again after a lost connection', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  fill(anna)
  anna.network.answers = (request) => {
    if (request === 'POST /api/messages') throw new TypeError('fetch failed')
    return undefined
  }
  await anna.client.messages.send(connectionId, 'Once')
  await expect.poll(() => sends(anna)).toBeGreaterThan(0)
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
  anna.network.answers = undefined
  await stage.advance(60_000)
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['Once'])
})

test('a message without stored ciphertext or removal is stored once after a reload too', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const device = fill(anna)
  await anna.client.messages.send(connectionId, 'Once')
  await sentAll(anna)
  anna.client.close()
  device.relieve()
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  await sentAll(reloaded)
  expect(await texts(ben, connectionId)).toEqual(['Once'])
  expect(await anna.device.names('outbox/')).toEqual([])
})

test('a message that fails on a full device says so, and can be tried again or discarded', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const device = fill(anna)
  const suspend = (isSuspended: 0 | 1) =>
    stage.server.core.db.write((tx) =>
      tx.run('update users set suspended = ? where id = ?', [isSuspended, ben.user.id]),
    )
  await suspend(1)
  const { id } = await anna.client.messages.send(connectionId, 'Are you there?')
  const isFailed = ([item]: readonly { state: string }[]) => item?.state === 'failed'
  const [failed] = await reaches(anna.client.outbox, isFailed)
  expect(failed?.error).toBe('This person is unavailable and cannot receive messages.')
  await suspend(0)
  await anna.client.messages.send(connectionId, 'Later')
  await reaches(anna.client.outbox, (items) => items.length === 1)
  expect(anna.client.outbox.get()).toMatchObject([{ id, state: 'failed' }])
  await anna.client.messages.retry(id)
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['Later', 'Are you there?'])

  await suspend(1)
  const other = await anna.client.messages.send(connectionId, 'Never mind')
  await reaches(anna.client.outbox, isFailed)
  await anna.client.messages.discard(other.id)
  expect(anna.client.outbox.get()).toEqual([])
  device.relieve()
  await suspend(0)
  await anna.client.messages.send(connectionId, 'The end')
  await sentAll(anna)
  expect(await anna.device.names('outbox/')).toEqual([])
  expect(await texts(ben, connectionId)).toEqual(['Later', 'Are you there?', 'The end'])
})

/** The same browser after more than a day, in which its session has ended; its device takes everything again. */
async function comeBack(stage: Stage, person: Person) {
  person.client.close()
  await stage.advance(25 * hour)
  const tab = stage.tab(person)
  await tab.client.account.signIn(person)
  await reaches(tab.client.outbox, ([item]) => item?.state === 'failed')
  return tab
}

test('a message that left without a mark on the device is not called unsent a day later', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const device = fill(anna)
  anna.network.loses = (request) => request === 'POST /api/messages'
  anna.network.swallows = true
  const { id } = await anna.client.messages.send(connectionId, 'Once')
  await expect.poll(() => sends(anna)).toBeGreaterThan(0)
  device.relieve()
  const tab = await comeBack(stage, anna)
  expect(tab.client.outbox.get()).toMatchObject([{ code: 'ARRIVAL_UNKNOWN', isFinal: true }])
  await tab.client.messages.retry(id)
  expect(sends(tab)).toBe(0)
})

test('a message written offline does not leave before the device has kept that it may have left', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.offline = true
  await reaches(anna.client.live, (state) => state !== 'connected')
  const device = fill(anna)
  await anna.client.messages.send(connectionId, 'Later')
  anna.network.offline = false
  await stage.advance(60_000)
  await expect.poll(device.refusals).toBeGreaterThan(0)
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
  expect(sends(anna)).toBe(0)
  device.relieve()
  async function waitingLater(): Promise<number> {
    await stage.advance(30_000)
    return anna.client.outbox.get().length
  }
  await expect.poll(waitingLater).toBe(0)
  expect(await texts(ben, connectionId)).toEqual(['Later'])
})

test('a message that waited offline for more than a day fails and can be retried', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.offline = true
  await reaches(anna.client.live, (state) => state !== 'connected')
  const { id } = await anna.client.messages.send(connectionId, 'Yesterday')
  const tab = await comeBack(stage, anna)
  expect(tab.client.outbox.get()).toMatchObject([{ code: 'TOO_OLD' }])
  expect(tab.client.outbox.get()[0]?.isFinal).toBeUndefined()
  await tab.client.messages.retry(id)
  await sentAll(tab)
  expect(await texts(await stage.signIn(ben), connectionId)).toEqual(['Yesterday'])
})

test('a message held back by a changed key can be tried again days later', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.pause(connectionId)
  const { id } = await anna.client.messages.send(connectionId, 'In time')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'failed')
  const tab = await comeBack(stage, anna)
  await tab.client.trust.resume(connectionId)
  await tab.client.messages.retry(id)
  await sentAll(tab)
  expect(await texts(tab, connectionId)).toEqual(['In time'])
})
