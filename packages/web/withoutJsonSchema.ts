import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * Leaves zod's JSON Schema out of the browser's code (6 KB compressed): only the server describes its calls. What
 * zod attaches to each schema stays, and says so when called.
 */
export function withoutJsonSchema(): Plugin {
  const unwanted = /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/
  return {
    name: 'without-json-schema',
    enforce: 'pre',
    load(id) {
      if (!unwanted.test(id)) return null
      const names = [...readFileSync(id, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
      return [
        "const refuse = () => { throw new Error('JSON Schema is left out of this build') }",
        ...names.map((name) => `export const ${name} = ${name?.startsWith('create') ? '() => refuse' : 'refuse'}`),
        ...(id.endsWith('to-json-schema.js') ? ['export { refuse as process }'] : []),
      ].join('\n')
    },
  }
}
