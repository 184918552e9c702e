import type { Notification } from '@privity/contract/notifications'
import { deviceName } from '../../i18n/names.ts'
import { notificationTexts as texts } from './texts.ts'

export interface Words {
  title: string
  hint?: string
}

const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`.trim()

/** Title and hint of a notification. `fileName` is undefined if this browser cannot decrypt it. */
export function wordsOf(notification: Notification, fileName?: string): Words {
  const file = fileName ?? texts.aFile
  switch (notification.kind) {
    case 'connection_created':
      return { title: texts.connected(fullName(notification.who)) }
    case 'connection_requested':
      return { title: texts.connectionRequested(fullName(notification.who)), hint: texts.connectionRequestedHint }
    case 'file_requested':
      return { title: texts.requested(fullName(notification.who), file) }
    case 'file_decided':
      return { title: texts[notification.decision](fullName(notification.who), file) }
    case 'key_changed':
      return { title: texts.keyChanged(fullName(notification.who)), hint: texts.keyChangedHint }
    case 'second_factor_reset':
      return { title: texts.factorReset, hint: texts.factorResetHint }
    case 'account_changed': {
      const { address, change, current, device } = notification
      const hint = change === 'session_shared' ? texts.sharedHint : texts.changedHint
      return {
        title: texts.changed[change],
        hint: current ? texts.signedInHere(address) : hint(deviceName(device), address),
      }
    }
    case 'account_locked':
      return { title: texts.locked, hint: texts.lockedHint(notification.failures, notification.address) }
    case 'signed_in': {
      const { address, failures, current, device } = notification
      const hint = current ? texts.signedInHere(address) : texts.signedInHint(address)
      return {
        title: texts.signedIn(deviceName(device)),
        hint: failures > 0 ? `${texts.failedBefore(failures)} ${hint}` : hint,
      }
    }
  }
}
