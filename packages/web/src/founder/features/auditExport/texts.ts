import { exportProblems } from '@privity/contract/founder/auditExport'

export const exportTexts = {
  section: 'Audit Log Export',
  start: 'Start date',
  end: 'End date',
  type: 'Event type',
  types: {
    all: 'All events',
    screenshot_attempt: 'Screenshot attempt',
    right_click_blocked: 'Right click blocked',
    page_visibility_change: 'Page visibility change',
    copy_attempt: 'Copy attempt',
    print_attempt: 'Print attempt',
    dev_tools_detected: 'Dev tools detected',
    suspicious_activity: 'Suspicious activity',
  },
  range: (start: string, end: string) => `Export logs from ${start} to ${end}`,
  noRange: 'Select date range to export',
  reversed: exportProblems.order,
  most: 'Maximum 10,000 most recent logs',
  csv: 'Download CSV',
  json: 'Download JSON',
  exporting: 'Exporting...',
  proof: 'Both carry the proof of the audit log: verify-audit checks a file as it was downloaded.',
  toasts: {
    done: 'Export Successful',
    failed: 'Export Failed',
    failedWhy: 'Failed to export audit logs',
  },
}
