import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { founderSupportRequests, type ListedRequest } from '@privity/contract/founder/supportRequests'
import { formatDateTime } from '../../src/founder/console/values.tsx'
import { requestColumns } from '../../src/founder/features/supportRequests/SupportRequests.tsx'
import { requestStateMutation } from '../../src/founder/features/supportRequests/RequestDialog.tsx'
import { dismissToast, toasts } from '../../src/ui/toast/toastStore.ts'
import { draw, fakeClient, heads, id, nothing, refetchedBy, silent } from './tables.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))
afterEach(dismissToast)

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
