/**
 * Holds every caller until opened; with `using`, it opens when the test ends, so that the server does not wait forever.
 */
export function createGate() {
  let open = () => {}
  let reach = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  const reached = new Promise<void>((resolve) => (reach = resolve))
  return {
    reached,
    open,
    async pass() {
      reach()
      await opened
    },
    [Symbol.dispose]: () => open(),
  }
}

type Asks = (...given: never[]) => Promise<unknown>

/** Holds the next call of this function; later calls pass. */
export function holdNext<Key extends string>(of: Record<Key, Asks>, key: Key) {
  const gate = createGate()
  const call = of[key]
  of[key] = async (...given) => {
    of[key] = call
    await gate.pass()
    return call(...given)
  }
  return {
    /** Runs `work` while the call is held, then releases the call, even after a failure. */
    async during(work: () => Promise<unknown>): Promise<void> {
      await gate.reached
      await work().finally(gate.open)
    },
  }
}
