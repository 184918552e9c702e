import { auditTexts } from './texts.ts'

export interface FoundPerson {
  id: string
  name: string
  email: string
}

interface PeopleFoundProps {
  id: string
  people: readonly FoundPerson[]
  /** Index of the person that Enter would choose. */
  active: number
  onChoose: (person: FoundPerson) => void
}

/** Suggested people, below the field, which keeps the focus. */
export function PeopleFound({ id, people, active, onChoose }: PeopleFoundProps) {
  return (
    <ul className="adm-found" id={id} role="listbox" aria-label={auditTexts.filter.found}>
      {people.map((person, at) => (
        <li
          key={person.id}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(person)}
        >
          <b dir="auto">{person.name}</b>
          <span>{person.email}</span>
        </li>
      ))}
    </ul>
  )
}
