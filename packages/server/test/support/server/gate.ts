/** Stops whoever comes to it, until it is opened; `using` opens it however the test ends, or its server would wait. */
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

/** Stops the next call of this function, which is then as it was. */
export function holdNext<Key extends string>(of: Record<Key, Asks>, key: Key) {
  const gate = createGate()
  const call = of[key]
  of[key] = async (...given) => {
    of[key] = call
    await gate.pass()
    return call(...given)
  }
  return {
    /** Does this once the call is stopped, and lets it go on whatever comes of it. */
    async during(work: () => Promise<unknown>): Promise<void> {
      await gate.reached
      await work().finally(gate.open)
    },
  }
}
