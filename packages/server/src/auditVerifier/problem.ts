/** What is wrong first, and where. */
export interface Problem {
  kind: 'altered' | 'missing' | 'reordered' | 'truncated' | 'otherKey'
  part: 'entry' | 'head' | 'header' | 'end'
  /** Of the entry or head. */
  number?: number
  /** Where only a range of entries can be named: the last of them. */
  until?: number
  /** In the file. */
  line: number
  sentence: string
}

/** Ends the verification: nothing behind the first problem is worth reading. */
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

const nameOf = ({ part, number, until }: Omit<Problem, 'sentence'>): string => {
  if (part === 'header') return 'The header'
  if (part === 'end') return 'The statement at the end'
  if (until !== undefined && until !== number) return `One of the entries ${number ?? 0} to ${until}`
  return part === 'entry' ? `Entry ${number ?? 0}` : `Head ${number ?? 0}`
}

export function found(problem: Omit<Problem, 'sentence'>): Found {
  return new Found({ ...problem, sentence: `${nameOf(problem)} ${verbs[problem.kind]} (line ${problem.line}).` })
}
