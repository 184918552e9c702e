import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const texts = `${root}packages/web/src/`
const read = (path: string) => readFileSync(path, 'utf8')

/** List items of the page that start with a file; a long item continues in indented lines. */
const listed = [...read(`${root}docs/claims.md`).matchAll(/^- `([^`]+)`: (.+(?:\n {2}.+)*)$/gm)].map(
  ([, file = '', words = '']) => ({ file, words: words.replace(/\n +/g, ' ') }),
)
const readme = 'README.md'
const threatModel = 'docs/threat-model.md'
const isPage = (file: string) => file === readme || file === threatModel
const isText = ({ file }: { file: string }) => isPage(file) || file.endsWith('texts.ts')
const sentences = listed.filter(isText)
const tests = listed.filter((line) => !isText(line))

/** Words of a security promise. */
const promise =
  /encrypt|sealed|\bnever\b|nobody|24 hours|\$\{lifetime|destroy|erase|\bcannot\b|logged\b|audit log|signed out|at once|\bgone\b|\bonly\b|shown once|(works?|signs in) once|stops? working|no longer|any more|\bprove/i

/** For pages instead of screens, some further verbs are promises. */
const promiseOfPage = new RegExp(`${promise.source}|leaves nothing|holds nothing`, 'i')

/** Lines of a text file that contain a promise. */
const promisesOf = (source: string): string[] =>
  source
    .split('\n')
    .filter((line) => !/^\s*(\/\*\*|\/\/|\*)/.test(line))
    .filter((line) => promise.test(line) && line.includes('.') && line.trim().split(' ').length > 5)

/** Sentences of a Markdown page without headings, tables and code, each on one line. */
function sentencesOf(markdown: string): string[] {
  return markdown
    .replace(/^```[^]*?^```/gm, '')
    .split(/\n(?=\n|- |#|\|)/)
    .filter((block) => !/^\s*[#|!]/.test(block))
    .map((block) =>
      block
        .replaceAll('**', '')
        .replace(/^\s*- /, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .flatMap((block) => block.split(/(?<=[.!?:]) (?=[A-Z0-9])/))
}

const said = (file: string) =>
  isPage(file) ? sentencesOf(read(`${root}${file}`)).join('\n') : read(`${texts}${file}`).replaceAll("\\'", "'")

test.each(sentences)('$file still says: $words', ({ file, words }) => {
  expect(said(file)).toContain(words)
})

test.each(tests)('$file has the test: $words', ({ file, words }) => {
  expect(read(`${root}${file}`)).toContain(words)
})

test.each(globSync('**/texts.ts', { cwd: texts }))('%s promises nothing that is not listed', (file) => {
  const known = sentences.filter((sentence) => sentence.file === file).map(({ words }) => words)
  const missing = promisesOf(read(`${texts}${file}`)).filter((line) => !known.some((words) => line.includes(words)))
  expect(missing).toEqual([])
})

test('README.md promises nothing that is not listed', () => {
  const known = sentences.filter(({ file }) => file === readme).map(({ words }) => words)
  const promised = sentencesOf(read(`${root}${readme}`)).filter((sentence) => promiseOfPage.test(sentence))
  expect(promised.length).toBeGreaterThan(15)
  expect(promised.filter((sentence) => !known.includes(sentence))).toEqual([])
})

/** Paragraphs of the threat model, by their first words, whose sentences must all be listed. */
const wholeParagraphs = ['Changes to your account', 'Session timeout']

test.each(wholeParagraphs)('the threat model promises nothing about "%s" that is not listed', (heading) => {
  const paragraph = read(`${root}${threatModel}`)
    .split('\n\n')
    .find((block) => block.startsWith(`**${heading}.**`))
  const [title, ...promised] = sentencesOf(paragraph ?? '')
  expect(title).toBe(`${heading}.`)
  expect(promised.length).toBeGreaterThan(3)
  const known = sentences.filter(({ file }) => file === threatModel).map(({ words }) => words)
  expect(promised.filter((sentence) => !known.includes(sentence))).toEqual([])
})

test('a promise that nobody lists is found', () => {
  const page =
    '# Never\n\nIt is fast. **Nobody** reads\nalong, whoever they are.\n\n| never | ever |\n\n```\nnobody here\n```\n'
  expect(sentencesOf(page).filter((sentence) => promiseOfPage.test(sentence))).toEqual([
    'Nobody reads along, whoever they are.',
  ])
  expect(promisesOf("  lead: 'Nobody can ever read what you write here.',")).toHaveLength(1)
  expect(promisesOf('/** Nobody can ever read what you write here. */')).toEqual([])
})
