import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { moderation } from '@privity/contract/founder/moderation'
import { messageReports } from '@privity/contract/messageReports'
import { messages } from '@privity/contract/messages'
import { keys } from '@privity/contract/keys'
import { createEnvelope, createEpoch, createIdentity, importIdentity, sealMessage, newId } from '@privity/e2ee'
import { createReportKeys, sealReport, signReport } from '@privity/e2ee/report'
import { expect, test } from 'vitest'
import { signInFounder } from '../../../server/test/support/founder/founder.ts'
import { decryptReport, type ReportSeeds } from '../../src/founder/reports.ts'
import type { Call } from '../../src/transport/call.ts'
import { openIdentity } from '../../src/keys/ownIdentity.ts'
import { accountKeyOf } from '../support/accountKey.ts'
import { createStage, next, type Person, type Stage } from '../support/stage.ts'

const text = 'Pay, or the canary of the harbour sings.'
const reason = 'They threaten me: canary of the reason.'

/** The founder's console: its calls, and the keys that the founder alone has opened. */
async function openConsole({ server }: Stage) {
  const { seed, publicKey } = await createReportKeys()
  const id = newId(server.clock.now())
  const row = { id, public_key: publicKey, wrapped_seed: 'A'.repeat(80), created_at: server.clock.now() }
  await server.core.db.write((tx) => tx.kysely.insertInto('founder_report_keys').values(row).execute())
  const founder = await signInFounder(server)
  const seeds: ReportSeeds = new Map([[id, seed]])
  const sealed = async () => {
    const [flag] = await founder.call(moderation.flagged, { query: {} })
    return founder.call(moderation.report, { params: { id: flag?.id ?? '' }, query: {} })
  }
  const call = founder.call as Call
  return { publicKey, keyId: id, seeds, call, sealed, read: async () => decryptReport(call, seeds, await sealed()) }
}

type Told = Awaited<ReturnType<typeof createTold>>

/** Anna has written to Ben. */
async function createTold(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  const heard = next(ben, 'message')
  await anna.client.messages.send(connectionId, text)
  return { anna, ben, connectionId, message: await heard }
}

const report = ({ client }: Person, message: Parameters<typeof client.reports.message>[0]) =>
  client.reports.message(message, reason)

async function everyFileIn(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Buffer.concat(await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name)))))
}

test('only the founder reads a reported message: disk, log and requests do not contain it', async () => {
  const lines: string[] = []
  const write = (...parts: unknown[]) => void lines.push(JSON.stringify(parts))
  const levels = { fatal: write, error: write, warn: write, info: write, debug: write, trace: write, silent: write }
  const log = { ...levels, level: 'trace', child: () => log }
  await using stage = await createStage({ options: { log } })
  const { read } = await openConsole(stage)
  const { ben, message } = await createTold(stage)
  await report(ben, message)
  expect(await read()).toEqual({ state: 'verified', body: { kind: 'text', text }, reason, earlierKey: false })
  const stored = await everyFileIn(stage.server.dataDir)
  expect(stored.includes('report_key_id')).toBe(true)
  const places = {
    disk: stored,
    log: Buffer.from(lines.join('\n')),
    requests: Buffer.from(JSON.stringify(ben.network.requests)),
  }
  expect(places.requests.includes('/api/message-reports')).toBe(true)
  for (const canary of [text, reason]) {
    for (const [place, bytes] of Object.entries(places)) {
      const forms = [canary, Buffer.from(canary).toString('hex'), Buffer.from(canary).toString('base64').slice(0, 40)]
      for (const form of forms) expect(bytes.includes(form), `${place} holds ${form}`).toBe(false)
    }
  }
})

test('a report without a founder key is refused, and a changed key is used', async () => {
  await using stage = await createStage()
  const { ben, message } = await createTold(stage)
  await expect(report(ben, message)).rejects.toMatchObject({ code: 'REPORTING_NOT_SET_UP' })
  await openConsole(stage)
  stage.server.clock.advance(1)
  // Another key is published between asking for it and using it.
  let { read } = await openConsole(stage)
  let asked = 0
  ben.network.watches = async (request) => {
    if (request !== 'GET /api/message-reports/key' || asked++ > 0) return
    stage.server.clock.advance(1)
    ;({ read } = await openConsole(stage))
  }
  await report(ben, message)
  expect(asked).toBe(2)
  expect(await read()).toMatchObject({ state: 'verified', reason })
})

test('a file is reported by its name, a message once, and one that is gone not at all', async () => {
  await using stage = await createStage()
  const { read } = await openConsole(stage)
  const { anna, ben, connectionId, message } = await createTold(stage)
  const heard = next(ben, 'message')
  anna.client.files.send(connectionId, new File(['bytes'], 'threat.txt', { type: 'text/plain' }))
  const file = await heard
  await report(ben, file)
  expect(await read()).toMatchObject({ state: 'verified', body: { kind: 'file', name: 'threat.txt' } })
  await expect(report(ben, file)).rejects.toMatchObject({ code: 'ALREADY_REPORTED' })
  await stage.server.core.db.write((tx) => tx.run('delete from messages where id = ?', [message.id]))
  await expect(report(ben, message)).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
})

test('one’s own message, and one that another has sent to others, is refused by the server', async () => {
  await using stage = await createStage()
  await openConsole(stage)
  const { anna, message } = await createTold(stage)
  await expect(report(anna, message)).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
  const eve = await stage.signUp('eve')
  await expect(report(eve, message)).rejects.toMatchObject({ code: 'CONNECTION_NOT_FOUND' })
})

test('a message that was altered on its way to the reporter is not sealed', async () => {
  await using stage = await createStage()
  await openConsole(stage)
  const { ben, message } = await createTold(stage)
  ben.network.tampers = (request, answer) => {
    if (!/\/messages(\?|$)/.test(request)) return answer
    return (answer as { content: string }[]).map((each) => ({
      ...each,
      content: `${each.content.slice(0, 700)}${each.content[700] === 'A' ? 'B' : 'A'}${each.content.slice(701)}`,
    }))
  }
  await expect(report(ben, message)).rejects.toMatchObject({ code: 'BAD_SIGNATURE' })
  expect(ben.network.requests.some(({ request }) => request === 'POST /api/message-reports')).toBe(false)
})

/** A message from somebody with Anna's session but none of Anna's keys, signed by an identity of their own. */
async function forge({ anna, ben, connectionId }: Told, messageId: string, now: number) {
  const identity = await importIdentity((await createIdentity()).seed)
  const { epoch } = await createEpoch({ identity, userId: anna.user.id, n: 1, createdAt: 0, startsAt: 0 })
  const recipient = await anna.client.call(keys.getContactKeys, { params: { id: connectionId } })
  const sender = { userId: anna.user.id, identity, epoch }
  const { envelope, conversationKey } = await createEnvelope({
    id: newId(now),
    connectionId,
    sender,
    recipient: { ...recipient, userId: ben.user.id },
  })
  const body = { kind: 'text' as const, text: 'Words that Anna never wrote.' }
  const context = { sentAt: now, n: 1, lifetime: 1, previous: undefined, otherPrevious: undefined, seen: undefined }
  const content = await sealMessage({ conversationKey, identity, messageId, envelope, body, context })
  return { content, conversationKey, envelope, senderIdentityKey: identity.publicKey }
}

test('the server refuses a message signed by a foreign identity key in the sender’s session', async () => {
  await using stage = await createStage()
  const told = await createTold(stage)
  const { content, envelope } = await forge(told, newId(stage.server.clock.now()), stage.server.clock.now())
  const { anna, connectionId } = told
  await expect(
    anna.client.call(messages.send, { body: { connectionId, content, messageType: 'text', envelope } }),
  ).rejects.toMatchObject({ code: 'MESSAGE_NOT_SIGNED' })
})

test('a report signed by a foreign identity key is not verified, even with a genuine receipt', async () => {
  await using stage = await createStage()
  const { read, publicKey, keyId } = await openConsole(stage)
  const told = await createTold(stage)
  const { ben, connectionId, message } = told
  const forged = await forge(told, message.id, stage.server.clock.now())
  // As a server that verified no signature would have stored it in Anna's session.
  const store = 'update messages set content = ? where id = ?'
  await stage.server.core.db.write((tx) => tx.run(store, [forged.content, message.id]))
  const [stored] = await ben.client.call(messages.list, { params: { id: connectionId }, query: {} })
  const { receipt = '', createdAt = 0 } = stored ?? {}
  const sealed = await sealReport({ publicKey, message: forged, receipt, createdAt, reason })
  const accountKey = await accountKeyOf(ben)
  const { identity } = await openIdentity(accountKey, await ben.client.call(keys.getOwn, { query: {} }))
  const unsigned = { messageId: message.id, keyId, sealed }
  const signature = await signReport(identity, { ...unsigned, reporterId: ben.user.id })
  await ben.client.call(messageReports.create, { body: { ...unsigned, signature } })
  expect(await read()).toEqual({ state: 'refused', fault: 'receipt' })
})

test('the founder is shown no words that are not proven', async () => {
  await using stage = await createStage()
  const { read, sealed, seeds, call } = await openConsole(stage)
  const { anna, ben, connectionId, message } = await createTold(stage)
  await report(ben, message)
  const good = await sealed()
  const verdict = (changes: Partial<typeof good>) => decryptReport(call, seeds, { ...good, ...changes })
  const nobody = newId(stage.server.clock.now())

  // Altered on the server's disk.
  const altered = `${good.sealed.slice(0, 3000)}${good.sealed[3000] === 'A' ? 'B' : 'A'}${good.sealed.slice(3001)}`
  expect(await verdict({ sealed: altered })).toEqual({ state: 'refused', fault: 'altered' })
  // Put under another message, another sender, another reporter.
  for (const other of [{ messageId: nobody }, { senderId: ben.user.id }, { reporterId: anna.user.id }])
    expect(await verdict(other)).toEqual({ state: 'refused', fault: 'altered' })
  // Put at another time.
  expect(await verdict({ sentAt: good.sentAt + 1 })).toEqual({ state: 'refused', fault: 'misattributed' })
  // Sealed to a key that is not open here.
  expect(await verdict({ keyId: nobody })).toEqual({ state: 'closed' })
  // Signed with a key that was replaced since: still the sender's word.
  expect(await verdict({ identityKey: undefined })).toMatchObject({ state: 'verified', earlierKey: true })
  // A server that never stored this message has no receipt for it.
  const lying: Call = (async (endpoint, sent) => {
    const given = sent as { body?: { receipt?: string } }
    if (given.body?.receipt === undefined) return call(endpoint, sent)
    return call(endpoint, { ...sent, body: { ...given.body, receipt: 'A'.repeat(43) } } as typeof sent)
  }) as Call
  expect(await decryptReport(lying, seeds, good)).toEqual({ state: 'refused', fault: 'receipt' })
  expect(await read()).toMatchObject({ state: 'verified' })

  // A reporter with an altered client who seals the receipt of another message.
  await stage.advance(1)
  const heard = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Something else.')
  const second = await heard
  ben.network.tampers = (request, answer) => {
    if (!/\/messages(\?|$)/.test(request)) return answer
    return (answer as { receipt: string }[]).map((each) => ({ ...each, receipt: good.sealed.slice(0, 42) + 'A' }))
  }
  await report(ben, second)
  expect(await read()).toEqual({ state: 'refused', fault: 'receipt' })
  expect((await ben.client.call(messages.list, { params: { id: connectionId }, query: {} })).length).toBe(2)
})
