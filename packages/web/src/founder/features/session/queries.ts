import { founderSessions } from '@privity/contract/founder/session'
import { callQuery } from '../../console/usePolled.ts'

export const accessQuery = callQuery(founderSessions.access, {})
