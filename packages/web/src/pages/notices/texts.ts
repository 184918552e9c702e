import { isolating } from '../../ui/translation.ts'

export const noticeTexts = isolating({
  lostWork: 'Unsent text could not be kept',
  lostWorkHint: (count: number) =>
    count === 1
      ? 'One unsent message or draft in this browser was removed. Your keys were replaced while this browser was away, and the former key that opened it has been destroyed.'
      : `${count} unsent messages or drafts in this browser were removed. Your keys were replaced while this browser was away, and the former key that opened them has been destroyed.`,
})
