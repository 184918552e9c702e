import { registerHooks } from 'node:module'

/**
 * Loaded before `bench/ours.ts` by `--import`: replaces modules, so that the server writes an audit log without a
 * chain.
 */
const standIn = new URL('unchained.ts', import.meta.url).href
const replaced = ['core/audit/audit.ts', 'features/auditLogs/heads.ts'].map(
  (path) => new URL(`../../packages/server/src/${path}`, import.meta.url).href,
)

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return replaced.includes(found.url) ? { ...found, url: standIn } : found
  },
})
