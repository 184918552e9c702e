import type { SecurityEventType, Severity } from '@privity/contract/securityEvents'
import type { ToastTone } from '../../ui/toast/toastStore.ts'
import type { deterrentTexts } from './texts.ts'

export type Deterred = 'screenshot' | 'devTools' | 'console' | 'print' | 'copy' | 'rightClick' | 'hidden' | 'drag'

interface Rule {
  eventType: SecurityEventType
  severity: Severity
  /** Description for the server; never contains what a person wrote, read or selected. */
  description: string
  /** Absent if the action is reported without a warning. */
  warning?: keyof typeof deterrentTexts.warnings
}

export const rules: Record<Deterred, Rule> = {
  screenshot: {
    eventType: 'screenshot_attempt',
    severity: 'high',
    description: 'A key for screenshots was pressed; the clipboard was cleared',
    warning: 'screenshot',
  },
  devTools: {
    eventType: 'dev_tools_detected',
    severity: 'high',
    description: 'A shortcut for developer tools was pressed',
    warning: 'devTools',
  },
  console: {
    eventType: 'dev_tools_detected',
    severity: 'medium',
    description: 'The console was used for the first time on this page',
    warning: 'console',
  },
  print: {
    eventType: 'print_attempt',
    severity: 'medium',
    description: 'The page was about to be printed',
    warning: 'print',
  },
  copy: {
    eventType: 'copy_attempt',
    severity: 'low',
    description: 'The shortcut for copying, or Copy in the menu of a message, was pressed',
  },
  rightClick: {
    eventType: 'right_click_blocked',
    severity: 'low',
    description: 'The menu of the right mouse button was not opened',
    warning: 'rightClick',
  },
  hidden: { eventType: 'page_visibility_change', severity: 'low', description: 'The page was hidden' },
  drag: { eventType: 'suspicious_activity', severity: 'low', description: 'Dragging page content was blocked' },
}

export function toneOf(severity: Severity): ToastTone {
  if (severity === 'critical') return 'critical'
  return severity === 'high' ? 'destructive' : 'warning'
}
