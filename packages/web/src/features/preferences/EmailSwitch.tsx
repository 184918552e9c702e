import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { SwitchRow } from '../../ui/section/Section.tsx'
import { preferenceTexts as texts } from './texts.ts'
import type { Draft } from './useDraft.ts'

/** Switches emails about unread messages; off and disabled on a server that sends none. */
export function EmailSwitch({ client, draft }: { client: Client; draft: Draft }) {
  const sendsEmail = useQuery({ queryKey: ['sends-email'], queryFn: () => client.preferences.sendsEmail() }).data
  const { label, hint, none } = texts.email
  return (
    <SwitchRow
      label={label}
      hint={sendsEmail === false ? none : hint}
      checked={sendsEmail === true && draft.values.emailNotifications}
      disabled={sendsEmail !== true}
      onChange={(emailNotifications) => draft.change({ emailNotifications })}
    />
  )
}
