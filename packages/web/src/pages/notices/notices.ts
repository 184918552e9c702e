import type { Notification } from '@privity/contract/notifications'
import { fullName } from '../../i18n/fullName.ts'
import { fileTexts } from '../../features/files/texts.ts'
import type { ToastContent } from '../../ui/toast/toastStore.ts'
import { fileNameOf } from './fileNames.ts'

/** A toast specific to the notification, for decisions on file requests. */
export function noticeOf(notification: Notification): ToastContent | undefined {
  if (notification.kind !== 'file_decided') return undefined
  const { decision, who, filePath } = notification
  return {
    title: fileTexts.decided[decision](fullName(who)),
    description: fileTexts.decidedHint[decision](fileNameOf(filePath) ?? fileTexts.theFile),
    tone: decision === 'approved' ? 'success' : 'info',
  }
}
