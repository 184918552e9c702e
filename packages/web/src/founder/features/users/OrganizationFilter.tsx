import { useQuery } from '@tanstack/react-query'
import { founderOrganizations, type ListedOrganization } from '@privity/contract/founder/organizations'
import { limits } from '@privity/contract/limits'
import { Select } from '../../../ui/choice/Select.tsx'
import { callQuery } from '../../console/queries.ts'
import { userTexts as texts } from './texts.ts'

const query = { limit: limits.maxOrganizationsPage }

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

interface OrganizationFilterProps {
  /** Id of the chosen organization; empty for all. */
  value: string
  /** Name of the chosen organization, if a listed user belongs to it. */
  name: string | undefined
  onChange: (organization: string) => void
}

/** Filters the list by organization. Older organizations than offered here are chosen in their own list. */
export function OrganizationFilter({ value, name, onChange }: OrganizationFilterProps) {
  const { data } = useQuery(callQuery(founderOrganizations.list, { query }))
  return (
    <Select
      label={texts.filter}
      value={value}
      options={organizationOptions(data?.organizations ?? [], value, name)}
      onChange={onChange}
    />
  )
}
