interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes

/** The only policy allowed by the Content-Security-Policy (`trusted-types privity`); it accepts same-origin scripts. */
const policy = trustedTypes?.createPolicy('privity', {
  createScriptURL(url) {
    if (new URL(url, location.origin).origin !== location.origin) throw new TypeError('Not a script of this site.')
    return url
  },
})

/**
 * Returns a script address that the browser accepts under Trusted Types, also for the service worker. At run time it is
 * a TrustedScriptURL, which TypeScript's DOM types do not know.
 */
export const trustedScript = (url: string): string => (policy ? policy.createScriptURL(url) : url)

/** Starts a module worker from an address imported from Vite with `?worker&url`. */
export function startWorker(url: string): Worker {
  return new Worker(trustedScript(url), { type: 'module' })
}
