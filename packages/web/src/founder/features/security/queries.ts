import { queryOptions } from '@tanstack/react-query'
import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions } from '@privity/contract/founder/session'
import { founderClient } from '../../console/client.ts'
import { callQuery } from '../../console/usePolled.ts'

export const factorQuery = callQuery(founderSecondFactor.state, {})
export const sessionsQuery = callQuery(founderSessions.listSessions, {})

/** Whether this browser opens reports, and what it cannot open any more. */
export const reportKeysQuery = queryOptions({
  queryKey: ['report keys of this browser'],
  async queryFn() {
    const keys = await founderClient.reportKeys()
    return { isOpen: keys !== undefined, lost: keys?.unreadable.length ?? 0 }
  },
})
