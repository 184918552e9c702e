interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes

/** The one policy the Content-Security-Policy names (`trusted-types privity`): our own scripts, for workers. */
const policy = trustedTypes?.createPolicy('privity', {
  createScriptURL(url) {
    if (new URL(url, location.origin).origin !== location.origin) throw new TypeError('Not a script of this site.')
    return url
  },
})

/**
 * A script address as the browser takes it under Trusted Types. The service worker's: its type is a string only in
 * the eyes of TypeScript.
 */
export const trustedScript = (url: string): string => (policy ? policy.createScriptURL(url) : url)

/** Starts a module Worker from an address that Vite gave (`?worker&url`). */
export function startWorker(url: string): Worker {
  return new Worker(trustedScript(url), { type: 'module' })
}
