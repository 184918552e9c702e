import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions } from '@privity/contract/founder/session'
import { founderUsers } from '@privity/contract/founder/users'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Core } from '../../../../src/core/core.ts'
import { markPasswordPrinted, prepareFounder } from '../../../../src/features/founder/session/verifier.ts'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { founderLogin, signInFounder } from '../../../support/founder/founder.ts'
import { deriveQuickly } from '../../../support/server/founderPassword.ts'

const ownPassword = 'a password of my own'
const salt = 'AAECAwQFBgcICQoLDA0ODw'

let server: TestServer
let founder: Caller
beforeEach(async () => {
  server = await createTestServer({ isFounderNew: true })
  founder = await signInFounder(server)
})
afterEach(() => server.close())

const refusal = { status: 403, body: { code: 'FOUNDER_PASSWORD_GENERATED' } }
const replacement = async (at: TestServer) => ({
  body: {
    password: (await founderLogin(at, at.visitor())).body.password,
    newPassword: await deriveQuickly(ownPassword, salt),
    salt,
    reportKeys: [],
  },
})
const replace = async (caller: Caller) => caller.call(founderSecondFactor.changePassword, await replacement(server))

describe('until the password of the first start is replaced', () => {
  test('the session says so', async () => {
    const said = { isFounder: true, username: 'founder', mustReplacePassword: true }
    expect(await founder.call(founderSessions.verify, {})).toMatchObject(said)
    expect(
      await server.visitor().call(founderSessions.login, await founderLogin(server, server.visitor())),
    ).toMatchObject(said)
  })

  test('every call of the founder is refused but the two that lead on', async () => {
    const open: string[] = []
    for (const { method, path, guard } of [...server.core.endpoints, ...server.core.rawCalls]) {
      if (guard !== 'founder') continue
      const { status, body } = await founder.request(
        method,
        path.replaceAll(/:\w+/g, 'x'),
        method === 'GET' ? undefined : {},
      )
      if (status !== 403 || (body as { code: string }).code !== 'FOUNDER_PASSWORD_GENERATED')
        open.push(`${method} ${path}`)
    }
    expect(open.toSorted()).toEqual(['GET /api/founder/verify', 'PUT /api/founder/password'])
  })

  test('it is refused before what was sent is looked at', async () => {
    expect(await founder.request('POST', '/api/founder/organizations', { nothing: 'of it' })).toMatchObject(refusal)
  })

  test('signing out works', async () => {
    await founder.call(founderSessions.logout, {})
    expect((await founder.refused(founderSessions.verify, {})).body.code).toBe('NOT_FOUNDER')
  })

  test('another start and another sign-in change nothing', async () => {
    await server.restart()
    expect(await founder.refused(founderUsers.list, { query: {} })).toMatchObject(refusal)
    const again = await signInFounder(server)
    expect(await again.refused(founderUsers.list, { query: {} })).toMatchObject(refusal)
  })

  test('the wrong password replaces nothing', async () => {
    const { body } = await replacement(server)
    const given = { body: { ...body, password: 'wrong' } }
    expect((await founder.refused(founderSecondFactor.changePassword, given)).body.code).toBe('WRONG_PASSWORD')
    expect(await founder.refused(founderUsers.list, { query: {} })).toMatchObject(refusal)
  })
})

describe('once it is replaced', () => {
  test('the same session goes on, and everything is open', async () => {
    await replace(founder)
    expect(await founder.call(founderSessions.verify, {})).not.toHaveProperty('mustReplacePassword')
    await founder.call(founderUsers.list, { query: {} })
  })

  test('the password of the first start signs in no more, and the new one opens the console', async () => {
    const before = await founderLogin(server, server.visitor())
    await replace(founder)
    expect((await server.visitor().refused(founderSessions.login, before)).body.code).toBe('WRONG_CREDENTIALS')
    const again = server.visitor()
    const password = await deriveQuickly(ownPassword, salt)
    await again.call(founderSessions.login, { body: { username: 'founder', password } })
    await again.call(founderUsers.list, { query: {} })
  })

  test('it stays so after another start', async () => {
    await replace(founder)
    await server.restart()
    await founder.call(founderUsers.list, { query: {} })
  })
})

describe('nothing is asked', () => {
  test('where FOUNDER_PASSWORD is given', async () => {
    await using given = await createTestServer({
      isFounderNew: true,
      env: { FOUNDER_PASSWORD: 'given by the operator' },
    })
    await (await signInFounder(given)).call(founderUsers.list, { query: {} })
  })

  test('of a demo', async () => {
    await using demo = await createTestServer({ isFounderNew: true, env: { DEMO: '1' } })
    await (await signInFounder(demo)).call(founderUsers.list, { query: {} })
  })

  test('where FOUNDER_PASSWORD is set afterwards, to the same password too', async () => {
    const same = { FOUNDER_PASSWORD: server.founderPassword }
    await server.app.close()
    const given = await createTestServer({ env: same, dataDir: server.dataDir })
    await (await signInFounder(given)).call(founderUsers.list, { query: {} })
    await given.close()
    await server.start()
  })
})

describe('of several processes', () => {
  const asProcess = (id: string, others: readonly string[]): Core => {
    const processes = { ...server.core.processes, id, otherIds: () => new Set(others) }
    return { ...server.core, processes }
  }
  const startAs = (id: string, others: readonly string[]) => prepareFounder(asProcess(id, others), deriveQuickly)
  const password = expect.stringMatching(/^[\w-]{24}$/) as string

  beforeEach(() => server.core.db.write((tx) => tx.run("delete from settings where key = 'founder_verifier'")))

  test('one of two that start together makes the password anew that an ended one has not printed', async () => {
    expect(await startAs('ended', [])).toEqual(password)
    const made = await Promise.all([startAs('one', ['two']), startAs('two', ['one'])])
    expect(made.filter((each) => each !== undefined)).toEqual([password])
  })

  test('none makes the password anew that another one is about to print', async () => {
    expect(await startAs('one', ['two'])).toEqual(password)
    expect(await startAs('two', ['one'])).toBeUndefined()
  })

  test('a start says that another one has not printed the password, and how to get a new one', async () => {
    await startAs('killed', [])
    const warned = vi.spyOn(server.core.log, 'warn').mockReturnValue()
    expect(await startAs('one', ['killed'])).toBeUndefined()
    expect(warned.mock.calls).toEqual([[expect.stringMatching(/not printed it yet.*start this one again after 10 s/)]])
    expect(await startAs('one', [])).toEqual(password)
    await markPasswordPrinted(asProcess('one', []))
    expect(await startAs('two', ['one'])).toBeUndefined()
    expect(warned).toHaveBeenCalledTimes(1)
    warned.mockRestore()
  })

  test('none marks the password of another one as printed', async () => {
    await startAs('one', ['two'])
    await markPasswordPrinted(asProcess('two', ['one']))
    expect(await startAs('three', ['two'])).toEqual(password)
    await markPasswordPrinted(asProcess('three', ['two']))
    expect(await startAs('four', [])).toBeUndefined()
  })
})
