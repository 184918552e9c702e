import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions } from '@privity/contract/founder/session'
import { callQuery } from '../../console/queries.ts'

export const factorQuery = callQuery(founderSecondFactor.state, {})
export const sessionsQuery = callQuery(founderSessions.listSessions, {})
