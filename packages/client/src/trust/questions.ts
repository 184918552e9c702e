import type { AccountKey } from '@privity/e2ee'
import type { Device } from '../device/device.ts'
import type { ContactQuestion } from '../types.ts'
import type { Pin } from './pinList.ts'
import { openUnmetContacts, type UnmetContacts } from './unmetContacts.ts'

/** Questions that the user answers before anything is encrypted for a contact whose key is the accepted one. */
export interface Questions {
  about(contact: { userId: string; connectionId: string; pin: Pin }): Promise<ContactQuestion | undefined>
  /** The contact's name as the server shows it; undefined until it was shown. */
  nameOf(connectionId: string): string | undefined
  /** Lists whom this browser has not met, at its first opening of the account. */
  start: UnmetContacts['start']
  /** Meets a contact: this browser does not ask about them again. */
  meet(userId: string): Promise<void>
}

export async function openQuestions(deps: {
  device: Device
  userId: string
  accountKey: AccountKey
  nameOf: (connectionId: string) => string | undefined
  /** Whether the account was created in this browser: then all its contacts appear here first. */
  isNew: boolean
}): Promise<Questions> {
  const { device, nameOf } = deps
  const unmet = await openUnmetContacts(device, deps)
  if (deps.isNew) await unmet.start([])
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
    start: unmet.start,
    meet: unmet.remove,
  }
}
