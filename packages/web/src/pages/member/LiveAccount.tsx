import type { ReactNode } from 'react'
import { usePreferences, useAppearance, useBackgroundSync } from '../../app/preferences/preferences.ts'
import { translated } from '../../app/callError.ts'
import { useClient, useUser } from '../../app/session.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'
import { useLiveConnections } from '../../features/connections/useLiveConnections.ts'
import { useTransferToasts } from '../../features/files/useTransfers.ts'
import { useLiveMessages, useTitleCount } from '../../features/messages/useLiveMessages.ts'
import { useLiveFiles } from '../../features/files/queries.ts'
import { useFailedSends } from '../../features/messages/message/OutboxRow.tsx'
import { useLiveTrust } from '../../features/trust/queries.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { memberTexts as texts } from '../texts.ts'

/** Wraps all pages of a member, so that events are handled on every page. */
export function LiveAccount({ children }: { children: ReactNode }) {
  const client = useClient()
  const { id } = useUser()
  const { autoSync } = usePreferences().preferences
  useAppearance()
  useBackgroundSync()
  useLiveConnections(client, id)
  useLiveMessages(client, autoSync)
  useTitleCount(client)
  useLiveFiles(client)
  useLiveTrust(client)
  useFailedSends(client)
  useTransferToasts(client)
  // Security alerts about the user's own keys, contacts and file requests.
  useClientEvents(client, {
    alarm: (alert) => toast({ title: texts.alarm, description: translated(alert), tone: 'critical', stays: true }),
  })
  return children
}
