import type { Delivery } from './delivery.ts'

const delivery: Record<Delivery, string> = { sent: 'Sent', delivered: 'Delivered', read: 'Read' }

export const messageTexts = {
  conversationWith: (name: string) => `Conversation with ${name}`,
  empty: 'No messages yet. Start the conversation!',
  loading: 'Loading messages...',
  loadingOlder: 'Loading older messages...',
  notLoaded: 'Messages could not be loaded.',
  today: 'Today',
  yesterday: 'Yesterday',
  delivery,
  sending: 'Sending',
  sendingLater: 'goes out when you are connected again',
  failed: 'Failed to send message',
  tryAgain: 'Try again',
  discard: 'Discard',
  discarded: 'Message discarded',
  fileLabel: (name: string) => `File: ${name}`,
  newMessages: 'New messages',
  heard: (firstName: string, text: string) => `${firstName}: ${text}`,
  heardFile: (firstName: string, name: string) => `${firstName} shared a file: ${name}`,
  heardUnreadable: (firstName: string) => `A message from ${firstName} could not be read.`,
  earlierKey: 'Signed with an earlier key',
  unreadable: 'This message cannot be shown.',
  you: 'You',
  composerLabel: (name: string) => `Message ${name}`,
  placeholder: (firstName: string) => `Write to ${firstName}. Enter sends.`,
  send: 'Send',
  counter: (count: number, of: number) => `${count}/${of}`,
  counterName: (count: number, of: number) => `${count} of ${of} characters`,
  unavailable: (firstName: string) => `${firstName} is unavailable and cannot receive messages.`,
}
