import { isolating } from '../../../ui/translation.ts'

export const quoteTexts = isolating({
  you: 'You',
  deleted: 'Message deleted',
  replyTo: (name: string) => `Reply to: ${name}`,
  removeQuote: 'Remove quote',
  quotedBy: (name: string) => `Quoted by: ${name}`,
  quoteExpired: 'The quoted message has disappeared',
})
