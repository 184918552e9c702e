import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { OrganizationPolicy, OrganizationUser, UserSort } from '@privity/contract/organization'
import { queryClient } from '../../app/queryClient.ts'
import type { Sorting } from '../../ui/table/sorting.ts'

export const userSorts: readonly UserSort[] = ['name', 'email', 'role', 'status', 'joined']

export interface UserList {
  search: string
  sorting: Sorting<UserSort>
}

/** The beginning of the key of all that is asked about the organization. */
const organizationKey = ['/api/organizations'] as const
const usersKey = [...organizationKey, 'users'] as const
const policyKey = [...organizationKey, 'policy'] as const

/** Asked anew whenever it is opened: only while the administration is open does anybody hear of changes. */
const fresh = { refetchOnMount: 'always' } as const

export const currentQuery = ({ organization }: Client) =>
  queryOptions({ queryKey: [...organizationKey, 'current'], queryFn: () => organization.current(), ...fresh })

export function usersQuery({ organization }: Client, { search, sorting }: UserList, after: string | undefined) {
  const { by, descending } = sorting
  return queryOptions({
    queryKey: [...usersKey, search, by, descending, after ?? ''],
    queryFn: () =>
      organization.users({
        sort: by,
        direction: descending ? 'desc' : 'asc',
        ...(search && { search }),
        ...(after !== undefined && { after }),
      }),
    placeholderData: keepPreviousData,
    ...fresh,
  })
}

export const policyQuery = ({ organization }: Client) =>
  queryOptions({ queryKey: policyKey, queryFn: () => organization.policy(), ...fresh })

/** How many members a stricter policy would concern; asked anew each time, for it is a question before a change. */
export const reachQuery = ({ organization }: Client, domain?: string) =>
  queryOptions({
    queryKey: [...policyKey, 'reach', domain ?? ''],
    queryFn: () => organization.policyReach(domain),
    staleTime: 0,
    gcTime: 0,
  })

export const invitationsQuery = ({ organization }: Client, after: string | undefined) =>
  queryOptions({
    queryKey: [...organizationKey, 'invitations', after ?? ''],
    queryFn: () => organization.invitations(after === undefined ? {} : { after }),
    placeholderData: keepPreviousData,
    ...fresh,
  })

/** Loads again what is on the screen, and the rest once it is. */
export const refreshOrganization = () => queryClient.invalidateQueries({ queryKey: organizationKey })

interface KnownUsers {
  users: readonly OrganizationUser[]
}

/** Changes a person in every list that is known; undefined takes him out of them. */
export function patchUser(id: string, change: (user: OrganizationUser) => OrganizationUser | undefined): void {
  queryClient.setQueriesData<KnownUsers>({ queryKey: usersKey }, (known) => {
    if (!known?.users.some((user) => user.id === id)) return known
    return { ...known, users: known.users.flatMap((user) => (user.id === id ? (change(user) ?? []) : user)) }
  })
}

/** Keeps an answer that is still under way from writing over what is changed now. */
export const holdUsers = () => queryClient.cancelQueries({ queryKey: usersKey })

/** Changes the known policy, and answers how it was. */
export async function patchPolicy(part: Partial<OrganizationPolicy>): Promise<OrganizationPolicy | undefined> {
  await queryClient.cancelQueries({ queryKey: policyKey })
  const before = queryClient.getQueryData<OrganizationPolicy>(policyKey)
  if (before) putPolicy({ ...before, ...part })
  return before
}

export const putPolicy = (policy: OrganizationPolicy) => queryClient.setQueryData<OrganizationPolicy>(policyKey, policy)
