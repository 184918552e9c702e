import type { ReactNode } from 'react'
import { usePreferences } from '../../app/preferences/preferences.ts'
import { useClient, useUser } from '../../app/session.ts'
import { useBackgroundSync } from '../../app/preferences/useBackgroundSync.ts'
import { useAppearance } from '../../app/preferences/useAppearance.ts'
import { useLiveConnections } from '../../features/connections/useLiveConnections.ts'
import { useTransferToasts } from '../../features/files/useTransfers.ts'
import { useLiveMessages } from '../../features/messages/useLiveMessages.ts'
import { useAlarms } from './useSecurityAlerts.ts'
import { useLiveFiles } from '../../features/files/queries.ts'
import { useFailedSends } from '../../features/messages/message/OutboxRow.tsx'
import { useLiveTrust } from '../../features/trust/queries.ts'

/** Wraps all pages of a member, so that events are handled on every page. */
export function LiveAccount({ children }: { children: ReactNode }) {
  const client = useClient()
  const { id } = useUser()
  const { autoSync } = usePreferences().preferences
  useAppearance()
  useBackgroundSync()
  useLiveConnections(client, id)
  useLiveMessages(client, autoSync)
  useLiveFiles(client)
  useLiveTrust(client)
  useFailedSends(client)
  useTransferToasts(client)
  useAlarms(client)
  return children
}
