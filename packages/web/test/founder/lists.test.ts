import { invitationLink } from '@privity/contract/invitationLink'
import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { founderOrganizations } from '@privity/contract/founder/organizations'
import { founderSupportRequests, type ListedRequest } from '@privity/contract/founder/supportRequests'
import { formatDateTime } from '../../src/founder/console/values.tsx'
import {
  createOrganizationMutation,
  inviteMutation,
  organizationColumns,
} from '../../src/founder/features/organizations/Organizations.tsx'
import { requestColumns } from '../../src/founder/features/supportRequests/SupportRequests.tsx'
import { requestStateMutation } from '../../src/founder/features/supportRequests/RequestDialog.tsx'
import { dismissToast, toasts } from '../../src/ui/toast/toastStore.ts'
import { draw, fakeClient, heads, id, nothing, refetchedBy, refused, silent } from './tables.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))
afterEach(dismissToast)

describe('organizations', () => {
  const organization = { id, name: 'Chambers', type: 'Legal', members: 0, createdAt: 1 }
  const made = { organization, token: 'the-token', expiresAt: 2 }

  test('the table says name, type, members and when; only one without members can have another link', () => {
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

describe('support requests', () => {
  const request: ListedRequest = {
    id,
    reference: 'PR-ABCD-2345',
    subject: 'Code does not work',
    category: 'connections',
    priority: 'urgent',
    state: 'open',
    createdAt: 1,
    from: { id, username: 'k.abara', firstName: 'Karl', lastName: 'Abara', email: 'k.abara@example.com' },
  }

  test('the table says what was asked, by whom, when, and whether it is handled', () => {
    const columns = requestColumns(nothing)
    const markup = draw(columns, [request])
    expect(heads(markup)).toEqual(['Reference', 'Subject', 'Category', 'Priority', 'From', 'Sent', 'State', 'Action'])
    for (const text of [
      'PR-ABCD-2345',
      'Code does not work',
      'Connections and codes',
      'Urgent',
      '@k.abara',
      formatDateTime(1),
    ])
      expect(markup).toContain(text)
    expect(markup).toMatch(/badge-info">Open</)
    expect(draw(columns, [{ ...request, state: 'closed' }])).toMatch(/badge-outline">Handled</)
  })

  const set = (state: ListedRequest['state'], answer: unknown) => {
    const { called, client } = fakeClient(answer)
    const run = (queries: QueryClient) =>
      new MutationObserver(queries, requestStateMutation(client, queries)).mutate({ id, state }).catch(nothing)
    return { called, run }
  }

  it('is marked as handled and opened again, and says how that went', async () => {
    const well = set('closed', { ...request, state: 'closed' })
    expect(await refetchedBy(well.run)).toEqual(['support-requests'])
    expect(well.called).toEqual([[founderSupportRequests.setState, { params: { id }, body: { state: 'closed' } }]])
    expect(toasts.get()).toMatchObject({ title: 'Request handled', tone: 'success' })
    await refetchedBy(set('open', request).run)
    expect(toasts.get()).toMatchObject({ title: 'Request reopened', tone: 'success' })
    await refetchedBy(set('open', silent).run)
    expect(toasts.get()).toMatchObject({ title: 'Update Failed', description: 'Failed to update the support request' })
  })
})
