import type { FastifyInstance } from 'fastify'
import { push } from '@privity/contract/push'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { countWaiting } from './queries.ts'
import { followMessages } from './queue.ts'
import { getPushState, subscribe, unsubscribe } from './subscriptions.ts'

/** The count stops here. */
const maxCounted = 10_000

function measurePushes({ bus, db, metrics }: Core): void {
  const outcomes = metrics.counter('privity_pushes_total', 'Attempts of this process to push, by how they ended.')
  bus.subscribe('pushAttempted', ({ outcome }) => outcomes({ outcome }).add())
  metrics.readAtScrape('privity_pushes_waiting', `Pushes that wait to be sent, up to ${maxCounted}.`, () =>
    countWaiting(db.read, maxCounted),
  )
}

export function mountPush(app: FastifyInstance, core: Core): void {
  followMessages(core)
  measurePushes(core)
  implement(app, core, push, {
    get: ({ caller, request }) => getPushState({ core, request, caller }),
    async subscribe({ caller, request, body }) {
      await subscribe({ core, request, caller }, body)
      return {}
    },
    async unsubscribe({ caller, request }) {
      await unsubscribe({ core, request, caller })
      return {}
    },
  })
}
