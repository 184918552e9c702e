import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const here = (name: string) => fileURLToPath(import.meta.resolve(name))

/** By name, the import of each icon: a file of its own. */
function icons(): Map<string, (local: string) => string> {
  const index = readFileSync(here('lucide-react/dist/esm/lucide-react.mjs'), 'utf8')
  return new Map(
    [...index.matchAll(/^export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/gm)].flatMap(([, names = '', file]) =>
      [...names.matchAll(/default as (\w+)/g)].map(([, name = '']) => [
        name,
        (local: string) => `import ${local} from 'lucide-react/icons/${file}';`,
      ]),
    ),
  )
}

/** By name, the import of each primitive: a package of its own. */
function primitives(): Map<string, (local: string) => string> {
  const index = readFileSync(here('radix-ui'), 'utf8')
  return new Map(
    [...index.matchAll(/^import \* as (\w+) from "(@radix-ui\/[\w-]+)"/gm)].map(([, name = '', from]) => [
      name,
      (local: string) => `import * as ${local} from '${from}';`,
    ]),
  )
}

/**
 * Imports icons and primitives from their own files, past the indexes of their packages, which import all of them: two
 * thousand files are then not read, and what a module imports is what it needs, which chunks.ts goes by.
 */
export function directImports(): Plugin {
  const packages = new Map([
    ['lucide-react', icons()],
    ['radix-ui', primitives()],
  ])
  return {
    name: 'direct-imports',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: { exclude: /node_modules/ }, code: /lucide-react|radix-ui/ },
      handler(code) {
        const direct = code.replaceAll(
          /import \{([^}]*)\} from ["'](lucide-react|radix-ui)["'];?/g,
          (whole: string, names: string, from: string) => {
            const imports = names
              .split(',')
              .map((each) => each.trim())
              .filter(Boolean)
              .map((each) => {
                const [name = '', local = name] = each.split(/\s+as\s+/)
                return packages.get(from)?.get(name)?.(local) ?? this.error(`${from} has no ${name} of its own.`)
              })
            // What comes after stays on its line, for the source map.
            return imports.join('') + '\n'.repeat(whole.split('\n').length - 1)
          },
        )
        return { code: direct, map: null }
      },
    },
  }
}
