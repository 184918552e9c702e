import { useCallback } from 'react'
import type { Client } from '@privity/client'
import { fullName } from '../../i18n/fullName.ts'
import type { FindPeople } from '../../features/auditLogs/PersonFilter.tsx'

const most = 10

/** Searches the organization's users for the person filter. */
export function useFindPeople({ organization }: Client): FindPeople {
  return useCallback(
    async (typed) => {
      const { users } = await organization.users({ search: typed, limit: most })
      return users.map((user) => ({ id: user.id, name: fullName(user), email: user.email }))
    },
    [organization],
  )
}
