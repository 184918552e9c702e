import type { SafetySheetProps } from '../types.ts'
import { useId, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { messageFor } from '../../../app/callError.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { AfterDelay } from '../../../ui/feedback/Skeleton.tsx'
import { Spinner } from '../../../ui/button/Spinner.tsx'
import { Tooltip } from '../../../ui/overlay/Tooltip.tsx'
import { trustQuery } from '../queries.ts'
import { SafetyActions } from './SafetyActions.tsx'
import { SafetyNumber } from './SafetyNumber.tsx'
import { trustTexts as texts } from '../texts.ts'
import { useSheetKeyboard } from './useSheetKeyboard.ts'
import './sheet.css'
import './sheetState.css'

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
        {trust.isError && (
          <ErrorState
            message={`${texts.notLoaded} ${messageFor(trust.error, '')}`}
            busy={trust.isFetching}
            onRetry={() => void trust.refetch()}
          />
        )}
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
