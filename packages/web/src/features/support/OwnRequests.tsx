import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { messageFor } from '../../app/callError.ts'
import { machineTime, useDateTime } from '../../i18n/dateTime.ts'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { Section } from '../../ui/section/Section.tsx'
import { requestsQuery } from './queries.ts'
import { supportTexts } from './texts.ts'
import { useEffect, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { copyText } from '../../browser/clipboard.ts'
import { copyableText } from '../../browser/copyableText.ts'
import { Button } from '../../ui/button/Button.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import '../../ui/badge/badge.css'
import './support.css'

export function OwnRequests({ client }: { client: Client }) {
  const { formatDate } = useDateTime()
  const texts = supportTexts.own
  const requests = useQuery(requestsQuery(client))
  return (
    <Section title={texts.title} lead={texts.lead}>
      {requests.isError && (
        <ErrorState
          message={`${texts.notLoaded} ${messageFor(requests.error, '')}`}
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

const copiedFor = 2_000

export function Reference({ reference }: { reference: string }) {
  const texts = supportTexts.reference
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), copiedFor)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    const done = await copyText(reference)
    setCopied(done)
    toast(done ? { title: texts.copied } : { title: texts.copyFailed, tone: 'destructive' })
  }

  return (
    <span className="support-ref" {...copyableText}>
      <code>{reference}</code>
      <Button variant="ghost" size="sm" icon aria-label={texts.copy(reference)} onClick={() => void copy()}>
        {copied ? <Check className="ic" /> : <Copy className="ic" />}
      </Button>
    </span>
  )
}
