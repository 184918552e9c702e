import { useEffect, useState } from 'react'
import { Search } from 'lucide-react'
import { Input } from './Field.tsx'

interface SearchFieldProps {
  label: string
  hint?: string
  /** The current search text. */
  value: string
  onSearch: (wanted: string) => void
}

/** Delay in ms: long enough to wait for the next key, too short to notice. */
const pause = 250

/** Searches while typing, after a short pause. */
export function SearchField({ label, hint, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  if (value !== known) {
    // Changed from outside, for example by the back button.
    setKnown(value)
    if (value !== typed.trim()) setTyped(value)
  }
  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === value) return
    const timer = setTimeout(() => onSearch(wanted), pause)
    return () => clearTimeout(timer)
  }, [typed, value, onSearch])
  return (
    <div className="input-wrap">
      <Search className="ic" />
      <Input
        type="search"
        aria-label={label}
        placeholder={hint}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  )
}
