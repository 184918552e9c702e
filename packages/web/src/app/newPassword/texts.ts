import { limits } from '@privity/contract/limits'

export const newPasswordTexts = {
  strength: 'Password strength',
  words: ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'],
  tooShort: `Too short: use at least ${limits.passwordCharacters} characters.`,
  errors: {
    short: `Use at least ${limits.passwordCharacters} characters.`,
    weak: 'Choose a stronger password: it must reach Good.',
    unknown: 'The strength of the password could not be checked. Try again.',
  },
}
