import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * Removes zod's JSON Schema code from the browser build (6 KB compressed), because only the server describes its API.
 * The functions that zod attaches to schemas remain and throw when called.
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
