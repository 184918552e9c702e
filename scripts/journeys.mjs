/** Journeys of `npm test`: the main promises of the product, in about two minutes. */
const core = [
  'approval',
  'changedKey',
  'conversation',
  'disk',
  'expiry',
  'fileAccess',
  'files',
  'messageActions',
  'offline',
  'omission',
  'sharedDesk',
  'signUp',
  'trust',
]

/** Journeys that use the server's database and storage; the rest render the same on every database. */
const storage = [
  'axe',
  'conversation',
  'documents',
  'expiry',
  'fileAccess',
  'files',
  'recovery',
  'secondFactor',
  'transfers',
  'trust',
]

const toPaths = (names) => names.map((name) => `/${name}.spec.ts`)

/** Arguments of Playwright. Each journey belongs to at least one of the three. */
export const coreJourneys = toPaths(core)
export const storageJourneys = toPaths(storage)
export const otherJourneys = ['--grep-invert', `/(${[...core, ...storage].join('|')})\\.spec\\.ts`]
