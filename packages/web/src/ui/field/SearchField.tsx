import { useEffect, useState } from 'react'
import { Search } from 'lucide-react'
import { Input } from './Input.tsx'

interface SearchFieldProps {
  label: string
  hint?: string
  /** What is being searched for. */
  value: string
  onSearch: (wanted: string) => void
}

/** Long enough for the next letter to come, short enough not to be noticed. */
const pause = 250

/** Searches as one types, once there is a pause. */
export function SearchField({ label, hint, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  if (value !== known) {
    // changed from elsewhere, as by the back button
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
