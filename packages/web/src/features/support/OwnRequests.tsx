import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { machineTime, useDateTime } from '../../i18n/dateTime.ts'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Section } from '../../ui/section/Section.tsx'
import { requestsQuery } from './queries.ts'
import { supportTexts } from './texts.ts'
import { Button } from '../../ui/button/Button.tsx'
import { QueryError } from '../../app/QueryError.tsx'
import { useCopy } from '../../app/useCopy.tsx'
import { copyableText } from '../../browser/clipboard.ts'
import '../../ui/badge/badge.css'
import './support.css'

export function OwnRequests({ client }: { client: Client }) {
  const { formatDate } = useDateTime()
  const texts = supportTexts.own
  const requests = useQuery(requestsQuery(client))
  return (
    <Section title={texts.title} lead={texts.lead}>
      <QueryError query={requests} title={texts.notLoaded} />
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

export function Reference({ reference }: { reference: string }) {
  const texts = supportTexts.reference
  const { icon, copy } = useCopy(texts)
  return (
    <span className="support-ref" {...copyableText}>
      <code>{reference}</code>
      <Button variant="ghost" size="sm" icon aria-label={texts.copy(reference)} onClick={() => void copy(reference)}>
        {icon}
      </Button>
    </span>
  )
}
