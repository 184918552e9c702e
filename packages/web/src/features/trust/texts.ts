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
  unmet: (firstName: string) => `This browser meets ${firstName} for the first time.`,
  unmetWhy: (firstName: string) =>
    `It has no earlier key to compare with: the server could show another one than ${firstName}'s.`,
  compare: 'Compare',
  continue: 'Continue',
  met: (firstName: string) => `You can write to ${firstName}`,
  renamed: (before: string, now: string) => `${before} is now called ${now}.`,
  renamedWhy: 'Is this still the person whom you verified?',
  keepVerified: 'Keep verified',
  kept: (firstName: string) => `${firstName} stays verified`,
  verifyAgain: 'Verify again',
})
