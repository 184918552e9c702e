import { afterEach, expect, test } from 'vitest'
import type { AuditLogEntry } from '@privity/contract/auditLogs'
import { changeAddressQuery } from '../src/core/address.ts'
import { speak, startLanguage } from '../src/core/language.ts'
import { queryClient } from '../src/core/queryClient.ts'
import { actionWords } from '../src/features/auditLogs/actions.ts'
import { serialize } from '../src/features/auditLogs/columns.tsx'
import { type AuditFilter, isFiltered, isReversed, readFilter, timesOf } from '../src/features/auditLogs/filter.ts'
import { partyWords } from '../src/features/auditLogs/people.ts'
import { entriesQuery } from '../src/features/auditLogs/queries.ts'

await startLanguage(() => import('../src/german.ts'))
afterEach(async () => {
  queryClient.clear()
  await speak('en')
})

const none: AuditFilter = { action: '', person: '', from: '', to: '' }
const person = '0190a0b0-0000-7000-8000-000000000001'

test('an action has its words in each language, and one that is new here is still readable', async () => {
  expect(['user_role_changed', 'signed_in', 'a_new_thing'].map(actionWords)).toEqual([
    'Role changed',
    'Signed in',
    'A new thing',
  ])
  expect(actionWords('constructor')).toBe('Constructor')
  await speak('de')
  expect(['user_role_changed', 'a_new_thing'].map(actionWords)).toEqual(['Rolle geändert', 'A new thing'])
})

test('who did it is named, or what he is', async () => {
  const ada = { kind: 'member', id: person, firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' } as const
  expect(
    [ada, { kind: 'deleted', id: person }, { kind: 'server' }].map((one) => partyWords(one as typeof ada)),
  ).toEqual(['Ada Lovelace', 'Deleted user', 'Server'])
  await speak('de')
  expect(partyWords({ kind: 'deleted', id: person })).toBe('Gelöschter Benutzer')
})

test('details are shown as they are stored, and none where there are none', () => {
  expect(serialize({ before: 'user', after: 'org_admin' })).toBe('{"before":"user","after":"org_admin"}')
  expect(serialize({})).toBe('')
})

test('the filter is read from the address, without what means nothing', () => {
  const read = (text: string) => readFilter(new URLSearchParams(text))
  expect(read(`action=signed_in&person=${person}&from=2026-03-01&to=2026-03-31`)).toEqual({
    action: 'signed_in',
    person,
    from: '2026-03-01',
    to: '2026-03-31',
  })
  expect(read('action=Drop%20table&person=me&from=yesterday&to=1')).toEqual(none)
  expect(isFiltered(none)).toBe(false)
  expect(isFiltered({ ...none, to: '2026-03-31' })).toBe(true)
})

test('days are whole days of the reader, the last one included', () => {
  expect(timesOf({ from: '2026-03-01', to: '2026-03-31' })).toEqual({
    from: new Date(2026, 2, 1).getTime(),
    to: new Date(2026, 3, 1).getTime(),
  })
  expect(timesOf(none)).toEqual({})
  expect(isReversed({ from: '2026-03-02', to: '2026-03-01' })).toBe(true)
  expect(isReversed({ from: '2026-03-01', to: '2026-03-01' })).toBe(false)
  expect(isReversed({ from: '2026-03-01', to: '' })).toBe(false)
})

test('a page is 50 entries, and goes on after the last of them where there is one more', async () => {
  const asked: unknown[] = []
  const client = (count: number) => ({
    auditLogs: {
      list: async (query: unknown) => {
        asked.push(query)
        return Array.from({ length: count }, (_, at) => ({ id: String(1000 - at) }) as AuditLogEntry)
      },
    },
  })
  const fetch = (count: number, before?: string) =>
    queryClient.fetchQuery(entriesQuery(client(count) as never, { ...none, action: 'signed_in' }, before))
  const first = await fetch(51)
  expect([first.entries.length, first.next]).toEqual([50, '951'])
  const last = await fetch(50, '951')
  expect([last.entries.length, last.next]).toEqual([50, undefined])
  expect(asked).toEqual([
    { limit: 51, action: 'signed_in' },
    { limit: 51, action: 'signed_in', before: '951' },
  ])
})

test('a change of the address leaves what else it says', () => {
  const gone: string[] = []
  const before = { location: globalThis.location, history: globalThis.history }
  Object.assign(globalThis, {
    location: { pathname: '/admin', search: '?tab=audit&action=signed_in' },
    history: {
      pushState: (_state: unknown, _title: string, to: string) => gone.push(`push ${to}`),
      replaceState: (_state: unknown, _title: string, to: string) => gone.push(`replace ${to}`),
    },
  })
  changeAddressQuery({ person })
  changeAddressQuery({ action: '', from: '2026-03-01' }, true)
  changeAddressQuery({ tab: undefined, action: undefined })
  Object.assign(globalThis, before)
  expect(gone).toEqual([
    `push /admin?tab=audit&action=signed_in&person=${person}`,
    'replace /admin?tab=audit&from=2026-03-01',
    'push /admin',
  ])
})
