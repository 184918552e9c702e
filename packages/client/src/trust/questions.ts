import type { AccountKey } from '@privity/e2ee'
import type { Device } from '../device/device.ts'
import type { ContactQuestion } from '../types.ts'
import type { Pin } from './pinList.ts'
import { openUnmetContacts, type UnmetContacts } from './unmetContacts.ts'

/** Questions that the user answers before anything is encrypted for a contact whose key is the accepted one. */
export interface Questions {
  about(contact: { userId: string; connectionId: string; pin: Pin }): Promise<ContactQuestion | undefined>
  /** The server shows the contact under this name. */
  showName(connectionId: string, name: string): void
  /** The name that was shown last; undefined until then. */
  nameOf(connectionId: string): string | undefined
  /** Lists whom this browser has not met, at its first opening of the account: see UnmetContacts. */
  start: UnmetContacts['start']
  /** Meets a contact: this browser does not ask about them again. */
  meet(userId: string): Promise<void>
}

export async function openQuestions(deps: {
  device: Device
  userId: string
  accountKey: AccountKey
  /** Whether the account was created in this browser: then all its contacts appear here first. */
  isNew: boolean
  /** A contact is shown under another name than before. */
  onRenamed: () => void
}): Promise<Questions> {
  const unmet = await openUnmetContacts(deps.device, deps)
  const names = new Map<string, string>()
  const nameOf = (connectionId: string) => names.get(connectionId)
  if (deps.isNew) for (const list of ['connections', 'keys'] as const) await unmet.start(list, [])
  return {
    async about({ userId, connectionId, pin: { verified, linked, name: before } }) {
      if (verified) {
        const now = nameOf(connectionId)
        const isRenamed = before !== undefined && now !== undefined && before !== now
        return isRenamed ? { code: 'NAME_CHANGED', before, now } : undefined
      }
      return !linked && (await unmet.has(userId)) ? { code: 'CONTACT_UNMET' } : undefined
    },
    nameOf,
    showName(connectionId, name) {
      const before = nameOf(connectionId)
      names.set(connectionId, name)
      if (before !== undefined && before !== name) deps.onRenamed()
    },
    start: unmet.start,
    meet: unmet.remove,
  }
}
