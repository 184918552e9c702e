import type { AccountKey } from '@privity/e2ee'
import type { Device } from '../device/device.ts'
import type { Tabs } from '../device/tabs.ts'
import type { ContactQuestion } from '../types.ts'
import type { Pin } from './pinList.ts'
import { type MetContact, openMetContacts } from './metContacts.ts'

/** Questions that the user answers before anything is encrypted for a contact whose key is the accepted one. */
export interface Questions {
  about(contact: MetContact & { pin: Pin }): Promise<ContactQuestion | undefined>
  /** The server shows the contact under this name. */
  showName(connectionId: string, name: string): void
  /** The name that was shown last; undefined until then. */
  nameOf(connectionId: string): string | undefined
  /** Meets a contact: this browser does not ask about them again. */
  meet(contact: MetContact): Promise<void>
}

export async function openQuestions(deps: {
  device: Device
  tabs: Pick<Tabs, 'runExclusive'>
  userId: string
  accountKey: AccountKey
  /** Whether the account was created in this browser just now. */
  isNew: boolean
  /** A contact is shown under another name than before. */
  onRenamed: () => void
}): Promise<Questions> {
  const met = await openMetContacts(deps, deps)
  const names = new Map<string, string>()
  const nameOf = (connectionId: string) => names.get(connectionId)
  return {
    async about({ userId, connectionId, pin: { verified, linked, name: before } }) {
      if (verified) {
        const now = nameOf(connectionId)
        const isRenamed = before !== undefined && now !== undefined && before !== now
        return isRenamed ? { code: 'NAME_CHANGED', before, now } : undefined
      }
      return !linked && !(await met.has({ userId, connectionId })) ? { code: 'CONTACT_UNMET' } : undefined
    },
    nameOf,
    showName(connectionId, name) {
      const before = nameOf(connectionId)
      names.set(connectionId, name)
      if (before !== undefined && before !== name) deps.onRenamed()
    },
    meet: met.add,
  }
}
