import type { ServerFrame } from '@privity/contract/events'
import type { Message } from '@privity/contract/messages'
import { expect, test } from 'vitest'
import { writeFrame } from '../../../src/core/websocket/frames.ts'

const id = '01900000-0003-7000-8000-000000000001'
const message: Message = {
  id,
  connectionId: id,
  seq: 3,
  senderId: id,
  sender: { firstName: 'Zoë "The\\Fox"\n', lastName: '\u{1F98A}\u2028' },
  content: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  messageType: 'text',
  createdAt: 1,
  expiresAt: 2,
  receipt: 'r',
}

test.each<ServerFrame>([
  { type: 'new_message', message },
  {
    type: 'new_message',
    message: { ...message, messageType: 'file', fileName: 'AA', fileSize: 5, fileKey: undefined },
  },
  { type: 'connection_removed', connectionId: id },
  { type: 'resync' },
])('a frame is read as it was written: %j', (frame) => {
  expect(JSON.parse(writeFrame(frame))).toEqual(JSON.parse(JSON.stringify(frame)))
})
