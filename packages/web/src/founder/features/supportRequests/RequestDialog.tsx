import { mutationOptions, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FounderClient } from '@privity/client/founder'
import { founderSupportRequests, type ListedRequest } from '@privity/contract/founder/supportRequests'
import { toastError } from '../../../app/callError.ts'
import { QueryError } from '../../../app/QueryError.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { classes } from '../../../ui/classes.ts'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { EmailText } from '../../../ui/EmailText.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { callQuery, refetchPaths } from '../../console/queries.ts'
import { formatDateTime, PersonName } from '../../console/values.tsx'
import { Fact } from '../../../ui/panel/Fact.tsx'
import { supportListTexts as texts } from './texts.ts'

/** Sets a request's state; `closed` means handled. */
export const requestStateMutation = ({ call }: Pick<FounderClient, 'call'>, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id, state }: Pick<ListedRequest, 'id' | 'state'>) =>
      call(founderSupportRequests.setState, { params: { id }, body: { state } }),
    onSuccess: ({ reference, state }) =>
      toast(
        state === 'closed'
          ? { title: texts.done.closed, description: texts.done.closedHint(reference) }
          : { title: texts.done.open, description: texts.done.openHint(reference) },
      ),
    onError: (error) => toastError(error, texts.failed, texts.failedHint),
    onSettled: () => refetchPaths(queries, [founderSupportRequests.list.path, founderSupportRequests.get.path]),
  })

/** Shows a request with its text, which the list does not contain, and changes its state. */
export function RequestDialog({ request, onClose }: { request: ListedRequest; onClose: () => void }) {
  const { id } = request
  const whole = useQuery({ ...callQuery(founderSupportRequests.get, { params: { id } }), staleTime: 0, gcTime: 0 })
  const change = useMutation(requestStateMutation(founderClient, useQueryClient()))
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
      <Facts request={shown} />
      <QueryError query={whole} title={texts.whole.notLoaded} />
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

function Facts({ request: { category, priority, state, from, createdAt } }: { request: ListedRequest }) {
  const { columns } = texts
  return (
    <dl className="dl">
      <Fact label={columns.from}>
        <PersonName person={from} />
        <br />
        <EmailText address={from.email} />
      </Fact>
      <Fact label={columns.category}>{texts.categories[category]}</Fact>
      <Fact label={columns.priority}>{texts.priorities[priority]}</Fact>
      <Fact label={columns.sent}>{formatDateTime(createdAt)}</Fact>
      <Fact label={columns.state}>
        <RequestState state={state} />
      </Fact>
    </dl>
  )
}

export function RequestState({ state }: Pick<ListedRequest, 'state'>) {
  return (
    <span className={classes('badge', state === 'open' ? 'badge-info' : 'badge-outline')}>{texts.states[state]}</span>
  )
}
