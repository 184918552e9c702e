import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type FounderUser, founderUsers } from '@privity/contract/founder/users'
import {
  nameOf,
  uniqueNameOf,
  type UserChange,
  userMutation,
} from '../../src/founder/features/users/ConfirmUserChange.tsx'
import { organizationOptions } from '../../src/founder/features/users/OrganizationFilter.tsx'
import { userColumns } from '../../src/founder/features/users/UserManagement.tsx'
import { userTexts } from '../../src/founder/features/users/texts.ts'
import { dismissToast, toasts } from '../../src/ui/toast/toastStore.ts'
import { draw, fakeClient, heads, id, nothing, refetchedBy, refused, silent } from './tables.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))
afterEach(dismissToast)

const person = (part: Partial<FounderUser> = {}): FounderUser => ({
  id,
  username: 'k.abara',
  firstName: 'Karl',
  lastName: 'Abara',
  email: 'k.abara@example.com',
  role: 'org_admin',
  isActive: true,
  suspended: false,
  createdAt: 1,
  hasSecondFactor: false,
  organization: { id, name: 'Chambers' },
  ...part,
})

describe('users', () => {
  const columns = userColumns(nothing)

  test('the table has the columns of the specification, in its order', () => {
    const markup = draw(columns, [person()])
    expect(heads(markup)).toEqual([
      'First Name',
      'Last Name',
      'Email Address',
      'Username',
      'Organization',
      'Role',
      'Status',
      'Join Date',
      'Actions',
    ])
    // Labels beside each value in the stacked layout.
    for (const label of ['Last Name', 'Email Address', 'Username', 'Organization', 'Role', 'Status'])
      expect(markup).toContain(`data-l="${label}"`)
  })

  test('each user is listed with their organization', () => {
    expect(draw(columns, [person()])).toContain('<span dir="auto">Chambers</span>')
  })

  describe('the filter by organization', () => {
    const listed = [
      { id: 'b', name: 'Zenith' },
      { id: 'a', name: 'Ärzte' },
    ]

    test('offers all, then each by name', () => {
      const offered = organizationOptions(listed, 'a', undefined)
      expect(offered.map(({ label }) => label)).toEqual(['All organizations', 'Ärzte', 'Zenith'])
    })

    test('offers the chosen one also where it is not listed', () => {
      expect(organizationOptions(listed, 'c', 'Chambers')).toContainEqual({ value: 'c', label: 'Chambers' })
      expect(organizationOptions(listed, 'c', undefined)).toContainEqual({ value: 'c', label: 'One organization' })
    })
  })

  test('missing names are a dash, and an underscore of a role is a space', () => {
    const markup = draw(columns, [person({ firstName: '', lastName: '' })])
    expect(markup.match(/>-</g)).toHaveLength(2)
    expect(markup).toContain('>org admin<')
    expect(draw(columns, [person({ role: 'super_admin' })])).toContain('>super admin<')
  })

  test('who is suspended is that first, then active, otherwise inactive; and what is offered fits', () => {
    const shown = (part: Partial<FounderUser>) => draw(columns, [person(part)])
    expect(shown({ suspended: true, isActive: true })).toMatch(/Suspended<\/span>.*>Unsuspend</)
    expect(shown({ suspended: true, isActive: false })).toMatch(/Suspended<\/span>.*>Unsuspend</)
    expect(shown({ suspended: false, isActive: true })).toMatch(/Active<\/span>.*>Suspend</)
    expect(shown({ suspended: false, isActive: false })).toMatch(/Inactive<\/span>.*>Suspend</)
    expect(shown({})).toContain('aria-label="Delete k.abara"')
  })

  test('the texts are those of the specification', () => {
    const { searchHint, none, noMatch, busy, ask } = userTexts
    expect([searchHint, none, noMatch, busy]).toEqual([
      'Search users...',
      'No users found.',
      'No users found matching your search.',
      'Processing...',
    ])
    expect([ask.remove.confirm, ask.suspend.confirm, ask.unsuspend.confirm]).toEqual([
      'Delete Permanently',
      'Suspend User',
      'Unsuspend User',
    ])
  })

  test('a question names the person with their username, and no mark in a name turns it around', () => {
    expect(userTexts.ask.remove.title(uniqueNameOf(person()))).toBe('Delete Karl Abara (@k.abara) permanently?')
    expect(userTexts.ask.suspend.title(uniqueNameOf(person()))).toBe('Suspend Karl Abara (@k.abara)?')
    const turned = person({ firstName: '\u202eaneL', lastName: '\u2066Abara\u2069' })
    expect(uniqueNameOf(turned)).toBe('aneL Abara (@k.abara)')
    expect(nameOf(turned)).toBe('aneL Abara')
    expect(uniqueNameOf(person({ firstName: '', lastName: '\u202e' }))).toBe('k.abara')
  })

  const change = (kind: UserChange, answer: unknown) => {
    const { called, client } = fakeClient(answer)
    const run = (queries: QueryClient) =>
      new MutationObserver(queries, userMutation(client, queries, kind)).mutate(person()).catch(nothing)
    return { called, run }
  }

  const related = [
    'locked-accounts',
    'users',
    'stats',
    'realtime-stats',
    'organizations',
    'support-requests',
    'flagged-messages',
  ]

  test.each([
    ['suspend', 'User Suspended', 'Suspension Failed', 'Failed to suspend user'],
    ['unsuspend', 'User Unsuspended', 'Unsuspension Failed', 'Failed to unsuspend user'],
    ['remove', 'User Deleted', 'Deletion Failed', 'Failed to delete user'],
  ] as const)('%s says how it went, and what is related is loaded again', async (act, done, failed, fallback) => {
    const well = change(act, {})
    expect(await refetchedBy(well.run)).toEqual(related)
    expect(well.called).toEqual([[founderUsers[act], { params: { id } }]])
    expect(toasts.get()).toMatchObject({ title: done, tone: 'success' })
    expect(toasts.get()?.description).toContain('Karl Abara')

    expect(await refetchedBy(change(act, refused).run)).toEqual(related)
    expect(toasts.get()).toMatchObject({ title: failed, description: 'The server says why.', tone: 'destructive' })
    await refetchedBy(change(act, silent).run)
    expect(toasts.get()).toMatchObject({ title: failed, description: fallback, tone: 'destructive' })
  })
})
