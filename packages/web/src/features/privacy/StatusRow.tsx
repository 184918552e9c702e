import { useMutation } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import type { Client } from '@privity/client'
import { useClient } from '../../app/session.ts'
import { Button, buttonClass } from '../../ui/button/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import type { StatusItem } from './statusItems.ts'
import { privacyTexts } from './texts.ts'
import { keepStorage, refreshStatus } from './useStatusFacts.ts'
import { toastError } from '../../app/callError.ts'

/** A fact about the account's security: state, text and action. */
export function StatusRow({ item: { title, state, text, link, ask } }: { item: StatusItem }) {
  const texts = privacyTexts.status
  const client = useClient()
  const act = useMutation({
    mutationFn: async (asked: NonNullable<typeof ask>) =>
      asked.what === 'persist' ? askToKeep() : settle(client, asked.until),
    onError: (error) => toastError(error, texts.notSettled),
  })
  const good = state === 'good'
  const Icon = good ? CircleCheck : TriangleAlert
  return (
    <li className={classes('sec-item', good ? 'sec-good' : 'sec-warn')}>
      <Icon className="ic" />
      <div>
        <b>
          {title}
          <span className={classes('badge', good ? 'badge-success' : 'badge-warning')}>
            {good ? texts.good : texts.attention}
          </span>
        </b>
        <p>{text}</p>
      </div>
      {(link ?? ask) && (
        <div className="sec-acts">
          {link && <StatusLink {...link} />}
          {ask && (
            <Button size="sm" busy={act.isPending} onClick={() => act.mutate(ask)}>
              {ask.label}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

function StatusLink({ label, href }: { label: string; href: string }) {
  const className = buttonClass({ size: 'sm' })
  if (!href.startsWith('#')) {
    return (
      <Link className={className} href={href}>
        {label}
      </Link>
    )
  }
  return (
    <a className={className} href={href}>
      {label}
    </a>
  )
}

async function askToKeep(): Promise<void> {
  const texts = privacyTexts.status
  if (!(await keepStorage())) toast({ title: texts.notKept, description: texts.notKeptHint, tone: 'info' })
}

async function settle(client: Client, until: number): Promise<void> {
  await client.privacy.settleFailures(until)
  await refreshStatus()
  toast({ title: privacyTexts.updated, description: privacyTexts.status.settled })
}
