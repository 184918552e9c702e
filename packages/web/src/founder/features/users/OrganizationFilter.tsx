import { useQuery } from '@tanstack/react-query'
import { founderOrganizations } from '@privity/contract/founder/organizations'
import { limits } from '@privity/contract/limits'
import { Select } from '../../../ui/choice/Select.tsx'
import { callQuery } from '../../console/usePolling.ts'
import { organizationOptions } from './organizationOptions.ts'
import { userTexts as texts } from './texts.ts'

const query = { limit: limits.organizationsPageMost }

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
