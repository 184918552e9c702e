import { fileURLToPath } from 'node:url'

/** For processes that tests start: what Node made of the modules before, so that they start in a third of the time. */
export const compiledEnv = { NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../../../.cache/node', import.meta.url)) }
