import { expect, test as base } from './test.ts'

export { expect }

/** Amara and Helen have accounts and nothing else; `enterAs` makes them signed in. */
export const test = base.extend({ prepared: 'accounts' as const })
