import { sessionEndTexts as texts } from './texts.ts'

/** The message for a reason. A newer server may send a reason that this page does not know. */
export function sessionEndSentence(reason: string): string {
  return new Map(Object.entries(texts.reasons)).get(reason) ?? texts.other
}
