import { useId } from 'react'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { Client } from '@privity/client'
import { changeAddressQuery } from '../../browser/address.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Input } from '../../ui/field/Field.tsx'
import { SelectField } from '../../ui/choice/Select.tsx'
import { describeAction } from './entryText.ts'
import { type AuditFilter, isFiltered, isReversed } from './filter.ts'
import { type PersonChoice, PersonFilter } from './PersonFilter.tsx'
import { actionsQuery } from './queries.ts'
import { auditTexts } from './texts.ts'

interface AuditFiltersProps {
  client: Client
  filter: AuditFilter
  /** Name of the person in the filter, if it is known. */
  personName: string | undefined
  choice: PersonChoice
}

/** Filters by action, person and date, stored in the address. */
export function AuditFilters({ client, filter, personName, choice }: AuditFiltersProps) {
  const texts = auditTexts.filter
  const [fromId, toId, noteId] = [useId(), useId(), useId()]
  const actions = useQuery(actionsQuery(client)).data ?? []
  const known = filter.action && !actions.includes(filter.action) ? [...actions, filter.action] : actions
  const options = known
    .map((value) => ({ value, label: describeAction(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  const reversed = isReversed(filter)

  function clear() {
    choice.onType('')
    changeAddressQuery({ action: '', person: '', from: '', to: '' })
  }

  const days = [
    { id: fromId, name: 'from', label: texts.from },
    { id: toId, name: 'to', label: texts.to },
  ] as const
  return (
    <div className="tbl-tools adm-filters">
      <SelectField
        label={texts.action}
        value={filter.action}
        options={[{ value: '', label: texts.anyAction }, ...options]}
        onChange={(action) => changeAddressQuery({ action })}
      />
      <PersonFilter
        person={filter.person}
        name={personName}
        {...choice}
        onClear={() => changeAddressQuery({ person: '' })}
      />
      {days.map(({ id, name, label }) => (
        <div className="field" key={name}>
          <label className="label" htmlFor={id}>
            {label}
          </label>
          <Input
            id={id}
            type="date"
            value={filter[name]}
            aria-invalid={reversed || undefined}
            aria-describedby={reversed ? noteId : undefined}
            onChange={(event) => changeAddressQuery({ [name]: event.target.value }, true)}
          />
        </div>
      ))}
      {(isFiltered(filter) || choice.typed !== '') && (
        <Button variant="ghost" onClick={clear}>
          <X className="ic" />
          {texts.clear}
        </Button>
      )}
      {reversed && (
        <p className="error" id={noteId} role="alert">
          {texts.reversed}
        </p>
      )}
    </div>
  )
}
