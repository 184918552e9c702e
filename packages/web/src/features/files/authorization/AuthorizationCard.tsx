import { lazy, Suspense, useId, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client, DecryptedRequest } from '@privity/client'
import { Button } from '../../../ui/button/Button.tsx'
import type { KeyReview } from './AuthorizationDialog.tsx'
import { pendingQuery } from '../queries.ts'
import { fileTexts as texts } from '../texts.ts'
import { QueryError } from '../../../app/QueryError.tsx'
import { CodeLoading } from '../../../app/useWanted.ts'
import '../../../ui/panel/panel.css'
import '../../../ui/badge/badge.css'
import './request.css'

const AuthorizationDialog = lazy(async () => ({
  default: (await import('./AuthorizationDialog.tsx')).AuthorizationDialog,
}))

const none: readonly DecryptedRequest[] = []

interface AuthorizationCardProps {
  client: Client
  open: boolean
  onOpenChange: (open: boolean) => void
  keyReview: KeyReview
}

/** Shows the number of access requests and opens the dialog to decide them. */
export function AuthorizationCard({ client, open, onOpenChange, keyReview }: AuthorizationCardProps) {
  const id = useId()
  const pending = useQuery(pendingQuery(client))
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  const count = pending.data?.length ?? 0
  return (
    <section className="panel auth-card" aria-labelledby={id} tabIndex={-1}>
      <div className="panel-b">
        <div className="row request-head">
          <h2 className="h-label" id={id}>
            {texts.card}
          </h2>
          {count > 0 && (
            <>
              <span className="count count-warn">{count}</span>
              <Button variant="primary" size="sm" onClick={() => onOpenChange(true)}>
                {texts.review}
              </Button>
            </>
          )}
        </div>
        <p className="note note-text">
          {count > 0 && (
            <>
              <b>{texts.waitingCount(count)}</b>
              {texts.waitingText(count)}{' '}
            </>
          )}
          {texts.notice}
        </p>
        <QueryError query={pending} title={texts.notLoaded} />
      </div>
      {wanted && (
        <Suspense fallback={<CodeLoading />}>
          <AuthorizationDialog
            client={client}
            pending={pending.data ?? none}
            open={open}
            onOpenChange={onOpenChange}
            keyReview={keyReview}
          />
        </Suspense>
      )}
    </section>
  )
}
