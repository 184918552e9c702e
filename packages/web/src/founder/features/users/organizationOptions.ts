import type { ListedOrganization } from '@privity/contract/founder/organizations'
import { userTexts as texts } from './texts.ts'

/** All organizations, then each by name. Includes the chosen one even if it is not listed. */
export function organizationOptions(
  listed: readonly Pick<ListedOrganization, 'id' | 'name'>[],
  chosen: string,
  chosenName: string | undefined,
): { value: string; label: string }[] {
  const options = listed.map((organization) => ({ value: organization.id, label: organization.name }))
  if (chosen !== '' && !options.some(({ value }) => value === chosen))
    options.push({ value: chosen, label: chosenName ?? texts.oneOrganization })
  const byName = options.toSorted((one, other) => one.label.localeCompare(other.label))
  return [{ value: '', label: texts.allOrganizations }, ...byName]
}
