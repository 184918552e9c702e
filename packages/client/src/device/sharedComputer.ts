import { createMemoryDevice, type Device } from './device.ts'

/** The device of an account, which on a shared computer stores nothing in the browser. */
export interface AccountDevice extends Device {
  /** The browser's storage. */
  stored: Device
  isTransient(): boolean
  /** From now on everything is kept in the memory of this page. */
  forgetWithPage(): void
  /** Returns the function to call once nothing is written any more: forgets what was kept in memory. */
  leave(): () => void
}

export function createAccountDevice(stored: Device): AccountDevice {
  let memory: Device | undefined
  /** That of a session that is being closed. */
  let left: Device | undefined
  const current = () => memory ?? stored
  return {
    stored,
    isTransient: () => memory !== undefined,
    forgetWithPage() {
      if (memory === undefined || memory === left) memory = createMemoryDevice()
    },
    leave() {
      const leaving = memory
      left = memory
      return () => {
        if (memory === leaving) memory = undefined
      }
    },
    get: (name) => current().get(name),
    set: (name, value) => current().set(name, value),
    remove: (name) => current().remove(name),
    change: (values) => current().change(values),
    names: (prefix) => current().names(prefix),
  }
}
