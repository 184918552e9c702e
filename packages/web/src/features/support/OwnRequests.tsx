import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { sentenceOf } from '../../core/callError.ts'
import { machineTime, useDateTime } from '../../core/dateTime.ts'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Section } from '../../ui/Section.tsx'
import { requestsQuery } from './queries.ts'
import { Reference } from './Reference.tsx'
import { supportTexts } from './texts.ts'
import '../../styles/badge.css'
import '../../styles/support.css'

/** One's own requests with their reference numbers, newest first. */
export function OwnRequests({ client }: { client: Client }) {
  const { formatDate } = useDateTime()
  const texts = supportTexts.own
  const requests = useQuery(requestsQuery(client))
  return (
    <Section title={texts.title} lead={texts.lead}>
      {requests.isError && (
        <ErrorState
          message={`${texts.notLoaded} ${sentenceOf(requests.error, '')}`}
          busy={requests.isFetching}
          onRetry={() => void requests.refetch()}
        />
      )}
      {requests.data?.length === 0 && <EmptyState title={texts.empty} />}
      <ul className="support-list">
        {requests.data?.map(({ id, reference, subject, category, state, createdAt }) => (
          <li key={id}>
            <div className="support-what">
              <b>{subject}</b>
              <span className="hint">
                {supportTexts.categories[category]}
                {' · '}
                <time dateTime={machineTime(createdAt)}>{texts.sent(formatDate(createdAt))}</time>
              </span>
            </div>
            <span className={classes('badge', state === 'open' ? 'badge-info' : 'badge-outline')}>
              {supportTexts.states[state]}
            </span>
            <Reference reference={reference} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
