import { useEffect, useId, useState } from 'react'
import { X } from 'lucide-react'
import { Input } from '../../ui/Input.tsx'
import { auditTexts } from './texts.ts'

export interface FoundPerson {
  id: string
  name: string
  email: string
}

/** The first few whose name or address begins so. */
export type FindPeople = (typed: string) => Promise<readonly FoundPerson[]>

interface PersonFilterProps {
  /** The chosen person's id; empty for all. */
  person: string
  name: string | undefined
  findPeople: FindPeople
  onChoose: (person: FoundPerson) => void
  onClear: () => void
}

const pause = 250

/** Whose entries: found by typing, chosen from the browser's own list of suggestions. */
export function PersonFilter({ person, name, findPeople, onChoose, onClear }: PersonFilterProps) {
  const texts = auditTexts.filter
  const [id, listId] = [useId(), useId()]
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<readonly FoundPerson[]>([])

  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === '') return
    let current = true
    const timer = setTimeout(() => {
      findPeople(wanted).then(
        (people) => current && setFound(people),
        (error: unknown) => console.error(error),
      )
    }, pause)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [typed, findPeople])

  function type(text: string) {
    const chosen = found.find(({ email }) => email === text.trim().toLowerCase())
    setTyped(chosen ? '' : text)
    if (chosen) onChoose(chosen)
  }

  if (person)
    return (
      <div className="field">
        <span className="label">{texts.person}</span>
        <button
          type="button"
          className="adm-chosen"
          onClick={onClear}
          aria-label={texts.allPeople(name ?? texts.someone)}
        >
          <span className="trunc">{name ?? texts.someone}</span>
          <X className="ic ic-sm" />
        </button>
      </div>
    )
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {texts.person}
      </label>
      <Input
        id={id}
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        placeholder={texts.personHint}
        value={typed}
        onChange={(event) => type(event.target.value)}
      />
      <datalist id={listId}>
        {found.map((each) => (
          <option key={each.id} value={each.email}>
            {each.name}
          </option>
        ))}
      </datalist>
    </div>
  )
}
