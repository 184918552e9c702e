import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { OrganizationPolicy, OrganizationUser, UserSort } from '@privity/contract/organization'
import { queryClient } from '../../app/queryClient.ts'
import type { Sorting } from '../../ui/table/columns.ts'

export const userSorts: readonly UserSort[] = ['name', 'email', 'role', 'status', 'joined']

export interface UserList {
  search: string
  sorting: Sorting<UserSort>
}

/** Prefix of all query keys about the organization. */
const organizationKey = ['/api/organizations'] as const
const usersKey = [...organizationKey, 'users'] as const
const policyKey = [...organizationKey, 'policy'] as const

/** Refetched when shown, because changes are followed only while the administration is open. */
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

/** How many members a stricter policy would affect; never cached, because it is asked before a change. */
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

/** Refetches the shown queries now, and the others when they are shown. */
export const refreshOrganization = () => queryClient.invalidateQueries({ queryKey: organizationKey })

interface KnownUsers {
  users: readonly OrganizationUser[]
}

/** Changes a user in every loaded list; removes them if `change` returns undefined. */
export function patchUser(id: string, change: (user: OrganizationUser) => OrganizationUser | undefined): void {
  queryClient.setQueriesData<KnownUsers>({ queryKey: usersKey }, (known) => {
    if (!known?.users.some((user) => user.id === id)) return known
    return { ...known, users: known.users.flatMap((user) => (user.id === id ? (change(user) ?? []) : user)) }
  })
}

/** Cancels running requests, so that their responses do not overwrite an optimistic update. */
export const holdUsers = () => queryClient.cancelQueries({ queryKey: usersKey })

/** Updates the loaded policy and returns the previous one. */
export async function patchPolicy(part: Partial<OrganizationPolicy>): Promise<OrganizationPolicy | undefined> {
  await queryClient.cancelQueries({ queryKey: policyKey })
  const before = queryClient.getQueryData<OrganizationPolicy>(policyKey)
  if (before) putPolicy({ ...before, ...part })
  return before
}

export const putPolicy = (policy: OrganizationPolicy) => queryClient.setQueryData<OrganizationPolicy>(policyKey, policy)
