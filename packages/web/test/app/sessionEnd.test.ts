import { afterEach, expect, test, vi } from 'vitest'
import { sessionEndSentence } from '../../src/app/screens/SessionEndNotice.tsx'
import { sessionEndTexts } from '../../src/app/screens/texts.ts'
import { createTabText } from '../../src/browser/sessionStorageText.ts'

afterEach(() => vi.unstubAllGlobals())

function stubStorage(): Map<string, string> {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  return kept
}

test('every reason has its own sentence, and who can sign in no more is not told to', () => {
  const sentences = Object.keys(sessionEndTexts.reasons).map(sessionEndSentence)
  expect(new Set(sentences).size).toBe(sentences.length)
  expect(sessionEndSentence('deleted')).toBe('An administrator deleted your account.')
  expect(sessionEndSentence('deleted')).not.toContain('Sign in')
  expect(sessionEndSentence('keys_not_opened')).toMatch(/could not open the new keys\. Sign in/)
  expect(sessionEndSentence('role_org_admin')).toBe('An administrator changed your role to Admin. Sign in again.')
})

test.each(['of a newer server', 'toString', '__proto__', ''])(
  'a reason that is not known (%s) is not shown',
  (reason) => {
    expect(sessionEndSentence(reason)).toBe(sessionEndTexts.other)
  },
)

test('what a tab keeps is there after a reload, until it is taken away', () => {
  const kept = stubStorage()
  const text = createTabText('name')
  const heard = vi.fn<() => void>()
  text.subscribe(heard)
  text.set('one')
  expect([text.get(), createTabText('name').get(), createTabText('other').get()]).toEqual(['one', 'one', undefined])
  text.set(undefined)
  expect([text.get(), createTabText('name').get(), kept.size]).toEqual([undefined, undefined, 0])
  expect(heard).toHaveBeenCalledTimes(2)
})

test('where the storage is closed, it is kept until the page is left', () => {
  const refuse = () => {
    throw new DOMException('closed', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  const text = createTabText('name')
  text.set('one')
  expect(text.get()).toBe('one')
  text.set(undefined)
  expect(text.get()).toBeUndefined()
})
