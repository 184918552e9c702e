import { expect } from 'vitest'
import { sqliteTest } from '../../../../server/test/support/database/sqliteTest.ts'
import { createStage, reaches, sentAll, texts } from '../../support/stage.ts'

sqliteTest('full disk')(
  'messages that a full store refuses wait and go out by themselves, in order, once',
  async () => {
    await using stage = await createStage()
    const { anna, ben, connectionId } = await stage.pair()
    const { db } = stage.server.core
    const used = await db.write((tx) => tx.get<{ page_count: number }>('pragma page_count'))
    await db.write((tx) => tx.get(`pragma max_page_count = ${used?.page_count}`))
    const written = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(490)}`)
    for (const text of written) await anna.client.messages.send(connectionId, text)
    await stage.advance(60_000)
    await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
    expect(anna.client.outbox.get().map(({ state }) => state)).not.toContain('failed')

    await db.write((tx) => tx.get('pragma max_page_count = 1000000'))
    await stage.advance(60_000)
    await sentAll(anna)
    expect(await texts(ben, connectionId)).toEqual(written)
  },
)
