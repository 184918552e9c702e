import type { RawData } from 'ws'
import { clientFrame, type ClientFrame, type ServerFrame } from '@privity/contract/events'

/** Parses a frame from a browser; undefined if the contract does not define it. */
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
 * Serializes a frame as JSON. A message's content was checked to be base64url before it was stored, so it needs no
 * escaping: scanning it took longer than everything else.
 */
export function writeFrame(frame: ServerFrame): string {
  if (frame.type !== 'new_message') return JSON.stringify(frame)
  const { content, ...rest } = frame.message
  return `{"type":"new_message","message":${JSON.stringify(rest).slice(0, -1)},"content":"${content}"}}`
}
