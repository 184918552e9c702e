import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button/Button.tsx'
import { notificationTexts as texts } from './texts.ts'

interface ClearAllProps {
  onClear: () => Promise<void>
}

/** Asks for confirmation in place before the whole list is cleared. */
export function ClearAll({ onClear }: ClearAllProps) {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const cancel = useRef<HTMLButtonElement>(null)
  const ask = useRef<HTMLButtonElement>(null)
  const asked = useRef(false)

  useEffect(() => {
    if (asking) cancel.current?.focus()
    else if (asked.current) ask.current?.focus()
    asked.current = asking
  }, [asking])

  async function clear() {
    setBusy(true)
    await onClear()
    setBusy(false)
    setAsking(false)
  }

  if (!asking)
    return (
      <Button ref={ask} size="sm" variant="ghost" onClick={() => setAsking(true)}>
        {texts.clearAll}
      </Button>
    )
  return (
    <div className="notice-ask" role="alertdialog" aria-label={texts.clearAll} aria-describedby="notice-clear">
      <p id="notice-clear">{texts.clearQuestion}</p>
      <Button ref={cancel} size="sm" onClick={() => setAsking(false)}>
        {texts.keep}
      </Button>
      <Button size="sm" variant="danger" busy={busy} onClick={() => void clear()}>
        {texts.clear}
      </Button>
    </div>
  )
}
