import { createElement, type ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { shownOrganization } from '../../src/founder/console/userFilter.ts'
import { Moderation } from '../../src/founder/features/moderation/Moderation.tsx'
import { Monitoring } from '../../src/founder/features/monitoring/Monitoring.tsx'
import { FactorAdvice } from '../../src/founder/features/security/FactorPanel.tsx'
import { factorQuery } from '../../src/founder/features/security/queries.ts'
import { UserManagement } from '../../src/founder/features/users/UserManagement.tsx'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))

const uuid = (at: number) => `01900000-0000-7000-8000-0000000000${10 + at}`

/** Renders the section with this response in the cache. */
function drawn(Section: ComponentType, key: readonly unknown[], answer: unknown): string {
  const client = new QueryClient()
  client.setQueryData(key, answer)
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(Section)))
}

test('whom the password alone lets in is told so in one line, and nobody else', () => {
  const advice = (since: number | null) => drawn(FactorAdvice, factorQuery.queryKey, { since, recoveryCodesLeft: 0 })
  expect(advice(null)).toContain('The password alone opens this console.')
  expect(advice(null)).toContain('<a href="#security">Set up two-factor authentication</a>')
  expect(advice(5)).toBe('')
  expect(drawn(FactorAdvice, ['something else'], 1)).toBe('')
})

test('the health is GOOD until the first answer, and then what it says', () => {
  const [unknown, counts] = [drawn(Monitoring, ['something else'], 1), { activeUsers: 1, activeSessions: 1 }]
  expect(unknown).toContain('System Health: GOOD')
  expect(unknown).not.toContain('Updated')
  const answer = { ...counts, systemHealth: 'critical', healthProblems: ['database'], recentEvents: [] }
  const known = drawn(Monitoring, ['/api/founder/realtime-stats'], {
    ...answer,
    ...{ messagesLast24h: 1, connectionsLast24h: 1, flaggedMessagesCount: 0, lockedAccountsCount: 0 },
  })
  expect(known).toContain('System Health: CRITICAL')
  expect(known).not.toContain('System Health: GOOD')
  expect(known).toMatch(/Updated \d+ s ago/)
})

test('the list of users is asked for ten at a time, and leads on', () => {
  const users = Array.from({ length: 10 }, (_, at) => ({
    id: uuid(at),
    username: `user.${at}`,
    firstName: 'Karl',
    lastName: 'Abara',
    email: `user.${at}@example.com`,
    role: 'user',
    isActive: true,
    suspended: false,
    createdAt: 1,
    hasSecondFactor: false,
    organization: { id: uuid(50), name: 'Chambers' },
  }))
  const query = { limit: 10, sort: 'name', direction: 'asc' }
  const list = drawn(UserManagement, ['/api/founder/users', query], { users, total: 11, more: false, next: 'the end' })
  expect(list).toContain('Delete user.9')
  expect(list).toContain('Next')
})

test('the chosen organization keeps the list of users to it', () => {
  const organization = uuid(50)
  shownOrganization.set(organization)
  const query = { limit: 10, sort: 'name', direction: 'asc', organization }
  const answer = { users: [], total: 0, more: false, next: null }
  expect(drawn(UserManagement, ['/api/founder/users', query], answer)).toContain('This organization has no members.')
  shownOrganization.set('')
})

test('flagged messages are ten at a time, and one more says that there are others', () => {
  const flag = (at: number): FlaggedMessage => ({
    id: uuid(at),
    kind: 'automatic',
    content: 'encrypted',
    flagReason: 'Rapid sending: 20 messages within 60 seconds',
    flaggedAt: 5,
    sender: { id: uuid(at), username: `sender.${at}`, firstName: 'Karl', lastName: 'Abara' },
    messageId: uuid(at),
    sentAt: 4,
    expiresAt: 9,
  })
  const list = (count: number) =>
    drawn(
      Moderation,
      ['/api/founder/flagged-messages', { limit: 11 }],
      Array.from({ length: count }, (_, at) => flag(at)),
    )
  expect(list(11)).toContain('@sender.9')
  expect(list(11)).not.toContain('@sender.10')
  expect(list(11)).toContain('Next')
  expect(list(10)).not.toContain('Next')
})
