import { MutationObserver } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, test } from 'vitest'
import { CallError, type Organization } from '@privity/client'
import type { OrganizationPolicy, OrganizationUser } from '@privity/contract/organization'
import type { Role, User } from '@privity/contract/session'
import { queryClient } from '../../../src/app/queryClient.ts'
import { partyWords } from '../../../src/features/organization/invitations/invitationColumns.tsx'
import { policyChange, asDomain, domainProblemOf } from '../../../src/features/organization/policy/policyChange.ts'
import { patchUser, policyQuery, usersQuery } from '../../../src/features/organization/queries.ts'
import { RoleCell } from '../../../src/features/organization/users/RoleCell.tsx'
import {
  invitedRoles,
  isAdministrator,
  mayGiveRoles,
  reasonAgainst,
} from '../../../src/features/organization/roles.tsx'
import { organizationTexts } from '../../../src/features/organization/texts.ts'
import { UserActions } from '../../../src/features/organization/users/UserActions.tsx'
import { roleChange, statusChange } from '../../../src/features/organization/users/userChanges.ts'
import { dismissToast, toasts } from '../../../src/ui/toast/toastStore.ts'
import { SecondFactorMark, UserStatus } from '../../../src/features/organization/users/userColumns.tsx'

const member = (id: string, role: Role, part: Partial<OrganizationUser> = {}): OrganizationUser => ({
  id,
  username: id,
  firstName: 'Helen',
  lastName: 'Whitford',
  email: `${id}@example.com`,
  role,
  isActive: true,
  suspended: false,
  createdAt: 1,
  hasSecondFactor: false,
  ...part,
})
const administrator = (id: string, role: Role): User => ({
  ...member(id, role),
  connectionCode: 'ABC-DEF-234',
  hasKeys: true,
})
const superAdmin = administrator('amara', 'super_admin')
const orgAdmin = administrator('amara', 'org_admin')
const nothing = () => {}

afterEach(() => {
  queryClient.clear()
  dismissToast()
})

describe('what is offered', () => {
  it('keeps everybody from their own account and from those above their rank', () => {
    expect(reasonAgainst(superAdmin, member('amara', 'super_admin'))).toBe('ownAccount')
    expect(reasonAgainst(superAdmin, member('other', 'super_admin'))).toBeUndefined()
    expect(reasonAgainst(orgAdmin, member('other', 'super_admin'))).toBe('aboveRank')
    expect(reasonAgainst(orgAdmin, member('other', 'org_admin'))).toBeUndefined()
    expect(['user', 'org_admin', 'super_admin'].map((role) => isAdministrator({ role: role as Role }))).toEqual([
      false,
      true,
      true,
    ])
  })

  it('lets Super Admins alone give roles, and nobody invite above their own', () => {
    expect(mayGiveRoles(superAdmin, member('other', 'user'))).toBe(true)
    expect(mayGiveRoles(superAdmin, member('amara', 'super_admin'))).toBe(false)
    expect(mayGiveRoles(orgAdmin, member('other', 'user'))).toBe(false)
    expect(invitedRoles(orgAdmin)).toEqual(['user', 'org_admin'])
    expect(invitedRoles(superAdmin)).toEqual(['user', 'org_admin', 'super_admin'])
  })

  const acts = { onSetActive: nothing, onResetFactor: nothing, onUnlock: nothing, onDelete: nothing }
  const actions = (me: User, user: OrganizationUser, isLocked = false) =>
    renderToStaticMarkup(createElement(UserActions, { me, user, isLocked, ...acts }))

  it('is to unlock where failed sign-ins have locked the account', () => {
    expect(actions(orgAdmin, member('other', 'user'), true)).toContain('Unlock Helen Whitford')
    expect(actions(orgAdmin, member('other', 'user'))).not.toContain('Unlock')
  })

  it('is nothing for oneself and above, and says so', () => {
    expect(actions(superAdmin, member('amara', 'super_admin'))).not.toContain('<button')
    expect(actions(superAdmin, member('amara', 'super_admin'))).toContain('None for your own account')
    expect(actions(orgAdmin, member('other', 'super_admin'))).toContain('Only for a Super Admin')
  })

  it('is to activate or deactivate, to reset the second factor and to delete, each naming whom', () => {
    expect(actions(orgAdmin, member('other', 'user', { hasSecondFactor: true }))).toMatch(
      /Deactivate Helen Whitford.*Reset the second factor of Helen Whitford.*Delete Helen Whitford/,
    )
    expect(actions(orgAdmin, member('other', 'user'))).not.toContain('Reset')
    expect(actions(orgAdmin, member('other', 'user', { isActive: false }))).toContain('"Activate Helen Whitford"')
  })

  const role = (me: User, user: OrganizationUser) =>
    renderToStaticMarkup(createElement(RoleCell, { me, user, onSetRole: nothing }))

  it('has a selector of roles for a Super Admin, and a badge for the others', () => {
    const selector = role(superAdmin, member('other', 'org_admin'))
    expect(selector).toContain('aria-label="Role of Helen Whitford"')
    expect(selector.match(/(?<=<option[^>]*>)[^<]+/g)).toEqual(['User', 'Admin', 'Super Admin'])
    expect(role(orgAdmin, member('other', 'super_admin'))).toMatch(/^<span class="badge badge-solid">Super Admin</)
    expect(role(superAdmin, member('amara', 'super_admin'))).not.toContain('<select')
  })

  it('says Suspended first, then Inactive, Locked or Active', () => {
    const status = (part: Partial<OrganizationUser>, isLocked = false) =>
      renderToStaticMarkup(createElement(UserStatus, { user: member('other', 'user', part), isLocked }))
    expect(status({ suspended: true }, true)).toContain('Suspended')
    expect(status({}, true)).toContain('Locked')
    expect(status({ isActive: false }, true)).toContain('Inactive')
    expect(status({ suspended: true })).toContain('Suspended')
    expect(status({})).toContain('Active')
    expect(status({ isActive: false })).toContain('Inactive')
  })
})

describe('a change', () => {
  const helen = member('helen', 'user')
  const list = { search: '', sorting: { by: 'name', descending: false } } as const
  const key = usersQuery({ organization: {} } as never, list, undefined).queryKey
  const shown = () => queryClient.getQueryData<{ users: OrganizationUser[] }>(key)?.users
  const organization = (part: Partial<Organization>) => ({ organization: part as Organization })

  function know(): void {
    queryClient.setQueryData(key, { users: [member('other', 'user'), helen], next: null, total: 2, more: false })
  }

  it('of the status is shown before the server has answered, and told once it has', async () => {
    know()
    let answer: (user: OrganizationUser) => void = nothing
    const setActive = () => new Promise<OrganizationUser>((resolve) => (answer = resolve))
    const change = new MutationObserver(queryClient, statusChange(organization({ setActive })))
    const done = change.mutate({ user: helen, isActive: false })
    await expect.poll(() => shown()?.map(({ isActive }) => isActive)).toEqual([true, false])
    expect(toasts.get()).toBeUndefined()
    answer({ ...helen, isActive: false })
    await done
    expect(toasts.get()).toMatchObject({ title: 'User Deactivated', tone: 'success' })
    const again = new MutationObserver(queryClient, statusChange(organization({ setActive: async () => helen })))
    await again.mutate({ user: { ...helen, isActive: false }, isActive: true })
    expect(toasts.get()).toMatchObject({ title: 'User Activated' })
    expect(shown()).toEqual([member('other', 'user'), helen])
  })

  it('that is refused is taken back, with what the server says', async () => {
    know()
    const setActive = async () => {
      throw new CallError('ABOVE_RANK', { status: 403, sentence: 'That person ranks above you.' })
    }
    const change = new MutationObserver(queryClient, statusChange(organization({ setActive })))
    await expect(change.mutate({ user: helen, isActive: false })).rejects.toThrow()
    expect(shown()?.[1]).toEqual(helen)
    expect(toasts.get()).toMatchObject({
      title: 'Status Change Failed',
      description: 'That person ranks above you.',
      tone: 'destructive',
    })
  })

  it('of the role has its own words, and the fallback where the server says nothing', async () => {
    know()
    const setRole = async () => ({ ...helen, role: 'org_admin' as const })
    await new MutationObserver(queryClient, roleChange(organization({ setRole }))).mutate({
      user: helen,
      role: 'org_admin',
    })
    expect(toasts.get()).toMatchObject({ title: 'Role Updated' })
    expect(shown()?.[1]?.role).toBe('org_admin')
    const broken = async () => {
      throw new Error('no')
    }
    const failing = new MutationObserver(queryClient, roleChange(organization({ setRole: broken })))
    await expect(failing.mutate({ user: helen, role: 'user' })).rejects.toThrow()
    expect(toasts.get()).toMatchObject({ title: 'Role Change Failed', description: 'Failed to change user role' })
    expect(shown()?.[1]?.role).toBe('user')
  })

  it('of the policy is shown at once, corrected by the answer, and taken back if refused', async () => {
    const policy: OrganizationPolicy = {
      twoFactor: false,
      twoFactorFrom: 0,
      screenshotProtection: false,
      watermark: true,
      sessionTimeout: false,
      onlyApprovedBrowsers: false,
      lockAfter: 0,
      pushForbidden: false,
      directory: false,
      sessionDays: 90,
      invitationOnly: false,
      allowedEmailDomains: [],
    }
    const { queryKey } = policyQuery({ organization: {} } as never)
    const known = () => queryClient.getQueryData<OrganizationPolicy>(queryKey)
    queryClient.setQueryData(queryKey, policy)
    const made = { ...policy, allowedEmailDomains: ['xn--bcher-kva.example'] }
    const seen: unknown[] = []
    const updatePolicy = async () => {
      seen.push(known()?.allowedEmailDomains)
      return made
    }
    const add = new MutationObserver(queryClient, policyChange(organization({ updatePolicy })))
    await add.mutate({ allowedEmailDomains: ['bücher.example'] })
    expect(seen).toEqual([['bücher.example']])
    expect(known()).toEqual(made)
    expect(toasts.get()).toMatchObject({ title: 'Setting updated', description: 'Allowed sign-up email domains' })
    const off = new MutationObserver(queryClient, policyChange(organization({ updatePolicy })))
    await off.mutate({ watermark: false })
    expect(toasts.get()).toMatchObject({ title: 'Setting updated', description: 'Watermark: off' })
    queryClient.setQueryData(queryKey, made)
    const refused = async () => {
      throw new CallError('FORBIDDEN', { status: 403, sentence: 'No.' })
    }
    const failing = new MutationObserver(queryClient, policyChange(organization({ updatePolicy: refused })))
    await expect(failing.mutate({ watermark: false })).rejects.toThrow()
    expect(known()).toEqual(made)
    expect(toasts.get()).toMatchObject({ title: 'Setting not updated', description: 'No.', tone: 'destructive' })
  })

  it('that takes a person out leaves the others', () => {
    know()
    patchUser('helen', () => undefined)
    expect(shown()?.map(({ id }) => id)).toEqual(['other'])
  })
})

test('what a stricter policy concerns is counted in words', () => {
  const { concerned, domains } = organizationTexts.policy
  expect([0, 1, 2].map(concerned)).toEqual([
    'Every active member has a second factor.',
    '1 active member has no second factor yet.',
    '2 active members have no second factor yet.',
  ])
  expect(domains.outsideHint(3)).toMatch(/^3 members have addresses outside the allowed domains/)
  expect(renderToStaticMarkup(createElement(SecondFactorMark, { has: false }))).toContain('No second factor')
  expect(renderToStaticMarkup(createElement(SecondFactorMark, { has: true }))).toMatch(/<svg.*>Second factor</)
})

test('a domain is a domain, once, as many as there may be', () => {
  expect(asDomain(' @Example.COM. ')).toBe('example.com')
  for (const domain of ['example.com', 'a.b.example.co.uk', 'bücher.example', 'x1.example', 'xn--bcher-kva.example'])
    expect(domainProblemOf(domain, [], 50), domain).toBeUndefined()
  for (const domain of ['', 'example', 'a@example.com', 'https://example.com', '-a.example', 'a..example', '10.0.0.1'])
    expect(domainProblemOf(domain, [], 50), domain).toBe('invalid')
  expect(domainProblemOf('example.com', ['example.com'], 50)).toBe('known')
  expect(domainProblemOf('other.example', ['example.com'], 1)).toBe('full')
})

test('who made or used an invitation is named, also where the account is gone', () => {
  const id = '0190a0b0-0000-7000-8000-000000000001'
  expect(partyWords({ kind: 'member', id, firstName: 'Ada', lastName: 'Lovelace' })).toBe('Ada Lovelace')
  expect(partyWords({ kind: 'deleted', id })).toBe('Deleted user 000001')
  expect(partyWords(null)).toBeUndefined()
})
