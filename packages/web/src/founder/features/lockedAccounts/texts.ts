import { plural } from '../../../i18n/language.ts'

export const lockedTexts = {
  title: 'Locked Accounts',
  railCount: 'locked',
  table: 'Locked accounts',
  columns: {
    username: 'Username',
    reason: 'Lock reason',
    until: 'Locked until',
    remaining: 'Remaining',
    action: 'Action',
  },
  reason: '5 failed login attempts',
  /** The lock has expired since the list was loaded. */
  ended: 'Expired',
  remaining: (minutes: number, seconds: string) => `${minutes}m ${seconds}s`,
  unlock: 'Unlock',
  unlockName: (username: string) => `Unlock ${username}`,
  loading: 'Loading locked accounts...',
  none: 'No locked accounts',
  noneHint: 'Accounts will appear here after 5 failed login attempts',
  notLoaded: 'The locked accounts could not be loaded.',
  shown: (shown: number, count: string) => `Showing the ${shown} accounts locked longest, of ${count}.`,
  unknown: (count: number) =>
    plural(count, {
      one: '1 more locked name does not belong to any user.',
      other: `${count} more locked names do not belong to any user.`,
    }),
  confirm: {
    title: (username: string) => `Unlock ${username}?`,
    hint: 'The failed-attempt counter is reset, so that they can log in again at once. Make sure that the failed attempts were theirs.',
    confirm: 'Unlock Account',
    busy: 'Processing...',
  },
  done: 'Account Unlocked',
  doneHint: (username: string) => `${username} can log in again at once.`,
  failed: 'Unlock Failed',
  failedHint: 'Failed to unlock account',
}
