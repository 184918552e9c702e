import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const texts = `${root}packages/web/src/`
const read = (path: string) => readFileSync(path, 'utf8')

/** The lines of the page that begin with a file. */
const listed = [...read(`${root}docs/claims.md`).matchAll(/^- `([^`]+)`: (.+)$/gm)].map(
  ([, file = '', words = '']) => ({
    file,
    words,
  }),
)
const isText = ({ file }: { file: string }) => file.endsWith('texts.ts')
const sentences = listed.filter(isText)
const tests = listed.filter((line) => !isText(line))

/** What a promise about security sounds like. */
const promise =
  /encrypt|sealed|\bnever\b|nobody|24 hours|destroy|erase|\bcannot\b|logged\b|audit log|signed out|at once|\bgone\b|\bonly\b|shown once|(works?|signs in) once|stops? working|no longer|any more|\bprove/i

/** The lines of a file of texts in which a sentence promises something. */
const promisesOf = (source: string): string[] =>
  source
    .split('\n')
    .filter((line) => !/^\s*(\/\*\*|\/\/|\*)/.test(line))
    .filter((line) => promise.test(line) && line.includes('.') && line.trim().split(' ').length > 5)

test.each(sentences)('$file still says: $words', ({ file, words }) => {
  expect(read(`${texts}${file}`).replaceAll("\\'", "'")).toContain(words)
})

test.each(tests)('$file has the test: $words', ({ file, words }) => {
  expect(read(`${root}${file}`)).toContain(words)
})

test.each(globSync('**/texts.ts', { cwd: texts }))('%s promises nothing that is not listed', (file) => {
  const known = sentences.filter((sentence) => sentence.file === file).map(({ words }) => words)
  const missing = promisesOf(read(`${texts}${file}`)).filter((line) => !known.some((words) => line.includes(words)))
  expect(missing).toEqual([])
})

test('a promise that nobody lists is found', () => {
  expect(promisesOf("  lead: 'Nobody can ever read what you write here.',")).toHaveLength(1)
  expect(promisesOf('/** Nobody can ever read what you write here. */')).toEqual([])
})
