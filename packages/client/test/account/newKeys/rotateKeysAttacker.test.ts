import { expect, test } from 'vitest'
import { keys, type OwnKeys } from '@privity/contract/keys'
import { messages } from '@privity/contract/messages'
import { deriveSignIn, importAccountKey, openEnvelope, openPrivate, unwrapAccountKey } from '@privity/e2ee'
import { deriveRecovery } from '@privity/e2ee/recoveryKey'
import { deriveQuickly } from '../../support/derivation.ts'
import { createStage, next, type Person, reconnected } from '../../support/stage.ts'
import { accept, replaceKeys } from '../../support/keyRotation.ts'

/** Everything that somebody with this person's password, recovery key and open browser can have taken. */
async function steal({ client, user, username, password, recoveryKey }: Person) {
  const own = await client.call(keys.getOwn, { query: {} })
  const signIn = await deriveSignIn(await deriveQuickly(password, username))
  const wrap = { userId: user.id, purpose: 'password' } as const
  const accountKey = await importAccountKey(await unwrapAccountKey(signIn.wrapKey, own.wrappedAccountKey, wrap))
  const binding = { userId: user.id, purpose: 'epoch-seed', id: '1' }
  const seed = await openPrivate(accountKey, binding, own.epochs[0]?.wrappedSeed as string)
  return { own, accountKey, seed, signIn, recovery: await deriveRecovery(recoveryKey) }
}

/** All that the server holds of an account under its account key, with what it is bound to. */
const privateValues = ({ userId, wrappedIdentitySeed, epochs, pins }: OwnKeys) =>
  [
    { purpose: 'identity-seed', id: 'identity', sealed: wrappedIdentitySeed },
    { purpose: 'pins', id: String(pins.version), sealed: pins.sealed },
    ...epochs.flatMap(({ n, wrappedSeed, wrappedFormerKey }) => [
      { purpose: 'epoch-seed', id: String(n), sealed: wrappedSeed ?? '' },
      ...(wrappedFormerKey ? [{ purpose: 'former-account-key', id: String(n), sealed: wrappedFormerKey }] : []),
    ]),
  ].map(({ sealed, ...binding }) => ({ binding: { ...binding, userId }, sealed }))

const opens = (opening: Promise<unknown>) =>
  opening.then(
    () => true,
    () => false,
  )

test('old account key, epoch seed, password and recovery key open nothing afterwards', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const stolen = await steal(anna)
  for (const { binding, sealed } of privateValues(stolen.own))
    expect(await opens(openPrivate(stolen.accountKey, binding, sealed)), binding.purpose).toBe(true)

  await replaceKeys(anna)
  await accept(ben, connectionId)
  await reconnected(stage, anna)
  const heard = next(anna, 'message')
  await ben.client.messages.send(connectionId, 'After')
  await heard

  const own = await anna.client.call(keys.getOwn, { query: {} })
  const values = privateValues(own)
  const purposes = new Set(values.map(({ binding }) => binding.purpose))
  expect([...purposes].toSorted()).toEqual(['epoch-seed', 'former-account-key', 'identity-seed', 'pins'])
  expect(own.epochs.map(({ n }) => n).slice(0, 2)).toEqual([1, 22])
  for (const { binding, sealed } of values)
    expect(await opens(openPrivate(stolen.accountKey, binding, sealed)), binding.purpose).toBe(false)

  // Both wraps, as the database has them.
  const row = await stage.server.core.db.read.get<Record<string, string>>(
    'select wrapped_account_key, recovery_wrapped_account_key from users where id = ?',
    [anna.user.id],
  )
  const wraps = Object.values(row ?? {}).map((sealed) => stage.server.core.secrets.decryptAtRest(sealed))
  expect(wraps[0]).toBe(own.wrappedAccountKey)
  for (const wrapped of wraps)
    for (const [purpose, { wrapKey }] of [
      ['password', stolen.signIn],
      ['recovery', stolen.recovery],
    ] as const)
      expect(await opens(unwrapAccountKey(wrapKey, wrapped, { userId: anna.user.id, purpose }))).toBe(false)

  const [message] = await anna.client.call(messages.list, { params: { id: connectionId }, query: {} })
  const envelope = message?.envelope
  if (!envelope) throw new Error('The message came without its envelope.')
  const contact = { userId: ben.user.id, identityKey: (await ben.client.call(keys.getOwn, { query: {} })).identityKey }
  for (const identityKey of [stolen.own.identityKey, own.identityKey]) {
    const me = { userId: anna.user.id, identityKey }
    expect(await opens(openEnvelope({ envelope, me, seed: stolen.seed, contact }))).toBe(false)
  }
})

test('no new keys are made from keys that the server has altered', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const options = { currentPassword: anna.password, newPassword: 'an entirely new password' }
  const { activate } = await anna.client.ownAccount.prepareNewKeys(options)
  const signature = Buffer.alloc(64, 1).toString('base64url')
  anna.network.tampers = (request, answer) => {
    if (request !== 'GET /api/keys') return answer
    const own = answer as OwnKeys
    return { ...own, epochs: own.epochs.map((epoch) => ({ ...epoch, signature })) }
  }
  await expect(activate()).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
})
