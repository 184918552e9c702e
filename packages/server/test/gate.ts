/** Stops whoever comes to it, until it is opened. */
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
  }
}
