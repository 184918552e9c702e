import type { Connection, Participant } from '@privity/contract/connections'
import { normaliseCode } from '@privity/contract/connectionCode'
import { describe, expect, it } from 'vitest'
import { fullName } from '../../../src/i18n/names.ts'
import {
  newestFirst,
  otherParty,
  searchConnections,
  withConnection,
  withMessageAt,
  withParty,
} from '../../../src/features/connections/queries.ts'
import { spaceCode, spellCode } from '../../../src/features/connections/code/spelling.ts'
import { connectionTexts as german } from '../../../src/features/connections/texts.de.ts'
import { connectionTexts } from '../../../src/features/connections/texts.ts'
import { unreadBadge, unreadName } from '../../../src/features/connections/list/ConnectionRow.tsx'

const party = (id: string, firstName: string): Participant => ({
  id,
  username: firstName.toLowerCase(),
  firstName,
  lastName: 'Osei',
  email: `${firstName.toLowerCase()}@example.com`,
  available: true,
  online: false,
})

const connection = (id: string): Connection => ({
  id,
  userId1: 'a',
  userId2: 'b',
  user1: party('a', 'Amara'),
  user2: party('b', 'Helen'),
  status: 'active',
  connectedAt: 1,
  lifetime: 1,
  lastSeq: 0,
})

it.each([connectionTexts, german])('the example of a code has only characters that codes have', ({ codeExample }) => {
  expect(codeExample).toBe('ABC-DEF-234')
  expect(normaliseCode(codeExample)).toBe(codeExample)
})

describe('the connection code, read aloud', () => {
  it('is spelt in the telephone alphabet, group by group', () => {
    expect(spellCode('KTR-MVX-482')).toBe('Kilo Tango Romeo, Mike Victor X\u2011ray, four eight two')
  })

  it('has a name that spells its characters one by one', () => {
    expect(spaceCode('KTR-MVX-482')).toBe('K T R, M V X, 4 8 2')
  })
})

describe('the unread badge', () => {
  it.each([
    [1, '1', '1 unread'],
    [9, '9', '9 unread'],
    [10, '9+', '9 or more unread'],
    [100, '9+', '9 or more unread'],
  ])('shows %i as %s', (count, badge, name) => {
    expect(unreadBadge(count)).toBe(badge)
    expect(unreadName(count)).toBe(name)
  })
})

describe('the two parties', () => {
  it('the other one is whichever is not oneself', () => {
    expect(otherParty(connection('1'), 'a').firstName).toBe('Helen')
    expect(otherParty(connection('1'), 'b').firstName).toBe('Amara')
  })

  it('a changed party takes the place of the old one, on its own side only', () => {
    const changed = withParty(connection('1'), { ...party('b', 'Helena'), online: true })
    expect(changed.user2).toMatchObject({ firstName: 'Helena', online: true })
    expect(changed.user1.firstName).toBe('Amara')
  })

  it('a name without its second part has no loose space', () => {
    expect(fullName({ firstName: 'Cher', lastName: '' })).toBe('Cher')
  })
})

it('a connection that is heard of twice stands in the list once, first', () => {
  const list = withConnection([connection('1'), connection('2')], connection('2'))
  expect(list.map((each) => each.id)).toEqual(['2', '1'])
})

describe('searching connections', () => {
  const list = [connection('one'), { ...connection('two'), user2: { ...party('b', 'Ägidius'), lastName: 'Klein' } }]
  const found = (typed: string) => searchConnections(list, 'a', typed).map(({ id }) => id)

  it.each([
    ['', ['one', 'two']],
    ['   ', ['one', 'two']],
    ['HELEN', ['one']],
    [' klein ', ['two']],
    ['ägidius klein', ['two']],
    ['helen@EXAMPLE', ['one']],
    ['amara', []],
    ['x', ['one', 'two']],
    ['.*', []],
  ])('%j finds %j', (typed, ids) => {
    expect(found(typed)).toEqual(ids)
  })

  it('finds by name who does not show their address', () => {
    const { email: _email, ...quiet } = party('b', 'Helen')
    const hidden = { ...connection('one'), user2: quiet }
    expect(searchConnections([hidden], 'a', 'helen')).toHaveLength(1)
    expect(searchConnections([hidden], 'a', 'example')).toEqual([])
  })
})

describe('the order of the list', () => {
  const at = (id: string, connectedAt: number, lastMessageAt?: number): Connection => ({
    ...connection(id),
    connectedAt,
    ...(lastMessageAt !== undefined && { lastMessageAt }),
  })
  const idsOf = (list: readonly Connection[]) => list.map(({ id }) => id)
  const list = [at('a', 30), at('b', 20, 40), at('c', 10)]

  it('is by the newest message, or by connecting where there is none', () => {
    expect(idsOf(newestFirst(list))).toEqual(['b', 'a', 'c'])
  })

  it('follows a message that arrives', () => {
    expect(idsOf(newestFirst(withMessageAt(list, 'c', 50)))).toEqual(['c', 'b', 'a'])
  })

  it('does not follow a notice that arrives late', () => {
    expect(withMessageAt(list, 'b', 35)).toEqual(list)
  })
})
