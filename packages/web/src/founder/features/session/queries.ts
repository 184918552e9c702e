import { founderSessions } from '@privity/contract/founder/session'
import { callQuery } from '../../console/usePolling.ts'

export const accessQuery = callQuery(founderSessions.access, {})
