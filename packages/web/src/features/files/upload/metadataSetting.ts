import type { ReadableStore } from '../../../ui/useStore.ts'

const key = 'privity.keepPhotoMetadata'
const listeners = new Set<() => void>()

/** Whether photos keep their EXIF data when shared; stored on this device, off by default. */
export const keepMetadata: ReadableStore<boolean> & { set(keep: boolean): void } = {
  get() {
    try {
      return localStorage.getItem(key) === 'yes'
    } catch {
      return false
    }
  },
  set(keep) {
    try {
      if (keep) localStorage.setItem(key, 'yes')
      else localStorage.removeItem(key)
    } catch {
      // Storage is blocked: the safe default applies.
    }
    for (const listener of listeners) listener()
  },
  subscribe(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
