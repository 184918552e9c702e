import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const here = (name: string) => fileURLToPath(import.meta.resolve(name))

/** Maps each icon's name to the import from the icon's own file. */
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

/** Maps each primitive's name to the import from the primitive's own package. */
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
 * Imports icons and primitives from their own files instead of the index files of their packages, which import
 * everything. The build then reads about two thousand files less, and each module's imports are exactly the modules it
 * needs, which chunks.ts relies on.
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
            // Keep the number of lines, so that the source map stays valid.
            return imports.join('') + '\n'.repeat(whole.split('\n').length - 1)
          },
        )
        return { code: direct, map: null }
      },
    },
  }
}
