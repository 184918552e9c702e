import { expect, test } from 'vitest'
import { rateLimits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { browserListed } from '../support/browsers.ts'
import {
  createStage,
  meetContacts,
  next,
  type Person,
  reaches,
  sentAll,
  type Stage,
  type Tab,
  texts,
} from '../support/stage.ts'

const statusOf = ({ client }: Tab) => client.account.state.get().status
const namesOn = ({ device }: Tab) => device.names('')

/** The same person in another browser, on a shared computer. */
async function signInShared(stage: Stage, person: Person): Promise<Person> {
  const tab = stage.tab()
  await tab.client.account.signIn({ ...person, sharedComputer: true })
  return { ...person, ...tab }
}

test('on a shared computer nothing is stored while signed in, and nothing after signing out', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const shared = await signInShared(stage, anna)
  await shared.client.connections.list()
  await shared.client.trust.confirm(connectionId)
  await shared.client.drafts.set(connectionId, 'Half a sentence')
  await shared.client.messages.send(connectionId, 'From a hotel')
  expect(await namesOn(shared)).toEqual([])
  await shared.client.account.signOut()
  expect(await namesOn(shared)).toEqual([])
})

test('signing out of a shared computer removes what an earlier sign-in has left there', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await anna.client.account.signOut()
  expect(await namesOn(anna)).not.toEqual([])
  await anna.client.account.signIn({ ...anna, sharedComputer: true })
  await anna.client.account.signOut()
  expect(await namesOn(anna)).toEqual([])
})

test('a shared computer reads and sends as any other browser', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const shared = await signInShared(stage, anna)
  await shared.client.connections.list()
  await shared.client.trust.confirm(connectionId)
  const heard = next(ben, 'message')
  await shared.client.messages.send(connectionId, 'From a hotel')
  expect((await heard).body).toMatchObject({ text: 'From a hotel' })
  expect(await texts(shared, connectionId)).toEqual(['From a hotel'])
})

test('a page that opens after the window was closed ends the session', async () => {
  await using stage = await createStage()
  const shared = await signInShared(stage, await stage.signUp('anna'))
  shared.client.close()
  const restored = stage.tab(shared)
  await restored.client.account.start()
  expect(statusOf(restored)).toBe('signedOut')
  await expect(restored.client.call(session.getUser, {})).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(await namesOn(restored)).toEqual([])
})

test('a second tab of a shared computer asks for the password and then opens', async () => {
  await using stage = await createStage()
  const shared = await signInShared(stage, await stage.signUp('anna'))
  const second = stage.tab(shared)
  await second.client.account.start()
  expect(statusOf(second)).toBe('locked')
  await second.client.account.unlock(shared.password)
  expect(statusOf(second)).toBe('open')
  expect(statusOf(shared)).toBe('open')
  expect(await namesOn(shared)).toEqual([])
})

test('a new password set with the recovery key on a shared computer leaves nothing there', async () => {
  await using stage = await createStage()
  const { username, recoveryKey, user } = await stage.signUp('anna')
  const tab = stage.tab()
  const reset = { username, recoveryKey, newPassword: 'another password' }
  await tab.client.account.resetPassword({ ...reset, sharedComputer: true })
  expect(tab.client.account.state.get()).toMatchObject({ status: 'open', user: { id: user.id } })
  expect(await namesOn(tab)).toEqual([])
  const other = stage.tab(tab)
  await other.client.account.start()
  expect(statusOf(other)).toBe('locked')
})

test('drafts stay in the page while a shared computer is locked', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const shared = await signInShared(stage, anna)
  await shared.client.drafts.set(connectionId, 'Half a sentence')
  await shared.client.account.lock()
  await shared.client.account.unlock(shared.password)
  expect(await shared.client.drafts.take(connectionId)).toBe('Half a sentence')
  expect(await namesOn(shared)).toEqual([])
})

test('a server that does not call the computer shared makes the browser store nothing', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const tab = stage.tab()
  tab.network.tampers = (_request, answer) => {
    const told = answer as { session?: { sharedComputer?: boolean } } | undefined
    if (told?.session) delete told.session.sharedComputer
    return answer
  }
  await tab.client.account.signIn({ ...anna, sharedComputer: true })
  expect(await namesOn(tab)).toEqual([])
})

test('signing out in one tab of a shared computer signs out the others', async () => {
  await using stage = await createStage()
  const shared = await signInShared(stage, await stage.signUp('anna'))
  const second = stage.tab(shared)
  await second.client.account.start()
  await shared.client.account.signOut()
  await reaches(second.client.account.state, ({ status }) => status === 'signedOut')
  expect(await namesOn(shared)).toEqual([])
})

test('a shared computer is not listed among the browsers', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const shared = await signInShared(stage, anna)
  await stage.advance(60_000)
  const { browsers } = await shared.client.browsers.list()
  expect(browsers.every(({ isCurrent }) => !isCurrent)).toBe(true)
})

test('after an ordinary sign-in the browser stores again', async () => {
  await using stage = await createStage()
  const shared = await signInShared(stage, await stage.signUp('anna'))
  await shared.client.account.signOut()
  await shared.client.account.signIn({ username: shared.username, password: shared.password })
  expect(await namesOn(shared)).toContain('keys')
})

test('with "Only approved browsers", 18 pages of a shared computer send on one day', { timeout: 120_000 }, async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  for (let pages = 1; pages <= 18; pages++) {
    const page = await signInShared(stage, anna)
    await meetContacts(page)
    await page.client.messages.send(connectionId, `From page ${pages}`)
    await sentAll(page)
    page.client.close()
    await stage.advance(60_000)
  }
})

test('a page that may publish no epochs shows with its message why it waits, and until when', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  const { requests, window } = rateLimits.publication
  stage.server.core.rates.take('publication', anna.user.id, requests)
  const page = await signInShared(stage, anna)
  await meetContacts(page)
  await page.client.messages.send(connectionId, 'From a page too many')
  const [item] = await reaches(page.client.outbox, ([first]) => first?.until !== undefined)
  expect(item).toMatchObject({ state: 'waiting', code: 'RATE_LIMITED' })
  expect(Math.abs((item?.until ?? 0) - stage.server.clock.now() - window)).toBeLessThan(60_000)
})
