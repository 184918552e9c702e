import { isolating } from '../../ui/translation.ts'

export const messageReportTexts = isolating({
  title: 'Report this message?',
  sent: (firstName: string) =>
    `Your browser sends this message to the platform owner, with your name, your reason and proof that ${firstName} wrote it and sent it to you.`,
  sealed:
    'It is encrypted so that only the platform owner can read it, not the server. It is kept for up to 30 days, longer than the message itself.',
  silent: (firstName: string) => `${firstName} is not notified.`,
  message: 'The message',
  file: (name: string) => `File: ${name} (its name, not its content)`,
  reason: 'Reason (optional)',
  count: (count: number, of: number) => `${count}/${of}`,
  report: 'Report message',
  reporting: 'Reporting...',
  cancel: 'Cancel',
  done: 'Message reported',
  doneHint: 'The platform owner will review it.',
  failed: 'Report failed',
  failedHint: 'The message could not be reported.',
  notSetUp: 'Reporting is not set up on this server yet.',
  gone: 'This message no longer exists.',
})
