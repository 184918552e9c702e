import type { RawData } from 'ws'
import { clientFrame, type ClientFrame } from '@privity/contract/events'

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
