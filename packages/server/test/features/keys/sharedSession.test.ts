import { browsers } from '@privity/contract/browsers'
import { limits } from '@privity/contract/limits'
import { notifications } from '@privity/contract/notifications'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { binding, listBrowser, makeEntry, renewal, signInElsewhere } from '../../support/scenes/browsers.ts'
import { replaceKeys } from '../../support/scenes/keyReplacement.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createMailServer, lettersOf, type MailServer } from '../../support/services/mailServer.ts'

let mail: MailServer
let server: TestServer
let anna: Member
beforeAll(async () => {
  mail = await createMailServer()
  server = await createTestServer({ env: { SMTP_URL: mail.url, MAIL_FROM: 'privity@example.com' } })
})
beforeEach(async () => {
  anna = await server.signUp()
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

/** The notices of this member about a shared session, and the number of all unread ones. */
const sharedNoticesOf = async (member: Member) => {
  const { notifications: list, unread } = await member.call(notifications.list, { query: {} })
  return { list: list.filter((each) => 'change' in each && each.change === 'session_shared'), unread }
}
/** The emails to Anna about a shared session. */
const emailsToAnna = async () =>
  (await lettersOf(server, mail)).filter(
    ({ to, source }) => to.includes(anna.user.email) && /another browser/i.test(source),
  )

describe('a second browser in one session', () => {
  test('is told in every session, unread also in this one, and by mail', async () => {
    const elsewhere = await signInElsewhere(server, anna)
    await listBrowser(anna)
    expect((await sharedNoticesOf(anna)).list).toEqual([])
    const before = (await sharedNoticesOf(anna)).unread
    const heard = await anna.socket()
    await listBrowser(anna)
    expect(await heard.next('notification')).toMatchObject({ notification: { change: 'session_shared', read: false } })
    for (const member of [anna, elsewhere])
      expect((await sharedNoticesOf(member)).list).toMatchObject([
        { kind: 'account_changed', read: false, current: false },
      ])
    expect((await sharedNoticesOf(anna)).unread).toBe(before + 1)
    const [email] = await emailsToAnna()
    expect(email?.source.replaceAll('=\r\n', '')).toContain('remove the browser that you do not know')
  })

  test('is told where it was listed elsewhere before', async () => {
    const elsewhere = await signInElsewhere(server, anna)
    const { browserId } = await listBrowser(elsewhere)
    await listBrowser(anna)
    await anna.call(browsers.bind, await binding(anna, browserId))
    expect((await sharedNoticesOf(anna)).list).toHaveLength(1)
  })

  test('is in the audit log', async () => {
    await listBrowser(anna)
    await listBrowser(anna)
    const sql = 'select action, details from audit_log where actor_id = ? and action = ?'
    const rows = await server.core.db.read.all(sql, [anna.user.id, 'session_shared'])
    expect(rows).toHaveLength(1)
  })

  test('is told once however often it is repeated: it pushes out no other notice', async () => {
    for (let at = 0; at < limits.browsers; at++) await listBrowser(anna)
    expect((await sharedNoticesOf(anna)).list).toHaveLength(1)
  })
})

describe('nobody is told', () => {
  test('of the same browser in another session, of its next entry, or of its return', async () => {
    const first = await listBrowser(anna)
    const { browserId } = first
    await anna.call(browsers.bind, await binding(anna, browserId))
    const elsewhere = await signInElsewhere(server, anna)
    await elsewhere.call(browsers.bind, await binding(elsewhere, browserId))
    await elsewhere.call(browsers.putOwn, await renewal(elsewhere, makeEntry(anna, browserId, first)))
    expect((await sharedNoticesOf(anna)).list).toEqual([])
  })

  test('on a shared computer, where each page is another browser', async () => {
    const { username } = anna.user
    const visitor = server.visitor()
    await visitor.call(session.login, { body: { username, password: anna.password, sharedComputer: true } })
    const shared = { ...anna, ...visitor }
    for (let at = 0; at < 3; at++) await listBrowser(shared)
    expect((await sharedNoticesOf(anna)).list).toEqual([])
  })

  test('of the browser that made new keys', async () => {
    await listBrowser(anna)
    const { identityKey } = await replaceKeys(anna)
    Object.assign(anna.keys ?? {}, { identityKey })
    await listBrowser(anna)
    expect((await sharedNoticesOf(anna)).list).toEqual([])
  })
})

test('the list names the browsers whose removal ends this session too', async () => {
  const shares = async (member: Member) =>
    new Map((await member.call(browsers.list, {})).map((each) => [each.entry.browserId, each.sharesSession]))
  const elsewhere = await signInElsewhere(server, anna)
  const other = await listBrowser(elsewhere)
  const [first, second] = [await listBrowser(anna), await listBrowser(anna)]
  expect(await shares(anna)).toEqual(
    new Map([
      [second.browserId, false],
      [first.browserId, true],
      [other.browserId, false],
    ]),
  )
  expect([...(await shares(elsewhere)).values()]).toEqual([false, false, false])
})
