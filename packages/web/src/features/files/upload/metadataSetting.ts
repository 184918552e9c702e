import { createStore, type WritableStore } from '@privity/client/store'

const key = 'privity.keepPhotoMetadata'
/** Set to a new object on each change: storage, which other tabs change too, holds the value. */
const changes = createStore({})

/** Whether photos keep their EXIF data when shared; stored on this device, off by default. */
export const keepMetadata: WritableStore<boolean> = {
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
    changes.set({})
  },
  subscribe: changes.subscribe,
}
