import { auditTexts } from './texts.ts'

/** What an action is called here: its own words, or its name with spaces, for a newer server knows more of them. */
export function actionWords(action: string): string {
  const known: Readonly<Record<string, string>> = auditTexts.actions
  if (Object.hasOwn(known, action)) return known[action] ?? action
  const words = action.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
