import { expect, test as base } from './test.ts'

export { expect }

/** Amara and Helen have accounts and nothing else; `enterAs` signs them in. */
export const test = base.extend({ prepared: 'accounts' as const })
