import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  findBareVerbs,
  findCommitsWithoutBody,
  findDecisionsWithoutHead,
  findFullFolders,
  findLongTestNames,
  findPronouns,
  findRefusedComments,
  findRefusedFileNames,
  findRefusedSubjects,
  findSmallFiles,
  findWideLines,
  type SourceFile,
} from './houseRules.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd().split('\n')

const files: SourceFile[] = git('ls-files', '*.ts', '*.tsx', '*.mjs', '*.css', '*.md')
  .toSorted()
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const planted = (path: string, text: string): SourceFile[] => [{ path, text }]
const many = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `${folder}/file${index}.ts`, text: '' }))

describe('the house', () => {
  test('no folder holds more source files than a reader takes in', () => {
    expect(findFullFolders(files)).toEqual([])
  })
  test('no more than 250 files are small', () => {
    expect(findSmallFiles(files)).toEqual([])
  })
  test('no comment begins with a refused word or takes a person for a man', () => {
    expect(findRefusedComments(files)).toEqual([])
  })
  test('no text takes a person for a man', () => {
    expect(findPronouns(files)).toEqual([])
  })
  test('no comment or document is wider than 120 columns', () => {
    expect(findWideLines(files)).toEqual([])
  })
  test('no name of a test is longer than 90 characters', () => {
    expect(findLongTestNames(files)).toEqual([])
  })
  test('every file is named by a noun', () => {
    expect(findRefusedFileNames(files)).toEqual([])
  })
  test('no exported function is a verb alone', () => {
    expect(findBareVerbs(files)).toEqual([])
  })
  test('every decision has its number, its title and its head', () => {
    expect(findDecisionsWithoutHead(files)).toEqual([])
  })
  test('the newest commits have subjects of the form `area: verb object`', () => {
    expect(findRefusedSubjects(git('log', '-20', '--no-merges', '--format=%s'))).toEqual([])
  })
  test('the newest commits say why in their bodies', () => {
    const messages = git('log', '-20', '--no-merges', '--format=%B%x00').join('\n').split('\0')
    expect(findCommitsWithoutBody(messages.slice(0, -1))).toEqual([])
  })
})

describe('a planted violation is found', () => {
  test('a folder with 21 source files, or with 26 of tests', () => {
    const full = [...many('packages/a/src', 21), ...many('packages/a/test/b', 26)]
    expect(findFullFolders(full)).toEqual(['packages/a/src: 21 files', 'packages/a/test/b: 26 files'])
    expect(findFullFolders([...many('packages/a/src', 20), ...many('packages/a/test/b', 25)])).toEqual([])
  })
  test('the 251st small file', () => {
    const small = many('packages/a/src', 251)
    expect(findSmallFiles(small)).toHaveLength(251)
    const others = [...many('packages/a/test', 9), ...planted('packages/a/src/long.ts', 'line\n'.repeat(30))]
    expect(findSmallFiles([...small.slice(1), ...others])).toEqual([])
  })
  test.each(['What it does.', 'Whom it concerns.', 'As many as there are.', 'Then he signs.'])(
    'a comment: %s',
    (words) => {
      for (const text of [`/** ${words} */\n`, `// ${words}\n`, `/**\n * ${words}\n */\n`])
        expect(findRefusedComments(planted('packages/a/src/b.ts', text))).toHaveLength(1)
    },
  )
  test('a pronoun in a string, a test name or a document', () => {
    expect(findPronouns(planted('packages/a/src/b.ts', "const said = 'Ask him.'\n"))).toEqual(['packages/a/src/b.ts:1'])
    expect(findPronouns(planted('e2e/journeys/b.spec.ts', "test('he signs', () => {})"))).toHaveLength(1)
    expect(findPronouns(planted('docs/a.md', 'Title\n\nThe founder and his key.'))).toEqual(['docs/a.md:3'])
    expect(findPronouns(planted('docs/a.md', 'They sign with their key. The theme is here.'))).toEqual([])
  })
  test('a comment that begins with its subject is fine', () => {
    expect(findRefusedComments(planted('packages/a/src/b.ts', '// Returns what they sent.\n'))).toEqual([])
  })
  test('a wide line of a comment or a document', () => {
    const wide = 'word '.repeat(30)
    expect(findWideLines(planted('packages/a/src/b.ts', `// ${wide}`))).toEqual(['packages/a/src/b.ts:1'])
    expect(findWideLines(planted('docs/a.md', `Title\n${wide}`))).toEqual(['docs/a.md:2'])
  })
  test.each(['test(', 'describe(', 'test.each([1])(', 'test.skipIf(true)(', 'test(\n  '])(
    'a long name in %s',
    (call) => {
      const inTest = (title: string) => planted('packages/a/test/b.test.ts', `${call}'${title}', async () => {})\n`)
      expect(findLongTestNames(inTest('claim '.repeat(15)))).toEqual([])
      expect(findLongTestNames(inTest(`${'claim '.repeat(15)}!`))).toHaveLength(1)
    },
  )
  test.each(['sending', 'missed', 'alone'])('a file named %s.ts', (name) => {
    expect(findRefusedFileNames(planted(`packages/a/src/${name}.ts`, ''))).toHaveLength(1)
  })
  test('an exported verb without its object', () => {
    const text = 'export function take() {}\nexport const tell = () => {}\nexport const takeCode = () => {}\n'
    expect(findBareVerbs(planted('packages/a/src/b.ts', text))).toHaveLength(2)
  })
  test('a decision without number or head', () => {
    expect(
      findDecisionsWithoutHead(
        planted(
          'docs/decisions/002-a.md',
          '# 002: A choice\n\nDate: 2026-11-24. Status: accepted.\n\n**Context.** It is.',
        ),
      ),
    ).toHaveLength(1)
    expect(findDecisionsWithoutHead(planted('docs/decisions/001-a.md', 'A choice'))).toHaveLength(1)
  })
  test.each(['Mend things', 'server: Mend', 'x', 'client, web: mend things', `server: mend ${'very '.repeat(20)}much`])(
    'a subject: %s',
    (subject) => {
      expect(findRefusedSubjects([subject])).toEqual([subject])
    },
  )
  test('a commit without a body', () => {
    expect(findCommitsWithoutBody(['server: mend it\n', 'server: mend it\n\nThe reason.\n'])).toEqual([
      'server: mend it',
    ])
  })
})
