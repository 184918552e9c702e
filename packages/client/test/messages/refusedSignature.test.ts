import { openPrivate, sealPrivate } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { accountKeyOf } from '../support/accountKey.ts'
import { createStage, reaches, sentAll, texts, type Person } from '../support/stage.ts'

interface Kept {
  sealed: { content: string }
}

/** Changes the last byte of the signature in what this device keeps of a message that waits. */
async function damageSignature(person: Person): Promise<void> {
  const { device, user } = person
  const [name = ''] = await device.names('outbox/')
  const accountKey = await accountKeyOf(person)
  const binding = { userId: user.id, purpose: 'outbox', id: name.split('/').at(-1) ?? '' }
  const plain = await openPrivate(accountKey, binding, (await device.get(name)) as string)
  const item = JSON.parse(new TextDecoder().decode(plain)) as Kept
  const bytes = Buffer.from(item.sealed.content, 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1
  item.sealed.content = bytes.toString('base64url')
  await device.set(name, await sealPrivate(accountKey, binding, new TextEncoder().encode(JSON.stringify(item))))
}

test('a message whose signature the server refuses is sealed again by itself and arrives once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'Before')
  await sentAll(anna)
  // Sealed, kept and on its way when the network goes.
  const left = new Promise<void>((resolve) => {
    anna.network.answers = (request) => {
      if (request !== 'POST /api/messages') return undefined
      resolve()
      return new Response(undefined, { status: 503 })
    }
  })
  await anna.client.messages.send(connectionId, 'Meant to arrive')
  await left
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
  anna.client.close()
  await damageSignature(anna)

  const reloaded = stage.tab(anna)
  const codes: unknown[] = []
  reloaded.network.watches = async (request, answer) => {
    if (request === 'POST /api/messages') codes.push(((await answer.clone().json()) as { code?: string }).code)
  }
  await reloaded.client.account.start()
  await sentAll(reloaded)
  expect(codes).toEqual(['MESSAGE_NOT_SIGNED', undefined])
  expect(await texts(ben, connectionId)).toEqual(['Before', 'Meant to arrive'])
})
