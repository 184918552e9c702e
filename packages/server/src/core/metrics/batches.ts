import type { BatchWatch } from '../database/types.ts'
import type { Metrics } from './metrics.ts'

const sizes = [1, 2, 5, 10, 20, 50, 100, 200]
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15]

export function measureBatches(metrics: Metrics): BatchWatch {
  const size = metrics.histogram('privity_db_batch_calls', 'Calls that shared one transaction.', sizes)()
  const duration = metrics.histogram('privity_db_batch_seconds', 'Until a transaction was durable.', seconds)()
  const repeats = metrics.counter('privity_db_repeats_total', 'Transactions done again: conflicts, lost connections.')()
  return {
    batch(calls, took) {
      size.observe(calls)
      duration.observe(took)
    },
    repeated: () => repeats.add(),
  }
}
