import type { Device } from './device.ts'
import {
  browserName,
  draftPrefix,
  duplicateTextsName,
  outboxPrefix,
  seenPrefix,
  storeMarkName,
} from './storageNames.ts'

async function removeByPrefix(device: Device, ...prefixes: string[]): Promise<void> {
  const removeAll = async (prefix: string) => Promise.all((await device.names(prefix)).map(device.remove))
  await Promise.all(prefixes.map(removeAll))
}

/** Removes all that the user has written. The state that detects rollbacks stays for the next sign-in. */
export const removeWritten = (device: Device, userId: string): Promise<void> =>
  removeByPrefix(device, outboxPrefix(userId), draftPrefix(userId), duplicateTextsName(userId), storeMarkName)

/** Removes all that this device keeps of the user, except the account key. */
export async function removeUserData(device: Device, userId: string): Promise<void> {
  await removeWritten(device, userId)
  await removeByPrefix(device, seenPrefix(userId), browserName(userId))
}
