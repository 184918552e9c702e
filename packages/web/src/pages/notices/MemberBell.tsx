import type { Client } from '@privity/client'
import { usePreferences } from '../../app/preferences/preferences.ts'
import { Bell } from '../../features/notifications/Bell.tsx'
import { fileNameOf } from './fileNames.ts'
import { openNotification } from './places.ts'

export function MemberBell({ client }: { client: Client }) {
  const { preferences } = usePreferences()
  return (
    <Bell
      client={client}
      fileNameOf={fileNameOf}
      onOpen={openNotification}
      browserWanted={preferences.pushNotifications}
    />
  )
}
