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
