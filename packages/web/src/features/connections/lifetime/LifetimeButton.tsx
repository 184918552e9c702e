import type { ComponentProps } from 'react'
import { Timer } from 'lucide-react'
import type { Client } from '@privity/client'
import type { Connection } from '@privity/contract/connections'
import { durationText } from '../../../i18n/retention.ts'
import { useWanted } from '../../../app/useWanted.ts'
import { loadLater } from '../../../ui/lazy.ts'
import { useStore } from '../../../ui/useStore.ts'
import { lifetimeTexts as texts } from './texts.ts'

const menu = loadLater(() => import('./LifetimeMenu.tsx'))

/** Shows how long messages live in a conversation, and opens the menu that changes it. */
export function LifetimeButton({ client, connection }: { client: Client; connection: Connection }) {
  const LifetimeMenu = useStore(menu)?.LifetimeMenu
  const [wanted, press] = useWanted(menu)
  const { lifetime } = connection
  if (!LifetimeMenu) return <Trigger lifetime={lifetime} aria-busy={wanted} onClick={press} />
  return (
    <LifetimeMenu
      client={client}
      connection={connection}
      defaultOpen={wanted}
      trigger={<Trigger lifetime={lifetime} />}
    />
  )
}

function Trigger({ lifetime, ...props }: ComponentProps<'button'> & { lifetime: number }) {
  const time = durationText(lifetime)
  const name = texts.button(time)
  return (
    <button
      type="button"
      className="row nowrap enc life"
      aria-label={name}
      aria-haspopup="menu"
      title={name}
      {...props}
    >
      <Timer className="ic ic-sm" />
      {time}
    </button>
  )
}
