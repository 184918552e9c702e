import { expect, test } from 'vitest'
import { type PushStatus, statusOf } from '../../../src/features/push/browserPush.ts'

const [available, endpoint] = ['available' as const, 'https://fcm.googleapis.com/push/a']
const on = { availability: available, choice: 'on' as const, endpoint }
const granted = { permission: 'granted' as const, endpoint, isShared: false }

test.each<[string, Parameters<typeof statusOf>, PushStatus]>([
  ['switched on', [on, granted], 'on'],
  ['never switched on', [{ ...on, choice: null, endpoint: null }, granted], 'off'],
  ['switched off', [{ ...on, choice: 'off', endpoint: null }, granted], 'off'],
  ['on, and gone at the server', [{ ...on, endpoint: null }, granted], 'lost'],
  ['on, and gone in the browser', [on, { ...granted, endpoint: null }], 'lost'],
  ['on, and renewed by the browser', [on, { ...granted, endpoint: `${endpoint}b` }], 'lost'],
  [
    'gone on both sides',
    [
      { ...on, endpoint: null },
      { ...granted, endpoint: null },
    ],
    'lost',
  ],
  ['on without the permission', [on, { ...granted, permission: 'default' }], 'lost'],
  ['on where the permission was withdrawn', [on, { ...granted, permission: 'denied' }], 'blocked'],
  ['in a browser without it', [on, { ...granted, permission: 'unsupported', endpoint: null }], 'unsupported'],
  ['on a shared computer', [on, { ...granted, isShared: true }], 'shared'],
  ['at a server without it', [{ ...on, availability: 'unavailable' }, granted], 'unavailable'],
  ['in an organization without it', [{ ...on, availability: 'forbidden' }, granted], 'forbidden'],
])('%s', (_, given, status) => {
  expect(statusOf(...given)).toBe(status)
})
