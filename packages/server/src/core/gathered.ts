/** Gives on together what came within one turn of the event loop. */
export function gathered<T>(give: (all: readonly T[]) => void): (one: T) => void {
  let waiting: T[] = []
  function release(): void {
    const all = waiting
    waiting = []
    give(all)
  }
  return (one) => {
    if (waiting.length === 0) process.nextTick(release)
    waiting.push(one)
  }
}
