import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isLanguageAnswered, keepLanguageAnswer } from '../../src/app/preferences/languageAnswer.ts'

const clientOf = (isShared: boolean) =>
  ({ account: { isTransient: () => isShared } }) as Parameters<typeof keepLanguageAnswer>[0]

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the question for the language is answered once for each member of a browser', () => {
  keepLanguageAnswer(clientOf(false), 'anna')
  expect(isLanguageAnswered(clientOf(false), 'anna')).toBe(true)
  expect(isLanguageAnswered(clientOf(false), 'ben')).toBe(false)
})

test('a shared computer keeps no answer, and so is not asked', () => {
  keepLanguageAnswer(clientOf(true), 'anna')
  expect([...stored]).toEqual([])
  expect(isLanguageAnswered(clientOf(true), 'anna')).toBe(true)
})
