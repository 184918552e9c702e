import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** A string literal or a template, on one line or several. */
const text = String.raw`(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|${'`'}[^${'`'}]*${'`'})`
const descriptions = new RegExp(String.raw`\.describe\(\s*${text},?\s*\)|\bsummary:\s*${text},?`, 'g')

/**
 * Removes from the browser build what only the server needs, because only it describes its API: zod's JSON Schema code
 * (6 KB compressed), whose functions throw when called, and the texts that the contract describes its fields with.
 */
export function withoutApiDescription(): Plugin {
  const unwanted = /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/
  return {
    name: 'without-api-description',
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
    transform: {
      filter: { id: /\/packages\/contract\/src\// },
      // Keep the number of lines, so that the source map stays valid.
      handler: (code) => code.replaceAll(descriptions, (found) => '\n'.repeat(found.split('\n').length - 1)),
    },
  }
}
