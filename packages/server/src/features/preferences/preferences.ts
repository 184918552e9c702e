import { defaultPolicy, defaultPreferences } from '@privity/contract/preferenceDefaults'
import {
  type Policy,
  policy as policyForm,
  preferences as preferencesForm,
  type Preferences,
  type PreferenceState,
} from '@privity/contract/preferences'
import type { Reader } from '../../core/database/types.ts'
import { splitIntoStatements } from '../../core/database/statements.ts'
import { selectChosen, selectChosenLike, selectChosenOf, selectPolicies, selectPolicy } from './queries.ts'

/** Stored preferences over the defaults. */
const read = (chosen: string | undefined): Preferences =>
  chosen === undefined
    ? { ...defaultPreferences }
    : preferencesForm.parse({ ...defaultPreferences, ...(JSON.parse(chosen) as object) })

export async function preferencesOf(db: Reader, userId: string): Promise<Preferences> {
  return read((await selectChosen(db, userId))?.chosen)
}

const batchSize = 500

export async function preferencesOfEach(db: Reader, userIds: readonly string[]): Promise<Map<string, Preferences>> {
  const chosen = new Map<string, string>()
  for (const batch of splitIntoStatements(userIds, batchSize))
    for (const row of await selectChosenOf(db, batch)) chosen.set(row.user_id, row.chosen)
  return new Map(userIds.map((userId) => [userId, read(chosen.get(userId))]))
}

/** The policy as it holds now: a second factor is required once its day has come. */
export const inForce = (policy: Policy, now: number): Policy => ({
  ...policy,
  twoFactor: policy.twoFactor && policy.twoFactorFrom <= now,
})

/**
 * The organization's policy for the user, with requirements that start later; `inForce` returns what holds now. Not
 * cached here; `createFactorCheck` (core/sessions) caches the one result that every call needs.
 */
export async function policyOf(db: Reader, userId: string): Promise<Policy> {
  return readPolicy((await selectPolicy(db, userId))?.policy)
}

/** Reads a stored policy over the defaults. */
export function readPolicy(stored: string | undefined): Policy {
  if (stored === undefined || stored === '{}') return { ...defaultPolicy }
  return policyForm.parse({ ...defaultPolicy, ...(JSON.parse(stored) as object) })
}

/** Like policyOf, for a few hundred users at once. */
export async function policiesOf(db: Reader, userIds: readonly string[]): Promise<Map<string, Policy>> {
  if (userIds.length === 0) return new Map()
  return new Map((await selectPolicies(db, userIds)).map(({ id, policy }) => [id, readPolicy(policy)]))
}

/** The preferences, with the policy that holds now. */
export async function preferenceStateOf(db: Reader, userId: string, now: number): Promise<PreferenceState> {
  return { preferences: await preferencesOf(db, userId), policy: inForce(await policyOf(db, userId), now) }
}

/** Members of an organization who have switched the session timeout off. */
export async function selectWithoutTimeout(db: Reader, organizationId: string): Promise<string[]> {
  const off = '"sessionTimeout":false' satisfies `"${keyof Preferences}":false`
  return (await selectChosenLike(db, organizationId, off)).map(({ user_id }) => user_id)
}
