/** So few are given on before anything else the turn does: a recipient then hears of a message before its sender's answer is made. */
const few = 4

/** Gives on together what came within one turn of the event loop, where it is more than a `few`. */
export function gathered<T>(give: (all: readonly T[]) => void): (one: T) => void {
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
