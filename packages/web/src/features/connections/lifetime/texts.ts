import { isolating } from '../../../ui/translation.ts'

export const lifetimeTexts = isolating({
  title: 'Messages disappear after',
  hint: 'Applies to both of you, for messages and files sent from now on.',
  button: (time: string) => `Messages disappear after ${time}. Change`,
  changed: (name: string, time: string) => `${name} set messages to disappear after ${time}`,
  changedHint: 'Messages that were sent before keep their time.',
  saved: (time: string) => `Messages disappear after ${time}`,
  failed: 'The time was not changed',
  failedHint: 'Try again.',
})
