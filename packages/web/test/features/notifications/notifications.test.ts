import type { Client, NotificationPage } from '@privity/client'
import { limits } from '@privity/contract/limits'
import type { Notification } from '@privity/contract/notifications'
import { describe, expect, it } from 'vitest'
import { queryClient } from '../../../src/app/queryClient.ts'
import {
  addNotification,
  notificationsQuery,
  withNotification,
  withoutCleared,
  withRead,
} from '../../../src/features/notifications/queries.ts'
import {
  type AnnouncedEvent,
  type TabState,
  waysOf,
  type NotificationPreferences,
} from '../../../src/features/notifications/announcements/channels.ts'
import { wordsOf } from '../../../src/features/notifications/notificationText.ts'

const all: NotificationPreferences = {
  messageNotifications: true,
  connectionNotifications: true,
  soundEnabled: true,
  pushNotifications: true,
}
const here: TabState = { visible: true, viewing: false, permission: 'granted' }
const away: TabState = { visible: false, viewing: false, permission: 'granted' }
const nothing = { toast: false, sound: false, browser: false }

describe('how something new is told', () => {
  it('is in the page where it is seen, and by the browser where it is not', () => {
    expect(waysOf('message', all, here)).toEqual({ toast: true, sound: true, browser: false })
    expect(waysOf('message', all, away)).toEqual({ toast: false, sound: true, browser: true })
  })

  it('is not at all for a message on the screen, but is when the page is out of sight', () => {
    expect(waysOf('message', all, { ...here, viewing: true })).toEqual(nothing)
    expect(waysOf('message', all, { ...away, viewing: true })).toMatchObject({ browser: true })
    expect(waysOf('file_requested', all, { ...here, viewing: true })).toMatchObject({ toast: true })
  })

  it.each([
    ['message', 'messageNotifications'],
    ['file_requested', 'messageNotifications'],
    ['file_decided', 'messageNotifications'],
    ['connection_created', 'connectionNotifications'],
    ['connection_requested', 'connectionNotifications'],
  ] as const)('%s follows %s', (news, wish) => {
    for (const place of [here, away]) {
      expect(waysOf(news, { ...all, [wish]: false }, place)).toEqual(nothing)
      expect(waysOf(news, all, place)).not.toEqual(nothing)
    }
  })

  it('is always in the page where the safety of the account is concerned', () => {
    const none = { ...all, messageNotifications: false, connectionNotifications: false }
    const safety = ['signed_in', 'key_changed', 'second_factor_reset', 'account_changed', 'account_locked'] as const
    for (const news of safety satisfies readonly AnnouncedEvent[]) expect(waysOf(news, none, here).toast).toBe(true)
  })

  it('has a tone only with sounds on, and the browser only with its own setting and permission', () => {
    expect(waysOf('message', { ...all, soundEnabled: false }, here)).toEqual({ ...nothing, toast: true })
    expect(waysOf('message', { ...all, pushNotifications: false }, away)).toEqual({ ...nothing, sound: true })
    for (const permission of ['default', 'denied', 'unsupported'] as const)
      expect(waysOf('message', all, { ...away, permission }).browser).toBe(false)
  })
})

const who = { id: 'h', firstName: 'Helen', lastName: 'Whitford' }
const notice = (id: string, read = false): Notification => ({
  kind: 'connection_created',
  id,
  createdAt: 0,
  read,
  connectionId: 'c',
  who,
})

describe('the loaded list', () => {
  const page = { notifications: [notice('2'), notice('1', true)], unread: 1, more: false }

  it('takes a new one in once, and counts it unless it is read', () => {
    const after = withNotification(page, notice('3'))
    expect(after.notifications.map(({ id }) => id)).toEqual(['3', '2', '1'])
    expect(after.unread).toBe(2)
    expect(withNotification(after, notice('3'))).toBe(after)
    expect(withNotification(page, notice('3', true)).unread).toBe(1)
  })

  it('keeps what cannot be removed when it is cleared, and what came since', () => {
    const change: Notification = { kind: 'second_factor_reset', id: '1', createdAt: 0, read: true }
    const loaded = { notifications: [notice('3'), notice('2'), change], unread: 2, more: false }
    expect(withoutCleared(loaded, '2', limits.accountChangeKept - 1, 1)).toEqual({
      notifications: [notice('3'), change],
      unread: 1,
      more: false,
    })
    expect(withoutCleared(loaded, '2', limits.accountChangeKept, 1).notifications).toEqual([notice('3')])
  })

  it('marks some or all as read, with the count that the server gave', () => {
    expect(withRead(page, ['2'], 7)).toMatchObject({ notifications: [{ read: true }, { read: true }], unread: 7 })
    expect(withRead(page, ['9'], 1)).toEqual(page)
    expect(withRead(page, undefined, 0).notifications.every(({ read }) => read)).toBe(true)
  })
})

describe('words', () => {
  const file = { id: '1', createdAt: 0, read: false, connectionId: 'c', who, filePath: '/objects/1' }

  it('name a file only where this browser has opened its name', () => {
    expect(wordsOf({ kind: 'file_requested', ...file }).title).toBe('Helen Whitford requests a file')
    expect(wordsOf({ kind: 'file_requested', ...file }, 'plan.pdf').title).toBe('Helen Whitford requests plan.pdf')
  })

  it.each([
    ['approved', 'Helen Whitford approved your request for plan.pdf'],
    ['denied', 'Helen Whitford denied your request for plan.pdf'],
    ['revoked', 'Helen Whitford revoked the approval for plan.pdf'],
  ] as const)('say what was decided: %s', (decision, title) => {
    expect(wordsOf({ kind: 'file_decided', decision, ...file }, 'plan.pdf').title).toBe(title)
  })

  it('say what to do about a sign-in and a changed key', () => {
    const shared = { id: '1', createdAt: 0, read: false, sessionId: 's', current: false }
    const signedIn = { kind: 'signed_in', failures: 0, ...shared } as const
    const words = wordsOf({ ...signedIn, device: 'Firefox on Linux', address: '10.0.0.7' })
    expect(words).toEqual({
      title: 'New sign-in: Firefox on Linux',
      hint:
        'From 10.0.0.7. If this was not you, sign out that session, ' +
        'and change your password with “I may have been compromised”.',
    })
    const after = { ...signedIn, failures: 3, device: 'Firefox on Linux', address: '10.0.0.7' }
    expect(wordsOf(after).hint).toBe(`3 failed sign-ins before this one. ${words.hint}`)
    const own = { ...signedIn, current: true, device: 'Firefox on Linux', address: '10.0.0.7' }
    expect(wordsOf(own).hint).toBe('This browser, from 10.0.0.7.')
    expect(wordsOf({ ...notice('1'), kind: 'key_changed' } as Notification).hint).toContain('Compare safety numbers')
  })

  it('say what to do about another browser in one session', () => {
    const shared = {
      id: '1',
      createdAt: 0,
      read: false,
      current: false,
      device: 'Firefox on Linux',
      address: '10.0.0.7',
    }
    expect(wordsOf({ kind: 'account_changed', change: 'session_shared', ...shared })).toEqual({
      title: 'Another browser uses one of your sessions',
      hint:
        'Firefox on Linux, from 10.0.0.7. If you have not cleared your browser’s data, someone may use a copy of it: ' +
        'remove the browser that you do not know and change your password.',
    })
  })
})

it('one that comes while the list is under way is in it, however old the answer is', async () => {
  const late = { id: 'late', read: false } as Notification
  const page = (...notifications: Notification[]): NotificationPage =>
    ({ notifications, unread: notifications.length, older: false }) as unknown as NotificationPage
  const answers = [page(), page(late)]
  const list = async () => {
    const answer = answers.shift()
    if (answers.length === 1) addNotification(late)
    return answer
  }
  const client = { notifications: { list } } as unknown as Client
  expect(await queryClient.fetchQuery(notificationsQuery(client))).toMatchObject({ notifications: [late], unread: 1 })
  queryClient.clear()
})
