import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { FounderClient } from '@privity/client/founder'
import { CallError } from '@privity/client'
import { DataTable } from '../../src/ui/table/DataTable.tsx'
import { type Column } from '../../src/ui/table/columns.ts'

export const id = '01900000-0000-7000-8000-000000000001'
export const nothing = () => {}

export const draw = <Row extends { id: string }, Key extends string>(
  columns: readonly Column<Row, Key>[],
  rows: Row[],
) => renderToStaticMarkup(createElement(DataTable<Row, Key>, { label: 'x', columns, rows }))
export const heads = (markup: string) =>
  [...markup.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, head]) => head)

/** Returns or throws the given answer and records the calls. */
export function fakeClient(answer: unknown) {
  const called: unknown[] = []
  const call = async (endpoint: { method: string; path: string }, sent: object) => {
    called.push([endpoint, sent])
    if (answer instanceof Error) throw answer
    return answer
  }
  return { called, client: { call } as unknown as Pick<FounderClient, 'call'> }
}

/** Paths of the lists that are refetched. */
export async function refetchedBy(run: (queries: QueryClient) => Promise<unknown>): Promise<string[]> {
  const queries = new QueryClient()
  const paths = [
    'locked-accounts',
    'users',
    'stats',
    'realtime-stats',
    'organizations',
    'support-requests',
    'flagged-messages',
    'verify',
    'alert-settings',
  ].map((name) => `/api/founder/${name}`)
  for (const path of paths) queries.setQueryData([path, { query: {} }], {})
  await run(queries)
  const stale = paths.filter((path) => queries.getQueryState([path, { query: {} }])?.isInvalidated)
  return stale.map((path) => path.slice('/api/founder/'.length))
}

export const refused = new CallError('LAST_SUPER_ADMIN', { status: 409, sentence: 'The server says why.' })
export const silent = new Error('no answer')
