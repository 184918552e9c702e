import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { X } from 'lucide-react'
import { Input } from '../../ui/field/Field.tsx'
import { auditTexts } from './texts.ts'

/** Finds the first few people: each word of the input begins a word of the name, email address or username. */
export type FindPeople = (typed: string) => Promise<readonly FoundPerson[]>

export interface PersonChoice {
  /** Input that has not been resolved to a person. */
  typed: string
  onType: (typed: string) => void
  findPeople: FindPeople
  onPerson: (id: string, name: string) => void
}

interface PersonFilterProps extends PersonChoice {
  /** Id of the chosen person; empty for everyone. */
  person: string
  name: string | undefined
  onClear: () => void
}

const debounceMs = 250

/** Filters by person: suggests people while typing. */
export function PersonFilter({ person, name, typed, onType, findPeople, onPerson, onClear }: PersonFilterProps) {
  const texts = auditTexts.filter
  const [id, listId] = [useId(), useId()]
  const [result, setResult] = useState<{ query: string; people: readonly FoundPerson[] | undefined }>()
  const [active, setActive] = useState(0)
  const [isOpen, setOpen] = useState(false)
  // The field and the button with the name replace each other, so the focus must be moved to the new element.
  const control = useRef<HTMLInputElement & HTMLButtonElement>(null)
  const takesFocus = useRef(false)
  const query = typed.trim()
  const isCurrent = query !== '' && result?.query === query
  const people = isCurrent ? (result.people ?? []) : []
  const isShown = isOpen && people.length > 0

  useEffect(() => {
    if (query === '') return
    let current = true
    const show = (found: readonly FoundPerson[] | undefined) => {
      if (!current) return
      setResult({ query, people: found })
      setActive(0)
    }
    const timer = setTimeout(() => {
      findPeople(query).then(show, (error: unknown) => {
        console.error(error)
        show(undefined)
      })
    }, debounceMs)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [query, findPeople])

  useEffect(() => {
    if (takesFocus.current) control.current?.focus()
    takesFocus.current = false
  }, [person])

  function choose(chosen: FoundPerson | undefined) {
    if (!chosen) return
    takesFocus.current = true
    onPerson(chosen.id, chosen.name)
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && people.length > 0) {
      setOpen(true)
      if (isShown) setActive((active + step + people.length) % people.length)
    } else if (event.key === 'Enter' && isShown) choose(people[active])
    else if (event.key === 'Escape' && typed !== '') onType('')
    else return
    event.preventDefault()
  }

  if (person)
    return (
      <div className="field">
        <span className="label">{texts.person}</span>
        <button
          type="button"
          className="adm-chosen"
          ref={control}
          onClick={() => {
            takesFocus.current = true
            onClear()
          }}
          aria-label={texts.allPeople(name ?? texts.someone)}
        >
          <span className="trunc">{name ?? texts.someone}</span>
          <X className="ic ic-sm" />
        </button>
      </div>
    )
  return (
    <>
      <div className="field adm-find">
        <label className="label" htmlFor={id}>
          {texts.person}
        </label>
        <Input
          id={id}
          ref={control}
          role="combobox"
          aria-expanded={isShown}
          aria-controls={isShown ? listId : undefined}
          aria-activedescendant={isShown ? `${listId}-${active}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          placeholder={texts.personHint}
          value={typed}
          onChange={(event) => {
            setOpen(true)
            onType(event.target.value)
          }}
          onKeyDown={onKeyDown}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
        />
        {isShown && <PeopleFound id={listId} people={people} active={active} onChoose={choose} />}
      </div>
      <p className="hint" role="status">
        {isCurrent && people.length === 0 && (result.people ? texts.nobody(query) : texts.notFound)}
      </p>
    </>
  )
}

interface FoundPerson {
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
      {people.map((person, index) => (
        <li
          key={person.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
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
