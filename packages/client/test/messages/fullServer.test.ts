import { expect, test, vi } from 'vitest'
import { AppError } from '@privity/contract/errors'
import { createStage, sentAll, texts } from '../support/stage.ts'

test('a first message whose key a full server cannot keep is not called unreadable', async () => {
  await using stage = await createStage()
  const [anna, clara] = [await stage.signUp('anna'), await stage.signUp('clara')]
  const { id } = await stage.connect(anna, clara)
  await anna.client.messages.send(id, 'hello')
  await sentAll(anna)
  const write = vi.spyOn(stage.server.core.db, 'write').mockRejectedValue(new AppError('STORAGE_FULL'))
  await expect(texts(clara, id)).rejects.toMatchObject({ code: 'STORAGE_FULL' })
  write.mockRestore()
  expect(await texts(clara, id)).toEqual(['hello'])
})
