/** The first problem of a file, and its place. */
export interface Problem {
  kind: 'altered' | 'missing' | 'reordered' | 'truncated' | 'otherKey'
  part: 'entry' | 'head' | 'header' | 'end' | 'row'
  /** Number of the entry, head or row. */
  number?: number
  /** Last number of the range, where only a range can be named. */
  until?: number
  /** Line of the file. */
  line: number
  sentence: string
}

/** Ends the verification: after the first problem nothing else is worth reading. */
export class Found extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.sentence)
    this.problem = problem
  }
}

const verbs = {
  altered: 'was altered',
  missing: 'is missing',
  reordered: 'is not in its place',
  truncated: 'and what follows it are cut off',
  otherKey: 'names another key than the one given',
}

const names = { entry: 'Entry', head: 'Head', row: 'Row' }

const nameOf = ({ part, number, until }: Omit<Problem, 'sentence'>): string => {
  if (part === 'header') return 'The header'
  if (part === 'end') return 'The statement at the end'
  if (until !== undefined && until !== number)
    return `One of the ${part === 'row' ? 'rows' : 'entries'} ${number ?? 0} to ${until}`
  return `${names[part]} ${number ?? 0}`
}

export function found(problem: Omit<Problem, 'sentence'>): Found {
  return new Found({ ...problem, sentence: `${nameOf(problem)} ${verbs[problem.kind]} (line ${problem.line}).` })
}
