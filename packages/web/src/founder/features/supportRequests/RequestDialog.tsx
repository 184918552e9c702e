import type { ReactNode } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { founderSupportRequests, type ListedRequest } from '@privity/contract/founder/supportRequests'
import { messageFor } from '../../../app/callError.ts'
import { fullName } from '../../../i18n/fullName.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { EmailText } from '../../../ui/EmailText.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { founderClient } from '../../console/client.ts'
import { callQuery } from '../../console/usePolling.ts'
import { settingState } from './changes.ts'
import { RequestState } from './columns.tsx'
import { supportListTexts as texts } from './texts.ts'
import '../../../ui/panel/facts.css'

interface WholeRequestProps {
  request: ListedRequest
  /** Formats a date with its time. */
  format: (ms: number) => string
  onClose: () => void
}

/** Shows a request with its text, which the list does not contain, and changes its state. */
export function WholeRequest({ request, format, onClose }: WholeRequestProps) {
  const { id } = request
  const whole = useQuery({ ...callQuery(founderSupportRequests.get, { params: { id } }), staleTime: 0, gcTime: 0 })
  const change = useMutation(settingState(founderClient, useQueryClient()))
  const shown = whole.data ?? request
  const isOpen = shown.state === 'open'
  const next = isOpen ? texts.whole.handle : texts.whole.reopen
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => open || onClose()}
      title={shown.subject}
      description={shown.reference}
      footer={
        <>
          <Button onClick={onClose}>{texts.whole.close}</Button>
          <Button
            variant={isOpen ? 'primary' : 'secondary'}
            busy={change.isPending}
            onClick={() => change.mutate({ id, state: isOpen ? 'closed' : 'open' })}
          >
            {change.isPending ? texts.whole.busy : next}
          </Button>
        </>
      }
    >
      <Facts request={shown} format={format} />
      {whole.isError && (
        <ErrorState
          message={`${texts.whole.notLoaded} ${messageFor(whole.error, '')}`}
          busy={whole.isFetching}
          onRetry={() => void whole.refetch()}
        />
      )}
      {whole.isPending && (
        <p className="fl-loading" role="status">
          {texts.whole.loading}
        </p>
      )}
      {whole.data && (
        <section className="fl-text" aria-label={texts.whole.text}>
          {whole.data.message}
        </section>
      )}
    </Dialog>
  )
}

function Facts({ request, format }: Pick<WholeRequestProps, 'request' | 'format'>) {
  const { category, priority, state, from, createdAt } = request
  const { columns } = texts
  return (
    <dl className="dl">
      <Fact label={columns.from}>
        {fullName(from)} <span className="subtle">@{from.username}</span>
        <br />
        <EmailText address={from.email} />
      </Fact>
      <Fact label={columns.category}>{texts.categories[category]}</Fact>
      <Fact label={columns.priority}>{texts.priorities[priority]}</Fact>
      <Fact label={columns.sent}>{format(createdAt)}</Fact>
      <Fact label={columns.state}>
        <RequestState state={state} />
      </Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
