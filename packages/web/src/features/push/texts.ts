export const pushTexts = {
  row: {
    label: 'Notify when Privity is closed',
    hint: 'In this browser only, and at once. A push service shows "New message" up to once in 15 minutes until you open Privity. Follows the switches for push and message notifications.',
  },
  /** Why the switch is off although it was switched on, or cannot be switched on. */
  status: {
    unsupported: 'This browser has no push notifications. On an iPhone or iPad, add Privity to the Home Screen first.',
    unavailable: 'This server sends no push notifications.',
    forbidden: 'Your organization does not allow push notifications.',
    shared: 'Not on a shared computer: it would be notified after you have left.',
    blocked: 'Blocked by the browser. Allow notifications for this site in the address bar, then switch this on again.',
    lost: 'Off: the browser ended the notifications that you had switched on. Switch them on again.',
  },
  dialog: {
    title: 'Notify this browser when Privity is closed?',
    missed: 'A message disappeared before you read it.',
    learns:
      'The push service of this browser (Google, Mozilla, Apple or Microsoft) learns that something has arrived for it from this server, and roughly when. It does not learn from whom, or what.',
    shows: 'Whoever sees your screen reads "New message".',
    confirm: 'Switch On',
    busy: 'Switching on...',
  },
  on: 'Push notifications are on in this browser',
  off: 'Push notifications are off in this browser',
  failed: 'The notifications could not be changed',
  failedHint: 'The push service of this browser could not be reached. Try again later.',
  lost: 'Push notifications have stopped',
  lostHint: 'This browser ended them. To get them again, open Settings.',
}
