import { expect, test } from 'vitest'
import type { ContactKeys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { createStage, meetContacts, reconnected } from '../support/stage.ts'
import {
  approve,
  bytesOf,
  download,
  type FileMessage,
  nextWithStatus,
  report,
  share,
  shared,
} from '../support/fileSharing.ts'

test('a file goes from asking over approval to the third download, and the fourth is refused', async () => {
  await using stage = await createStage()
  const { anna, ben, message } = await shared(stage)
  expect(message.body).toMatchObject({
    kind: 'file',
    name: 'Report – final.pdf',
    type: 'application/pdf',
    size: 2_500_000,
  })
  expect((await ben.client.files.status(message.filePath)).status).toBe('none')
  const early = await download(ben, message)
  expect(early.transfer).toMatchObject({ phase: 'failed', error: 'The sender has not approved this download.' })
  expect(early.saved).toEqual([])

  expect((await ben.client.files.request(message)).status).toBe('pending')
  const [pending] = await anna.client.files.pending()
  expect(pending).toMatchObject({ name: 'Report – final.pdf', requestedByEmail: ben.user.email })
  await anna.client.files.decide(pending as NonNullable<typeof pending>, true)
  expect(await anna.client.files.pending()).toEqual([])

  for (const left of [2, 1, 0]) {
    const { transfer, saved } = await download(ben, message)
    expect(transfer).toMatchObject({ kind: 'download', phase: 'done', messageId: message.id })
    expect(saved).toHaveLength(1)
    expect(saved[0]).toMatchObject({ name: 'Report – final.pdf', type: 'application/pdf' })
    expect(Buffer.from(saved[0]?.bytes ?? []).equals(bytesOf(2_500_000))).toBe(true)
    const status = await ben.client.files.status(message.filePath)
    expect(status).toMatchObject(left > 0 ? { status: 'authorized', downloadsLeft: left } : { status: 'none' })
  }
  const fourth = await download(ben, message)
  expect(fourth.transfer).toMatchObject({ phase: 'failed', error: 'No downloads are left. Request the file again.' })
  expect(fourth.saved).toEqual([])

  // Used up, it can be asked for again.
  expect((await ben.client.files.request(message)).status).toBe('pending')
})

test('the owner may always download, from every browser', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await shared(stage)
  const elsewhere = await stage.signIn(anna)
  for (const tab of [anna, elsewhere]) {
    const [own] = await tab.client.messages.list(connectionId)
    expect((await tab.client.files.status(own?.filePath ?? '')).status).toBe('can_download')
    const { transfer, saved } = await download(tab, own as FileMessage)
    expect(transfer.phase).toBe('done')
    expect(saved[0]?.bytes).toHaveLength(2_500_000)
  }
})

test('denial leaves nothing to download; a revoked approval neither', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, message } = await shared(stage)
  await ben.client.files.request(message)
  const [request] = await anna.client.files.pending()
  const denied = nextWithStatus(ben, 'denied')
  await anna.client.files.decide(request as NonNullable<typeof request>, false)
  await denied
  expect((await download(ben, message)).transfer.phase).toBe('failed')
  await expect(ben.client.files.request(message)).rejects.toMatchObject({ code: 'REQUEST_EXISTS' })

  const second = await share(anna, ben, connectionId, report())
  await approve(anna, ben, second)
  const { authorizationId } = await ben.client.files.status(second.filePath)
  await anna.client.files.revoke(authorizationId as string)
  expect(await ben.client.files.status(second.filePath)).not.toHaveProperty('grant')
  expect((await download(ben, second)).transfer.phase).toBe('failed')
})

test('the owner may allow again after a denial, after the last download and after new keys', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, message } = await shared(stage)
  const [own] = await anna.client.messages.list(connectionId)
  const { authorizationId = '' } = await ben.client.files.request(message)
  const [request] = await anna.client.files.pending()
  await anna.client.files.decide(request as NonNullable<typeof request>, false)
  await stage.advance(24 * 60 * 60 * 1000 - 60_000)
  await reconnected(stage, ben)
  for (let round = 0; round < 2; round++) {
    const allowed = await anna.client.files.allow(own as FileMessage, authorizationId)
    expect(allowed.recipient).toMatchObject({ status: 'authorized', downloadsLeft: 3 })
    for (let i = 0; i < 3; i++) expect((await download(ben, message)).saved[0]?.bytes).toHaveLength(2_500_000)
    expect((await download(ben, message)).transfer.phase).toBe('failed')
  }
})

test('no key of a file is encrypted for a contact whose last keys are destroyed', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, message } = await shared(stage)
  await ben.client.files.request(message)
  const [request] = await anna.client.files.pending()
  const endsAt = stage.server.clock.now() - limits.retention
  anna.client.close()
  const tab = stage.tab(anna)
  tab.network.tampers = (called, answer) => {
    if (called !== `GET /api/connections/${connectionId}/keys`) return answer
    const keys = answer as ContactKeys
    return { ...keys, epoch: { ...keys.epoch, startsAt: endsAt - limits.epochDuration, endsAt } }
  }
  await tab.client.account.start()
  await expect(tab.client.files.decide(request as NonNullable<typeof request>, true)).rejects.toMatchObject({
    code: 'CONTACT_AWAY',
  })
})

test('a request whose file was deleted in another browser is refused without accusing the server', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, message } = await shared(stage)
  await ben.client.files.request(message)
  const elsewhere = await stage.signIn(anna)
  await meetContacts(elsewhere)
  const [request] = await elsewhere.client.files.pending()
  const [own] = await anna.client.messages.list(connectionId)
  await anna.client.messages.delete(own as NonNullable<typeof own>)
  await expect(elsewhere.client.files.decide(request as NonNullable<typeof request>, true)).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
  })
})

test('empty files, and sizes around the edges of segments, come back whole', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const segment = 1024 * 1024
  for (const size of [0, 1, segment - 56, segment - 55, 2 * segment - 72, 2 * segment - 71]) {
    const message = await share(anna, ben, connectionId, new File([bytesOf(size)], 'edge.bin'))
    await approve(anna, ben, message)
    const { saved } = await download(ben, message)
    expect(Buffer.from(saved[0]?.bytes ?? [9]).equals(bytesOf(size))).toBe(true)
  }
})

test('file names of different lengths have one size at the server', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, message } = await shared(stage)
  const other = await share(anna, ben, connectionId, new File(['x'], `${'long '.repeat(45)}.txt`))
  expect(other.fileName).toHaveLength(message.fileName?.length ?? 0)
  expect(other.fileName).not.toBe(message.fileName)
})
