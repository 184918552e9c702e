import type { Delivery } from './history.ts'
import { lifetime } from '../../i18n/retention.ts'
import { isolating } from '../../ui/translation.ts'

const delivery: Record<Delivery, string> = {
  sent: 'Sent',
  delivered: 'Delivered',
  deliveredConfirmed: 'Delivered, confirmed',
  read: 'Read',
  readConfirmed: 'Read, delivery confirmed',
}

export const messageTexts = isolating({
  conversationWith: (name: string) => `Conversation with ${name}`,
  empty: 'No messages yet. Start the conversation!',
  loading: 'Loading messages...',
  loadingOlder: 'Loading older messages...',
  notLoaded: 'Messages could not be loaded.',
  today: 'Today',
  yesterday: 'Yesterday',
  delivery,
  sending: 'Sending',
  waiting: 'Waiting',
  sendingLater: 'will be sent when you are online again',
  failed: 'Failed to send message',
  tooLong: 'Messages are limited to 500 characters',
  leftOut: (over: number) =>
    over === 1
      ? '1 character was left out. Send it as another message.'
      : `${over} characters were left out. Send them as another message.`,
  tryAgain: 'Try again',
  discard: 'Discard',
  discarded: 'Message discarded',
  report: 'Report message',
  actions: 'Message options',
  copy: 'Copy',
  copied: 'Message copied',
  notCopied: 'Message could not be copied',
  fileLabel: (name: string) => `File: ${name}`,
  newMessages: 'New messages',
  loadNew: 'Load new messages',
  heard: (firstName: string, text: string) => `${firstName}: ${text}`,
  heardFile: (firstName: string, name: string) => `${firstName} shared a file: ${name}`,
  heardUnreadable: (firstName: string) => `A message from ${firstName} could not be read.`,
  earlierKey: 'Signed with an earlier key',
  missing: 'A message is missing here',
  late: 'Arrived late',
  differentTimes: (written: string, arrived: string) => `written ${written}, arrived ${arrived}`,
  you: 'You',
  composerLabel: (name: string) => `Message ${name}`,
  placeholder: (firstName: string) => `Write to ${firstName}. Press Enter to send.`,
  send: 'Send',
  counter: (count: number, of: number) => `${count}/${of}`,
  counterName: (count: number, of: number) => `${count} of ${of} characters`,
  expiry: (rest: string) => `disappears in ${rest}`,
  hours: (count: number) => `${count} h`,
  minutes: (count: number) => `${count} min`,
  underMinute: 'under 1 min',
  awaySince: (firstName: string, time: string) => `${firstName} has not been here since ${time}.`,
  awayWaits: (firstName: string) =>
    `Messages wait in this browser until ${firstName} is back. Uploading files is off until then.`,
  awayTitle: (firstName: string) => `Send when ${firstName} is back?`,
  awayExplained: `Their keys have been destroyed since, so nothing can be encrypted that they could open. The message waits in this browser. If they are not back within ${lifetime.en}, it is not sent.`,
  sendWhenBack: 'Send when they are back',
  unavailable: (firstName: string) => `${firstName} is unavailable and cannot receive messages.`,
})
