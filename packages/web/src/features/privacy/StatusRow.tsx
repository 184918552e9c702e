import { CircleCheck, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { toast } from '../../ui/toastStore.ts'
import type { StatusItem } from './statusItems.ts'
import { privacyTexts } from './texts.ts'
import { keepStorage } from './useStatusFacts.ts'

/** One fact: whether it is good, what it is, and what to do. */
export function StatusRow({ item: { title, state, text, link, ask } }: { item: StatusItem }) {
  const texts = privacyTexts.status
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
      {link && <StatusLink {...link} />}
      {ask && (
        <Button size="sm" onClick={() => void askToKeep()}>
          {ask.label}
        </Button>
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
