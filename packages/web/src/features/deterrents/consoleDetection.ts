/** Methods that people type into a console; excludes `error` and `warn`, which the page's scripts use. */
const methods = ['log', 'info', 'debug', 'table', 'dir'] as const

/** Calls `used` at the first use of the console, which keeps working. Returns a function that restores the methods. */
export function watchConsole(used: () => void, target: Console = console): () => void {
  const originals = methods.map((name) => [name, target[name]] as const)
  const wrappers = originals.map(([name, original]) => {
    const wrapper = (...given: unknown[]) => {
      restore()
      used()
      Reflect.apply(original, target, given)
    }
    target[name] = wrapper
    return wrapper
  })
  function restore() {
    for (const [at, [name, original]] of originals.entries()) if (target[name] === wrappers[at]) target[name] = original
  }
  return restore
}
