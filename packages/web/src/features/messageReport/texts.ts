import { isolating } from '../../ui/translation.ts'

export const messageReportTexts = isolating({
  title: 'Report this message?',
  sent: (firstName: string) =>
    `Your browser sends this one message of ${firstName} to the platform owner, with your reason and with what proves that ${firstName} wrote it and sent it to you. It also says who you are.`,
  sealed:
    'It is sealed so that only the platform owner can open it, not the server. It is kept for up to 30 days, longer than the message itself.',
  silent: (firstName: string) => `${firstName} is not told.`,
  message: 'The message',
  file: (name: string) => `File: ${name} (its name, not its content)`,
  reason: 'Reason (optional)',
  count: (count: number, of: number) => `${count}/${of}`,
  report: 'Report Message',
  reporting: 'Reporting...',
  cancel: 'Cancel',
  done: 'Message Reported',
  doneHint: 'The platform owner will look at it.',
  failed: 'Report Failed',
  failedHint: 'The message could not be reported.',
  notSetUp: 'Reporting is not set up on this server yet.',
  gone: 'This message does not exist any more.',
})
