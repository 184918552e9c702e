/** A tracked file: its path from the root of the repository, and its text. */
export interface SourceFile {
  path: string
  text: string
}

const isCode = (path: string) => /\.(ts|tsx|mjs)$/.test(path)
const isSource = (path: string) => /\.(ts|tsx|mjs|css)$/.test(path)
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
const isTest = (path: string) => /(^|\/)test\//.test(path)

/** A folder of packages/ holds at most 20 source files, one of tests at most 25. */
export function findFullFolders(files: readonly SourceFile[]): string[] {
  const sources = files.filter(({ path }) => path.startsWith('packages/') && isSource(path))
  return [...Map.groupBy(sources, ({ path }) => folderOf(path))]
    .filter(([folder, inside]) => inside.length > (isTest(`${folder}/`) ? 25 : 20))
    .map(([folder, inside]) => `${folder}: ${inside.length} files`)
}

/** At most 250 TypeScript files outside tests have fewer than 30 lines; beyond that, all of them are returned. */
export function findSmallFiles(files: readonly SourceFile[]): string[] {
  const small = files
    .filter(({ path }) => /\.tsx?$/.test(path) && !isTest(path) && !path.endsWith('.spec.ts'))
    .filter(({ text }) => text.trimEnd().split('\n').length < 30)
  return small.length > 250 ? small.map(({ path }) => path) : []
}

/** The text of each comment; lines that begin with // and follow each other are one. */
function commentsOf({ path, text }: SourceFile): string[] {
  const blocks = [...text.matchAll(/(?<=^|\s)\/\*\*?(.*?)\*\//gs)].map(([, body = '']) => body)
  const lines = path.endsWith('.css') ? [] : [...text.matchAll(/(?:^[ \t]*\/\/.*\n)+/gm)].map(([body]) => body)
  return [...blocks, ...lines].map((body) =>
    body
      .replaceAll(/^\s*(\*|\/\/)/gm, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

const refusedStart = /^(What|Who|Whoever|Whom|Whose|Of|As many|So that)\b/
const refusedPronoun = /\b(he|his|him|himself)\b/i

/** A person is "they" in comments, strings, test names and documents alike; this check itself names the others. */
export function findPronouns(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !path.startsWith('scripts/test/houseRules'))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (refusedPronoun.test(line) ? [`${path}:${index + 1}`] : [])),
    )
}

/** A comment begins with its subject, and a person is "they". */
export function findRefusedComments(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isSource(path))
    .flatMap((file) =>
      commentsOf(file)
        .filter((comment) => refusedStart.test(comment) || refusedPronoun.test(comment))
        .map((comment) => `${file.path}: ${comment.slice(0, 80)}`),
    )
}

/** Lines of comments and of documents are at most 120 columns wide; a table, a link or a command may not be broken. */
export function findWideLines(files: readonly SourceFile[]): string[] {
  const isProse = ({ path }: SourceFile, line: string) =>
    path.endsWith('.md')
      ? !/^\s*\||^\s*\[|https?:\/\/|^ {4}|^\s*- `[^`]{90,}`/.test(line)
      : /^\s*(\/\/|\/?\*)/.test(line)
  return files
    .filter(({ path }) => isSource(path) || path.endsWith('.md'))
    .flatMap((file) =>
      file.text
        .split('\n')
        .flatMap((line, index) => (line.length > 120 && isProse(file, line) ? [`${file.path}:${index + 1}`] : [])),
    )
}

const testTitle = /\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])+)\1,\s*(?:async\b|\(|\{|\w+\))/g

/** The name of a test, or of a group of tests, is one claim of at most 90 characters. */
export function findLongTestNames(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isCode(path) && (isTest(path) || path.startsWith('e2e/')))
    .flatMap(({ path, text }) =>
      [...text.matchAll(testTitle)]
        .map(([, , title = '']) => title)
        .filter((title) => title.length > 90)
        .map((title) => `${path}: ${title}`),
    )
}

/** Nouns that look like participles. */
const nouns = new Set([
  'monitoring',
  'landing',
  'sorting',
  'timing',
  'spelling',
  'keyring',
  'xwing',
  'tampering',
  'feed',
])
const adjectives = new Set([
  'alone',
  'beside',
  'alive',
  'known',
  'seen',
  'held',
  'kept',
  'late',
  'later',
  'own',
  'gone',
])

/** A file is named by a noun: no participle, no adjective. */
export function findRefusedFileNames(files: readonly SourceFile[]): string[] {
  return files
    .map(({ path }) => path)
    .filter((path) => path.startsWith('packages/') && isCode(path))
    .filter((path) => {
      const [name = ''] = path.slice(path.lastIndexOf('/') + 1).split('.')
      return !nouns.has(name) && (/^[a-z]+(ing|ed)$/.test(name) || adjectives.has(name))
    })
}

/** A verb alone does not say what it does to what. */
const bareVerbs = new Set(
  'ask bring carry check do drop enter find get give go hear hold keep let look make mark pass place put raise say see set settle show take tell turn use want'.split(
    ' ',
  ),
)

/** An exported function is a verb with its object. */
export function findBareVerbs(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('packages/') && isCode(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:function\*?|const) (\w+)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => bareVerbs.has(name))
        .map((name) => `${path}: ${name}`),
    )
}

/** A decision is numbered without gaps and begins with `# 001: The choice`, its date and status, and the context. */
export function findDecisionsWithoutHead(files: readonly SourceFile[]): string[] {
  const decisions = files.filter(({ path }) => path.startsWith('docs/decisions/') && path.endsWith('.md'))
  const isNumbered = ({ path }: SourceFile, index: number) =>
    path.startsWith(`docs/decisions/${String(index + 1).padStart(3, '0')}-`)
  return decisions
    .filter(
      (file, index) =>
        !isNumbered(file, index) ||
        !/^# \d{3}: \S.*\n\nDate: \d{4}-\d\d-\d\d\. Status: .*\n\n\*\*Context\.\*\*/.test(file.text),
    )
    .map(({ path }) => path)
}

/** A subject is `area: verb object` of at most 72 characters, with one word as area. */
export const findRefusedSubjects = (subjects: readonly string[]): string[] =>
  subjects.filter((subject) => subject.length > 72 || !/^[a-z0-9][a-z0-9-]*: [a-z]\S* \S/.test(subject))

/** The subjects of commit messages that say nothing of the reason in a body. */
export const findCommitsWithoutBody = (messages: readonly string[]): string[] =>
  messages.map((message) => message.trim()).filter((message) => !/\n\n\S/.test(message))
