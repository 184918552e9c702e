import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { lockedAccounts } from '@privity/contract/founder/lockedAccounts'
import { type FounderUser, founderUsers } from '@privity/contract/founder/users'
import {
  lockedColumns,
  remainingText,
  unlockMutation,
} from '../../src/founder/features/lockedAccounts/LockedAccounts.tsx'
import { lockedTexts } from '../../src/founder/features/lockedAccounts/texts.ts'
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
afterEach(dismissToast)

describe('locked accounts', () => {
  test('the table has the columns, the reason and the button of the specification', () => {
    const markup = draw(lockedColumns(nothing), [{ id, username: 'r.santoro', lockedUntil: Date.now() + 848_000 }])
    expect(heads(markup)).toEqual(['Username', 'Lock reason', 'Locked until', 'Remaining', 'Action'])
    expect(markup).toContain('5 failed login attempts')
    expect(markup).toMatch(/aria-label="Unlock r.santoro">.*Unlock<\/button>/)
    expect(markup).toMatch(/1[34]m \d\ds/)
  })

  test('the texts are those of the specification', () => {
    expect([lockedTexts.title, lockedTexts.none, lockedTexts.noneHint, lockedTexts.loading]).toEqual([
      'Locked Accounts',
      'No locked accounts',
      'Accounts will appear here after 5 failed login attempts',
      'Loading locked accounts...',
    ])
    expect([lockedTexts.confirm.confirm, lockedTexts.confirm.busy]).toEqual(['Unlock Account', 'Processing...'])
  })

  test('what remains is counted in minutes and seconds', () => {
    expect([900_000, 848_001, 60_000, 59_999, 1_000, 1, 0, -5].map((left) => remainingText(left, 0))).toEqual([
      '15m 00s',
      '14m 09s',
      '1m 00s',
      '1m 00s',
      '0m 01s',
      '0m 01s',
      'Expired',
      'Expired',
    ])
  })

  const account = { id, username: 'r.santoro', lockedUntil: 5 }
  const unlock = (answer: unknown) => {
    const { called, client } = fakeClient(answer)
    const run = (queries: QueryClient) =>
      new MutationObserver(queries, unlockMutation(client, queries)).mutate(account).catch(nothing)
    return { called, run }
  }

  it('unlocks, says so, and loads the list and the tile again', async () => {
    const { called, run } = unlock({ id, username: 'r.santoro' })
    expect(await refetchedBy(run)).toEqual(['locked-accounts', 'realtime-stats'])
    expect(called).toEqual([[lockedAccounts.unlock, { params: { id } }]])
    expect(toasts.get()).toMatchObject({ title: 'Account Unlocked', tone: 'success' })
  })

  it('says with the server, or in its own words, that it has failed', async () => {
    expect(await refetchedBy(unlock(refused).run)).toContain('locked-accounts')
    expect(toasts.get()).toMatchObject({ title: 'Unlock Failed', description: 'The server says why.' })
    await refetchedBy(unlock(silent).run)
    expect(toasts.get()).toMatchObject({ description: 'Failed to unlock account', tone: 'destructive' })
  })
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

  test('who is asked about is named with their username, and no mark in their name turns that around', () => {
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
