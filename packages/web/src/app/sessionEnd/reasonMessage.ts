import { sessionEndTexts as texts } from './texts.ts'

/** What the person is told; `reason` is the server's, which may be newer than this page. */
export function sessionEndSentence(reason: string): string {
  return new Map(Object.entries(texts.reasons)).get(reason) ?? texts.other
}
