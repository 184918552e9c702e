/**
 * Named events with one payload each. A listener that throws does not stop the others. Events of the `buffered` names
 * that had no listener are delivered to the first listener.
 */
export interface Emitter<Events> {
  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): () => void
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void
}

export function createEmitter<Events>(buffered: readonly (keyof Events)[] = []): Emitter<Events> {
  const undelivered: { name: keyof Events; payload: never }[] = []
  const listeners = new Map<keyof Events, Set<(payload: never) => void>>()
  return {
    on(name, listener) {
      const named = listeners.get(name) ?? new Set()
      listeners.set(name, named.add(listener))
      for (const each of undelivered.splice(0)) {
        if (each.name === name) queueMicrotask(() => listener(each.payload))
        else undelivered.push(each)
      }
      return () => void named.delete(listener)
    },
    emit(name, payload) {
      const current = [...(listeners.get(name) ?? [])]
      if (current.length === 0 && buffered.includes(name)) undelivered.push({ name, payload: payload as never })
      for (const listener of current) {
        try {
          listener(payload as never)
        } catch (error) {
          reportError(error)
        }
      }
    },
  }
}

/** Throws in a microtask, so that the runtime reports the error and the other listeners run. */
function reportError(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
