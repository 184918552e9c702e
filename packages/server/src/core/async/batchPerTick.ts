/** Up to this many go in a microtask, so a message is delivered before its sender's response is built. */
const few = 4

/** Collects the items of one event loop turn and passes them on together; up to `few` before the turn ends. */
export function batchPerTick<T>(give: (all: readonly T[]) => void): (one: T) => void {
  let waiting: T[] = []
  function release(): void {
    const all = waiting
    waiting = []
    give(all)
  }
  return (one) => {
    if (waiting.length === 0) queueMicrotask(() => (waiting.length > few ? process.nextTick(release) : release()))
    waiting.push(one)
  }
}
