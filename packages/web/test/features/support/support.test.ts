import { limits } from '@privity/contract/limits'
import { describe, expect, test } from 'vitest'
import { faqTexts } from '../../../src/features/support/faq/texts.ts'
import { fieldErrorsOf, isComplete, newDraft } from '../../../src/features/support/formState.ts'
import { supportTexts } from '../../../src/features/support/texts.ts'
import { searchFaq } from '../../../src/features/support/faq/Faq.tsx'

const { entries } = faqTexts
const questions = (text: string) => searchFaq(entries, text).map(({ question }) => question)

describe('searching the questions', () => {
  test('finds in question or answer, whatever the case', () => {
    const sample = [
      { question: 'How large can a FILE be?', answer: 'Up to 100MB.' },
      { question: 'What is a code?', answer: 'Something to give away. Not a file.' },
      { question: 'Anything else?', answer: 'No.' },
    ]
    const found = (text: string) => searchFaq(sample, text).map(({ question }) => question)
    for (const text of ['file', 'FILE', ' File '])
      expect(found(text)).toEqual(['How large can a FILE be?', 'What is a code?'])
    expect(found('100mb')).toEqual(['How large can a FILE be?'])
    expect(found('nothing of it')).toEqual([])
    expect(found('  ')).toHaveLength(3)
    expect(found('(')).toEqual([])
  })

  test('says what the specification says when nothing is found', () => {
    expect(supportTexts.faq.empty).toBe('No matching questions found. Try different keywords or contact support.')
  })
})

describe('the answers agree with the limits', () => {
  const answerTo = (text: string) => {
    const found = searchFaq(entries, text)
    return found.map(({ answer }) => answer).join(' ')
  }
  const hours = limits.retention / 3_600_000

  test.each([
    ['per file', `Up to ${limits.fileBytes / 1024 / 1024}MB per file`],
    ['download a file', `up to ${limits.downloadsPerAuthorization} downloads`],
    ['messages kept', `At most ${hours} hours`],
    [
      'account locked',
      `${limits.failedSignIns} failed sign-ins an account is locked for ${limits.lockTime / 60_000} minutes`,
    ],
    ['offline', `It is kept for ${hours} hours at most`],
  ])('%s', (text, expected) => {
    expect(questions(text).length).toBeGreaterThan(0)
    expect(answerTo(text)).toContain(expected)
  })

  test('no answer promises what deterrents cannot do', () => {
    expect(answerTo('screenshots be prevented')).toMatch(/^No\. They are deterred\./)
  })
})

describe('the form', () => {
  test('is complete with a subject and a message, not with blanks', () => {
    const draft = newDraft()
    expect(draft).toMatchObject({ priority: 'normal', category: 'general' })
    expect(isComplete(draft)).toBe(false)
    expect(isComplete({ ...draft, subject: 'x' })).toBe(false)
    expect(isComplete({ ...draft, message: 'x' })).toBe(false)
    expect(isComplete({ ...draft, subject: '  ', message: 'x' })).toBe(false)
    expect(isComplete({ ...draft, subject: 'x', message: ' y ' })).toBe(true)
    expect(newDraft().id).not.toBe(draft.id)
  })

  test('each field that the server refuses has its own sentence; other failures have none', () => {
    const refusal = (...paths: string[]) =>
      Object.assign(new Error('400'), {
        code: 'INVALID_INPUT',
        status: 400,
        sentence: 'x',
        details: paths.map((path) => ({ path, message: 'x' })),
      })
    expect(fieldErrorsOf(refusal('subject'))).toEqual({
      subject: supportTexts.form.bad.subject(limits.supportSubjectCharacters),
    })
    expect(Object.keys(fieldErrorsOf(refusal('message', 'category', 'priority')))).toEqual([
      'message',
      'category',
      'priority',
    ])
    expect(fieldErrorsOf(refusal('elsewhere'))).toEqual({})
    expect(fieldErrorsOf(Object.assign(new Error('0'), { code: 'OFFLINE', status: 0, sentence: 'x' }))).toEqual({})
    expect(fieldErrorsOf(new Error('x'))).toEqual({})
  })
})
