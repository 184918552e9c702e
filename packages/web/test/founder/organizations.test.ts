import { invitationLink } from '@privity/contract/invitationLink'
import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { founderOrganizations } from '@privity/contract/founder/organizations'
import {
  createOrganizationMutation,
  inviteMutation,
  organizationColumns,
} from '../../src/founder/features/organizations/Organizations.tsx'
import { dismissToast, toasts } from '../../src/ui/toast/toastStore.ts'
import { draw, fakeClient, heads, id, nothing, refetchedBy, refused, silent } from './tables.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))
afterEach(dismissToast)

describe('organizations', () => {
  const organization = { id, name: 'Chambers', type: 'Legal', members: 0, createdAt: 1 }
  const made = { organization, token: 'the-token', expiresAt: 2 }

  test('the table says name, type, members and date; only one without members gets another link', () => {
    const acts = { onNewLink: nothing, onShowUsers: nothing }
    const columns = organizationColumns({ busyId: undefined, ...acts })
    const markup = draw(columns, [organization])
    expect(heads(markup)).toEqual(['Name', 'Type', 'Members', 'Created', 'Actions'])
    expect(markup).toContain('aria-label="New link for Chambers"')
    const joined = draw(columns, [{ ...organization, members: 1 }])
    expect(joined).not.toContain('New link for')
    expect(joined).toContain('aria-label="Show users of Chambers"')
  })

  test('the link leads to the sign-up of this deployment', () => {
    expect(invitationLink('https://privity.example', 'the-token')).toBe(
      'https://privity.example/auth#invitation=the-token',
    )
  })

  const create = (answer: unknown) => {
    const { called, client } = fakeClient(answer)
    const wanted = { name: 'Chambers', type: 'Legal' }
    const run = (queries: QueryClient) =>
      new MutationObserver(queries, createOrganizationMutation(client, queries)).mutate(wanted).catch(nothing)
    return { called, run }
  }
  const invite = (answer: unknown) => (queries: QueryClient) =>
    new MutationObserver(queries, inviteMutation(fakeClient(answer).client, queries))
      .mutate(organization)
      .catch(nothing)

  it('says how creating one, and another link, went', async () => {
    const well = create(made)
    expect(await refetchedBy(well.run)).toEqual(['organizations'])
    expect(well.called).toEqual([[founderOrganizations.create, { body: { name: 'Chambers', type: 'Legal' } }]])
    expect(toasts.get()).toMatchObject({ title: 'Organization created', tone: 'success' })
    await refetchedBy(create(refused).run)
    expect(toasts.get()).toMatchObject({ title: 'Creation failed', description: 'The server says why.' })
    await refetchedBy(create(silent).run)
    expect(toasts.get()).toMatchObject({ description: 'Failed to create organization', tone: 'destructive' })
    await refetchedBy(invite(made))
    expect(toasts.get()).toMatchObject({ title: 'Link created', tone: 'success' })
    await refetchedBy(invite(silent))
    expect(toasts.get()).toMatchObject({ title: 'Link failed', description: 'Failed to create the link' })
  })
})
