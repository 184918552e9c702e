import { useId, useRef, type RefObject, useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type SafetySheetProps, SafetyNumber } from './SafetyNumber.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { AfterDelay, Spinner } from '../../../ui/feedback/Progress.tsx'
import { Tooltip } from '../../../ui/overlay/Tooltip.tsx'
import { trustQuery } from '../queries.ts'
import { SafetyActions } from './SafetyActions.tsx'
import { safetyNumberTexts as texts } from './texts.ts'
import { QueryError } from '../../../app/QueryError.tsx'
import './sheet.css'

/** Shown beside the chat, over it or over the whole window, depending on the width. Escape closes it. */
export function SafetySheet(props: SafetySheetProps) {
  const { client, connectionId, other, onClose } = props
  const id = useId()
  const sheet = useRef<HTMLElement>(null)
  const trust = useQuery(trustQuery(client, connectionId))

  useSheetKeyboard(sheet, trust.data?.state, onClose)

  return (
    <section ref={sheet} className="sheet" role="dialog" aria-labelledby={id} tabIndex={-1}>
      <div className="sheet-h" data-keep-clear="">
        <h2 id={id}>{texts.title}</h2>
        <Tooltip text={texts.close}>
          <Button variant="ghost" icon className="sheet-close" aria-label={texts.close} onClick={onClose}>
            <X className="ic ic-lg" />
          </Button>
        </Tooltip>
      </div>
      <div className="sheet-b" role="group" aria-label={texts.details} tabIndex={0}>
        {trust.isPending && (
          <AfterDelay>
            <p className="row muted" role="status">
              <Spinner />
              {texts.loading}
            </p>
          </AfterDelay>
        )}
        <QueryError query={trust} title={texts.notLoaded} />
        {trust.data && <SafetyNumber {...props} trust={trust.data} />}
      </div>
      {trust.data && (
        <div className="sheet-f">
          <SafetyActions client={client} connectionId={connectionId} firstName={other.firstName} trust={trust.data} />
        </div>
      )}
    </section>
  )
}

/**
 * Focuses the sheet when it opens, and when the focused button disappears because the state changed. Escape closes it,
 * unless a dialog above has handled the key or the focus is elsewhere.
 */
function useSheetKeyboard(sheet: RefObject<HTMLElement | null>, state: unknown, onClose: () => void): void {
  useEffect(() => sheet.current?.focus({ preventScroll: true }), [sheet])

  useEffect(() => {
    if (document.activeElement === document.body) sheet.current?.focus({ preventScroll: true })
  }, [sheet, state])

  useEffect(() => {
    function pressed(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      const focused = document.activeElement
      if (focused === document.body || sheet.current?.contains(focused)) onClose()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [sheet, onClose])
}
