import type { RawData } from 'ws'
import { clientFrame, type ClientFrame, type ServerFrame } from '@privity/contract/events'

/** The frame a browser sent, or undefined if it is not one of the contract's. */
export function readFrame(data: RawData, isBinary: boolean): ClientFrame | undefined {
  if (isBinary) return undefined
  try {
    const parsed = clientFrame.safeParse(JSON.parse((data as Buffer).toString('utf8')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/**
 * A frame as JSON. The content of a message was checked to be base64url before it was stored, which stands in JSON as it
 * is: to look through it for what must be escaped took longer than all the rest.
 */
export function writeFrame(frame: ServerFrame): string {
  if (frame.type !== 'new_message') return JSON.stringify(frame)
  const { content, ...rest } = frame.message
  return `{"type":"new_message","message":${JSON.stringify(rest).slice(0, -1)},"content":"${content}"}}`
}
