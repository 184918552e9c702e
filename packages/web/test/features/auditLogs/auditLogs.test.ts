import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import type { AuditLogEntry } from '@privity/contract/auditLogs'
import { changeAddressQuery } from '../../../src/browser/address.ts'
import { speak, startLanguage } from '../../../src/i18n/language.ts'
import { queryClient } from '../../../src/app/queryClient.ts'
import { serializeDetails } from '../../../src/app/auditEntry.tsx'
import {
  describeAction,
  describeEntry,
  findPersonName,
  auditPersonName,
} from '../../../src/features/auditLogs/entryText.ts'
import {
  type AuditFilter,
  isFiltered,
  isReversed,
  readFilter,
  timeRange,
} from '../../../src/features/auditLogs/filter.ts'
import { PersonFilter, PeopleFound } from '../../../src/features/auditLogs/PersonFilter.tsx'
import { entriesQuery, personQuery } from '../../../src/features/auditLogs/queries.ts'

await startLanguage(() => import('../../../src/i18n/translations.ts'))
afterEach(async () => {
  queryClient.clear()
  await speak('en')
})

const none: AuditFilter = { action: '', person: '', from: '', to: '' }
const person = '0190a0b0-0000-7000-8000-000000000001'

test('an action has its words in each language, and one that is new here is still readable', async () => {
  expect(['user_role_changed', 'signed_in', 'a_new_thing'].map(describeAction)).toEqual([
    'Role changed',
    'Signed in',
    'A new thing',
  ])
  expect(describeAction('constructor')).toBe('Constructor')
  await speak('de')
  expect(['user_role_changed', 'a_new_thing'].map(describeAction)).toEqual(['Rolle geändert', 'A new thing'])
})

test('who did it is named, or what they are', async () => {
  const ada = {
    kind: 'member',
    id: person,
    username: 'ada',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
  } as const
  expect(
    [ada, { kind: 'deleted', id: person }, { kind: 'server' }].map((one) => auditPersonName(one as typeof ada)),
  ).toEqual(['Ada Lovelace', 'Deleted user 000001', 'Server'])
  await speak('de')
  expect(auditPersonName({ kind: 'deleted', id: person })).toBe('Gelöschter Benutzer 000001')
})

test('details are shown as they are stored, with times to be read, and none where there are none', () => {
  const format = (ms: number) => `at ${ms}`
  expect(serializeDetails({ before: 'user', after: 'org_admin' }, format)).toBe('{"before":"user","after":"org_admin"}')
  expect(serializeDetails({ role: 'user', expiresAt: 5, size: 7 }, format)).toBe(
    '{"role":"user","expiresAt":"at 5","size":7}',
  )
  expect(serializeDetails({}, format)).toBe('')
})

test('a change says what was changed to, and the end of an account is no removal by hand', async () => {
  const words = (action: string, details: AuditLogEntry['details']) => describeEntry({ action, details })
  expect(words('policy_changed', { 'twoFactor.before': false, 'twoFactor.after': true })).toBe(
    'Policy changed: two-factor authentication required',
  )
  const from = { 'twoFactorFrom.before': 'none', 'twoFactorFrom.after': new Date(2027, 0, 5).toISOString() }
  expect(words('policy_changed', { 'twoFactor.after': true, ...from })).toBe(
    'Policy changed: two-factor authentication required, from 01/05/2027',
  )
  expect(words('policy_changed', { 'twoFactor.after': false, 'twoFactorFrom.after': 'none' })).toBe(
    'Policy changed: two-factor authentication no longer required',
  )
  expect(words('policy_changed', { 'onlyApprovedBrowsers.after': true })).toBe(
    'Policy changed: approved browsers required',
  )
  expect(words('policy_changed', { 'pushForbidden.after': true })).toBe('Policy changed: push notifications forbidden')
  expect(words('policy_changed', { 'directory.after': true })).toBe('Policy changed: directory of members on')
  expect(words('policy_changed', { 'watermark.after': false, 'allowedEmailDomains.after': '' })).toBe(
    'Policy changed: watermark off, every email domain allowed',
  )
  expect(words('policy_changed', { 'lockAfter.after': 15 })).toBe('Policy changed: browsers lock after 15 min at most')
  expect(words('policy_changed', { 'newer.after': true })).toBe('Policy changed')
  expect(words('user_role_changed', { before: 'user', after: 'org_admin' })).toBe('Role changed: User to Admin')
  expect(words('browser_removed', { browser: 'Chrome on Linux' })).toBe('Browser removed: Chrome on Linux')
  expect(words('connection_removed', { connectionId: 'x' })).toBe('Connection removed')
  expect(words('connection_removed', { connectionId: 'x', accountDeleted: true })).toBe(
    'Connection ended with a deleted account',
  )
  await speak('de')
  expect(words('policy_changed', { 'twoFactor.after': true })).toBe(
    'Richtlinie geändert: Zwei-Faktor-Authentifizierung verlangt',
  )
  expect(words('policy_changed', from)).toBe('Richtlinie geändert: ab 01/05/2027')
})

test('the person of the filter is named by any entry about them, deleted or not', async () => {
  const other = '0190a0b0-0000-7000-8000-000000000002'
  const entry = { actor: { kind: 'server' }, target: { kind: 'deleted', id: person } } as AuditLogEntry
  expect(findPersonName([entry], person)).toBe('Deleted user 000001')
  expect(findPersonName([entry], other)).toBeUndefined()
  const asked: unknown[] = []
  const list = async (query: unknown) => {
    asked.push(query)
    return [entry]
  }
  const ask = (id: string) => queryClient.fetchQuery(personQuery({ auditLogs: { list } } as never, id))
  expect(await ask(person)).toBe('Deleted user 000001')
  expect(await ask(other)).toBeNull()
  expect(asked).toEqual([
    { person, limit: 1 },
    { person: other, limit: 1 },
  ])
})

test('the field for a person offers a choice, and turns into a button with the chosen name', () => {
  const nothing = () => undefined
  const field = (chosen: string, name: string | undefined) =>
    renderToStaticMarkup(
      createElement(PersonFilter, {
        person: chosen,
        name,
        typed: '',
        onType: nothing,
        findPeople: async () => [],
        onPerson: nothing,
        onClear: nothing,
      }),
    )
  expect(field('', undefined)).toMatch(/role="combobox" aria-expanded="false" aria-autocomplete="list"/)
  expect(field('', undefined)).not.toContain('datalist')
  expect(field(person, 'Helen Whitford')).toContain('aria-label="Stop filtering by Helen Whitford"')
  expect(field(person, undefined)).toContain('One person')
})

test('people found are offered with name and address, the one that Enter takes is marked', () => {
  const people = [
    { id: 'a', name: 'Helen Whitford', email: 'helen@example.com' },
    { id: 'b', name: 'Helene Ito', email: 'ito@example.com' },
  ]
  const html = renderToStaticMarkup(
    createElement(PeopleFound, { id: 'list', people, active: 1, onChoose: () => undefined }),
  )
  expect(html).toMatch(/role="listbox" aria-label="People found"/)
  expect(html.match(/aria-selected="\w+"/g)).toEqual(['aria-selected="false"', 'aria-selected="true"'])
  expect(html).toContain('<b dir="auto">Helen Whitford</b><span>helen@example.com</span>')
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
  expect(timeRange({ from: '2026-03-01', to: '2026-03-31' })).toEqual({
    from: new Date(2026, 2, 1).getTime(),
    to: new Date(2026, 3, 1).getTime(),
  })
  expect(timeRange(none)).toEqual({})
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
