import { expect, test } from 'vitest'
import { createStage, type Person, reaches, sentAll, type Tab } from '../support/stage.ts'
import { download, ended, type FileMessage, report } from '../support/fileSharing.ts'
import { accept, replaceKeys } from '../support/keyRotation.ts'

const isSend = (request: string) => request === 'POST /api/messages'

const grantsSent = ({ network }: Tab) =>
  network.requests.filter(({ request, body }) => isSend(request) && body.includes('"grant"')).length

async function fileAt(ben: Person, connectionId: string): Promise<FileMessage> {
  const messages = await ben.client.messages.list(connectionId)
  expect(messages).toHaveLength(1)
  return messages[0] as FileMessage
}

test('a file approved at sending opens without a request, three times', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await ended(anna, anna.client.files.send(connectionId, report(), { approve: true }))
  const message = await fileAt(ben, connectionId)
  for (const left of [2, 1, 0]) {
    expect((await download(ben, message)).saved[0]?.bytes).toHaveLength(2_500_000)
    const status = await ben.client.files.status(message.filePath)
    expect(status.downloadsLeft).toBe(left)
  }
  expect((await download(ben, message)).transfer.phase).toBe('failed')
})

test('the sender sees the approval and can revoke it', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await ended(anna, anna.client.files.send(connectionId, report(), { approve: true }))
  const message = await fileAt(ben, connectionId)
  const { recipient } = await anna.client.files.status(message.filePath)
  expect(recipient).toMatchObject({ status: 'authorized', downloadsLeft: 3 })
  await anna.client.files.revoke(recipient?.authorizationId ?? '')
  expect((await download(ben, message)).transfer).toMatchObject({ phase: 'failed', code: 'DOWNLOAD_NOT_AUTHORIZED' })
})

test('a file is not approved unless its sender says so', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await ended(anna, anna.client.files.send(connectionId, report()))
  expect((await ben.client.files.status((await fileAt(ben, connectionId)).filePath)).status).toBe('none')
  expect(grantsSent(anna)).toBe(0)
})

test('with a changed key nothing is sent or approved until it is accepted, and it says why', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  await replaceKeys(ben)
  const id = anna.client.files.send(connectionId, report(), { approve: true })
  expect(await ended(anna, id)).toMatchObject({ phase: 'failed', code: 'KEY_CHANGED' })
  expect(grantsSent(anna)).toBe(0)
  await accept(anna, connectionId)
  anna.client.files.retry(id)
  expect((await ended(anna, id)).phase).toBe('done')
  expect((await download(ben, await fileAt(ben, connectionId))).saved).toHaveLength(1)
})

test('a page that is closed before the answer arrives approves once, when it is back', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.loses = isSend
  anna.network.deaf = true
  anna.client.files.send(connectionId, report(), { approve: true })
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
  anna.client.close()
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  await sentAll(reloaded)
  const message = await fileAt(ben, connectionId)
  expect(await ben.client.files.status(message.filePath)).toMatchObject({ status: 'authorized', downloadsLeft: 3 })
  expect((await download(ben, message)).saved).toHaveLength(1)
})
