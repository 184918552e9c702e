import { isolating } from '../../ui/translation.ts'

export const trustTexts = isolating({
  verified: 'Verified',
  unverified: 'Not verified',
  linked: 'Confirmed by link',
  changed: 'Key changed',
  pausedTitle: (firstName: string) => `Sending to ${firstName} is paused.`,
  pausedHint: 'You found that the safety numbers do not match.',
  resume: 'Resume sending',
  resumed: (firstName: string) => `Sending to ${firstName} has resumed`,
  saveFailed: 'This could not be saved',
  changedAlert: (firstName: string) => `${firstName}'s key has changed.`,
  changedHint: 'Sending is stopped until you review it.',
  review: 'Review',
})
