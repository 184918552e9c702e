import type { ReactNode } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { Client } from '@privity/client'
import type { Connection, Lifetime } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { toastError } from '../../../app/callError.ts'
import { durationText, retention } from '../../../i18n/retention.ts'
import { Menu, MenuHead } from '../../../ui/overlay/Menu.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { patchConnections, withLifetime } from '../queries.ts'
import { lifetimeTexts as texts } from './texts.ts'

interface LifetimeMenuProps {
  client: Client
  connection: Connection
  defaultOpen: boolean
  trigger: ReactNode
}

/** The shorter lifetimes, and the server's own: one that is not shorter stands for it. */
const choices: readonly Lifetime[] = limits.lifetimes.filter((_, i, all) => i === 0 || (all[i - 1] ?? 0) < retention)

/** The choice how long the messages of a conversation live. */
export function LifetimeMenu({ client, connection, defaultOpen, trigger }: LifetimeMenuProps) {
  const { id, lifetime } = connection
  const change = useMutation({
    mutationFn: (chosen: Lifetime) => client.connections.setLifetime(id, chosen),
    onSuccess(set) {
      patchConnections((list) => withLifetime(list, id, set))
      toast({ title: texts.saved(durationText(set)), description: texts.changedHint })
    },
    onError: (error) => toastError(error, texts.failed, texts.failedHint),
  })
  const timeOf = (choice: Lifetime) => Math.min(choice, retention)
  return (
    <Menu label={texts.title} defaultOpen={defaultOpen} trigger={trigger}>
      <MenuHead>
        <b>{texts.title}</b>
        {texts.hint}
      </MenuHead>
      <DropdownMenu.RadioGroup value={String(lifetime)}>
        {choices.map((choice) => (
          <DropdownMenu.RadioItem
            key={choice}
            className="menu-item menu-check menu-radio"
            value={String(timeOf(choice))}
            onSelect={() => timeOf(choice) !== lifetime && change.mutate(choice)}
          >
            <span className="tick" aria-hidden="true">
              <DropdownMenu.ItemIndicator>
                <Check className="ic ic-sm" />
              </DropdownMenu.ItemIndicator>
            </span>
            {durationText(timeOf(choice))}
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </Menu>
  )
}
