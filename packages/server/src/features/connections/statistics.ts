import type { ConnectionStatistics } from '@privity/contract/connections'
import type { Core } from '../../core/core.ts'
import { countMessages } from './queries.ts'

export async function getStatistics({ db, clock, config }: Core, userId: string): Promise<ConnectionStatistics> {
  const counts = await countMessages(db.read, userId, clock.now())
  return { ...counts, period: config.retention }
}
