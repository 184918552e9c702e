import type { OwnKeys } from '@privity/contract/keys'
import { expect, test } from 'vitest'
import { copyOwnKeys } from '../../src/keys/ownKeys.ts'
import type { HandedOver } from '../../src/index.ts'
import {
  collect,
  connected,
  createStage,
  next,
  reconnected,
  sentAll,
  type Person,
  type Stage,
  type Tab,
  textOf,
} from '../support/stage.ts'

const hour = 60 * 60_000
const statusOf = ({ client }: Tab) => client.account.state.get().status

/** Closes a page, and opens another one of the same browser without a network. */
async function reloadOffline(stage: Stage, person: Person, connectionId: string) {
  const shown = await person.client.messages.list(connectionId)
  const handedOver = person.client.reload.handOver() as HandedOver
  person.network.offline = true
  person.client.close()
  const page = stage.tab(person)
  page.network.offline = true
  return { page, shown, handedOver: structuredClone(handedOver) }
}

async function withMessage(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  const arrived = next(anna, 'message')
  await ben.client.messages.send(connectionId, 'The harbour at nine')
  await arrived
  await sentAll(ben)
  return { anna, ben, connectionId, ...(await reloadOffline(stage, anna, connectionId)) }
}

test('a page that is loaded without a network shows the messages of the page before', async () => {
  await using stage = await createStage()
  const { page, shown, handedOver } = await withMessage(stage)
  await page.client.reload.resume(handedOver, 0)
  expect(statusOf(page)).toBe('open')
  expect((await page.client.reload.restore(shown)).map(textOf)).toEqual(['The harbour at nine'])
})

test('what is written in a page that was loaded without a network is sent later', async () => {
  await using stage = await createStage()
  const { page, ben, connectionId, handedOver } = await withMessage(stage)
  await page.client.reload.resume(handedOver, 0)
  await page.client.messages.send(connectionId, 'Coming')
  const heard = next(ben, 'message')
  page.network.offline = false
  await reconnected(stage, page)
  expect(textOf(await heard)).toBe('Coming')
})

test('a message expires in a page that was loaded without a network', async () => {
  await using stage = await createStage()
  const { page, shown, handedOver } = await withMessage(stage)
  await page.client.reload.resume(handedOver, 0)
  await page.client.reload.restore(shown)
  const expired = collect(page, 'expired')
  await stage.advance(25 * hour)
  expect(expired.flatMap(({ ids }) => ids)).toEqual(shown.map(({ id }) => id))
  expect(await page.client.reload.restore(shown)).toEqual([])
})

test('a device clock that is set back brings no expired message back', async () => {
  await using stage = await createStage()
  const { anna, shown, handedOver } = await withMessage(stage)
  const page = stage.tab(anna, { ahead: -10 * hour })
  page.network.offline = true
  await page.client.reload.resume(handedOver, 23 * hour + 59 * 60_000)
  expect(await page.client.reload.restore(shown)).toHaveLength(1)
  await stage.advance(2 * 60_000)
  expect(await page.client.reload.restore(shown)).toEqual([])
})

test('without the key on the device nothing opens', async () => {
  await using stage = await createStage()
  const { page, handedOver } = await withMessage(stage)
  await page.device.remove('keys')
  await expect(page.client.reload.resume(handedOver, 0)).rejects.toMatchObject({ code: 'OFFLINE' })
  expect(statusOf(page)).not.toBe('open')
})

test('after another member has signed in in the browser nothing opens', async () => {
  await using stage = await createStage()
  const { page, anna, handedOver } = await withMessage(stage)
  const other = await stage.signUp('cleo')
  anna.network.offline = false
  const { username, password } = other
  await stage.tab(anna).client.account.signIn({ username, password })
  page.network.offline = true
  await expect(page.client.reload.resume(handedOver, 0)).rejects.toMatchObject({ code: 'OFFLINE' })
})

test('a browser that was signed out without a network does not open again', async () => {
  await using stage = await createStage()
  const { page, handedOver } = await withMessage(stage)
  await page.client.reload.resume(handedOver, 0)
  await expect(page.client.account.signOut()).rejects.toMatchObject({ code: 'OFFLINE' })
  const again = stage.tab(page)
  again.network.offline = true
  await expect(again.client.reload.resume(handedOver, 0)).rejects.toMatchObject({ code: 'OFFLINE' })
})

test('a page that is locked hands nothing over', async () => {
  await using stage = await createStage()
  const { anna } = await stage.pair()
  expect(anna.client.reload.handOver()).toBeDefined()
  await anna.client.account.lock()
  expect(anna.client.reload.handOver()).toBeUndefined()
})

test('on a shared computer a page hands nothing over', async () => {
  await using stage = await createStage()
  const { username, password } = await stage.signUp('anna')
  const shared = stage.tab()
  await shared.client.account.signIn({ username, password, sharedComputer: true })
  await connected(shared)
  expect(shared.client.reload.handOver()).toBeUndefined()
})

test('the share of the session is not on the device', async () => {
  await using stage = await createStage()
  const { page, handedOver } = await withMessage(stage)
  await page.client.reload.resume(handedOver, 0)
  const names = await page.device.names('')
  const values = await Promise.all(names.map((name) => page.device.get(name)))
  expect(JSON.stringify(values)).not.toContain(handedOver.user.session.keyShare)
  expect(JSON.stringify(values)).not.toContain('harbour')
})

test('what a page hands over has no seed that it no longer holds', async () => {
  const epochs = [1, 2].map((n) => ({ n, wrappedSeed: 'w', sealedSeed: 's' })) as unknown as OwnKeys['epochs']
  const copy = copyOwnKeys(async () => undefined as never, { epochs } as OwnKeys)
  expect(copy.prune((n) => n === 2).epochs).toEqual([{ n: 1 }, epochs[1]])
})
