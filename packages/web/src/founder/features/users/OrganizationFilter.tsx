import { useQuery } from '@tanstack/react-query'
import { founderOrganizations } from '@privity/contract/founder/organizations'
import { limits } from '@privity/contract/limits'
import { Select } from '../../../ui/choice/Select.tsx'
import { callQuery } from '../../console/usePolling.ts'
import { organizationOptions } from './organizationOptions.ts'
import { userTexts as texts } from './texts.ts'

const query = { limit: limits.organizationsPageMost }

interface OrganizationFilterProps {
  /** The chosen organization's id; empty for all. */
  value: string
  /** Its name, where the listed users tell it. */
  name: string | undefined
  onChange: (organization: string) => void
}

/** Keeps the list to the users of one organization; older ones than are offered are chosen in their own list. */
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
