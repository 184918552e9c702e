import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A file, its import, and whether lint must refuse it. */
const plants: [file: string, specifier: string, refused: boolean][] = [
  ['packages/contract/src/a.ts', 'zod', false],
  ['packages/contract/src/a.ts', './values.ts', false],
  ['packages/contract/src/founder/a.ts', '../values.ts', false],
  ['packages/contract/src/founder/a.ts', '../../../client/src/index.ts', true],
  ['packages/contract/src/a.ts', 'zod/mini', true],
  ['packages/contract/src/a.ts', 'node:crypto', true],
  ['packages/contract/src/a.ts', 'fastify', true],
  ['packages/contract/src/a.ts', '@privity/e2ee', true],
  ['packages/contract/src/a.ts', '../../client/src/index.ts', true],

  ['packages/e2ee/src/a.ts', 'hpke', false],
  ['packages/e2ee/src/a.ts', 'hash-wasm', false],
  ['packages/e2ee/src/a.ts', '@noble/hashes/sha2.js', false],
  ['packages/e2ee/src/a.ts', './bytes.ts', false],
  ['packages/e2ee/src/a.ts', '@privity/contract/keys', true],
  ['packages/e2ee/src/a.ts', 'node:crypto', true],
  ['packages/e2ee/src/a.ts', 'zod', true],
  ['packages/e2ee/src/a.ts', '../../contract/src/keys.ts', true],

  ['packages/client/src/a.ts', '@privity/contract/messages', false],
  ['packages/client/src/founder/a.ts', '@privity/contract/founder/session', false],
  ['packages/client/src/a.ts', '@privity/e2ee', false],
  ['packages/client/src/a.ts', 'idb', false],
  ['packages/client/src/account/a.ts', '../store.ts', false],
  ['packages/client/src/a.ts', '@privity/e2ee/message', true],
  ['packages/client/src/a.ts', '@privity/server/app', true],
  ['packages/client/src/a.ts', 'react', true],
  ['packages/client/src/a.ts', 'node:fs', true],
  ['packages/client/src/a.ts', '../../e2ee/src/message.ts', true],

  ['packages/server/src/a.ts', '@privity/contract/messages', false],
  ['packages/server/src/a.ts', 'fastify', false],
  ['packages/server/src/a.ts', './features/messages/routes.ts', false],
  ['packages/server/src/a.ts', '@privity/e2ee', true],
  ['packages/server/src/a.ts', '@privity/client', true],
  ['packages/server/src/a.ts', '@privity/web', true],
  ['packages/server/src/a.ts', '../../e2ee/src/index.ts', true],
  ['packages/server/src/core/a.ts', './db.ts', false],
  ['packages/server/src/core/a.ts', '@privity/client', true],
  ['packages/server/src/core/a.ts', '../features/messages/messages.ts', true],
  ['packages/server/src/core/a.ts', '../features.ts', true],
  ['packages/server/src/migrations/a.ts', '../features/messages/messages.ts', true],
  ['packages/server/src/features/files/a.ts', '../../core/db.ts', false],
  ['packages/server/src/features/files/a.ts', './queries.ts', false],
  ['packages/server/src/features/files/a.ts', '../messages/messages.ts', false],
  ['packages/server/src/features/files/a.ts', '@privity/e2ee', true],
  ['packages/server/src/features/files/a.ts', '../messages/queries.ts', true],
  ['packages/server/src/features/files/a.ts', '../messages/routes.ts', true],
  ['packages/server/src/features/files/a.ts', '../messages/jobs.ts', true],
  ['packages/server/src/features/founder/users/a.ts', '../../messages/queries.ts', true],
  ['packages/server/src/features/files/a.ts', '../../app.ts', true],

  ['packages/web/src/a.ts', '@privity/client', false],
  ['packages/web/src/a.ts', '@privity/contract/messages', false],
  ['packages/web/src/a.ts', 'react', false],
  ['packages/web/src/pages/a.ts', '../features/chat/Chat.tsx', false],
  ['packages/web/src/a.ts', '@privity/e2ee', true],
  ['packages/web/src/a.ts', '@privity/client/outbox', true],
  ['packages/web/src/a.ts', '@privity/server/app', true],
  ['packages/web/src/pages/a.ts', 'hash-wasm', true],
  ['packages/web/src/pages/a.ts', '@noble/curves/ed25519.js', true],
  ['packages/web/src/pages/a.ts', '../../../client/src/index.ts', true],
  ['packages/web/src/ui/a.ts', './Button.tsx', false],
  ['packages/web/src/ui/a.ts', 'radix-ui', false],
  ['packages/web/src/ui/a.ts', '../features/chat/Chat.tsx', true],
  ['packages/web/src/ui/a.ts', '../pages/Landing.tsx', true],
  ['packages/web/src/ui/a.ts', '../app/session.ts', true],
  ['packages/web/src/ui/a.ts', '../i18n/language.ts', true],
  ['packages/web/src/ui/a.ts', '../browser/address.ts', true],
  ['packages/web/src/ui/a.ts', '../workers/password.ts', true],
  ['packages/web/src/ui/a.ts', '@privity/client', true],
  ['packages/web/src/ui/a.ts', '@privity/client/store', false],
  ['packages/web/src/app/a.ts', '../ui/toastStore.ts', false],
  ['packages/web/src/app/a.ts', '../features/chat/Chat.tsx', true],
  ['packages/web/src/app/a.ts', '../pages/Landing.tsx', true],
  ['packages/web/src/i18n/a.ts', '../features/chat/Chat.tsx', true],
  ['packages/web/src/browser/a.ts', '../pages/Landing.tsx', true],
  ['packages/web/src/workers/a.ts', '../features/chat/Chat.tsx', true],
  ['packages/web/src/features/chat/a.ts', './Chat.tsx', false],
  ['packages/web/src/features/chat/a.ts', '../../ui/Button.tsx', false],
  ['packages/web/src/features/chat/a.ts', '../../app/session.ts', false],
  ['packages/web/src/features/chat/a.ts', '../files/FileRow.tsx', true],
  ['packages/web/src/features/chat/a.ts', '../../features/files/FileRow.tsx', true],
  ['packages/web/src/features/chat/a.ts', '../../pages/Dashboard.tsx', true],
  ['packages/web/src/features/chat/a.ts', '@privity/e2ee', true],
  ['packages/web/src/pages/a.ts', '../founder/pages/Dashboard.tsx', true],
  ['packages/web/src/a.ts', './founder/console/client.ts', true],
  ['packages/web/src/pages/a.ts', '@privity/client/founder', true],
  ['packages/web/src/founder/pages/a.ts', '@privity/client/founder', false],
  ['packages/web/src/founder/pages/a.ts', '@privity/client', true],
  ['packages/web/src/founder/pages/a.ts', '@privity/e2ee', true],
  ['packages/web/src/founder/pages/a.ts', '../../ui/Button.tsx', false],
  ['packages/web/src/founder/pages/a.ts', '../../app/screens/Page.tsx', false],
  ['packages/web/src/founder/pages/a.ts', '../../app/session.ts', true],
  ['packages/web/src/founder/pages/a.ts', '../../app/queryClient.ts', true],
  ['packages/web/src/founder/pages/a.ts', '../console/session.ts', false],
  ['packages/web/src/founder/pages/a.ts', '../features/session/LoginForm.tsx', false],
  ['packages/web/src/founder/features/users/a.ts', '../../console/client.ts', false],
  ['packages/web/src/founder/features/users/a.ts', '../../../ui/Button.tsx', false],
  ['packages/web/src/founder/features/users/a.ts', '../../../app/session.ts', true],
  ['packages/web/src/founder/features/users/a.ts', '../session/LoginForm.tsx', true],
  ['packages/web/src/founder/features/users/a.ts', '../../pages/Dashboard.tsx', true],
  ['packages/web/src/founder/features/users/a.ts', '@privity/client', true],
  ['packages/web/src/features/chat/list/a.ts', '../Chat.tsx', false],
  ['packages/web/src/features/chat/list/a.ts', '../../files/FileRow.tsx', true],
]

interface Report {
  diagnostics: { code: string; filename: string }[]
}

function lint(folder: string): Promise<Report> {
  return new Promise((resolve, reject) => {
    const oxlint = join(root, 'node_modules/.bin/oxlint')
    execFile(process.execPath, [oxlint, '--format', 'json'], { cwd: folder }, (_error, stdout, stderr) => {
      if (stdout.startsWith('{')) resolve(JSON.parse(stdout) as Report)
      else reject(new Error(stdout + stderr))
    })
  })
}

describe('who may import whom', () => {
  let folder: string
  let refusals: { code: string; filename: string }[]
  const planted = (at: number) => (plants[at] as (typeof plants)[number])[0].replace('a.ts', `planted${at}.ts`)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'privity-lint-'))
    const config = JSON.parse(await readFile(join(root, '.oxlintrc.json'), 'utf8')) as { options: object }
    await writeFile(join(folder, '.oxlintrc.json'), JSON.stringify({ ...config, options: {} }))
    const write = async (file: string, text: string) => {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), text)
    }
    for (const [at, [, specifier]] of plants.entries())
      await write(planted(at), `import { thing } from '${specifier}'\n\nexport const mine = thing\n`)
    await write('packages/server/src/loop/one.ts', "import { two } from './two.ts'\n\nexport const one = () => two\n")
    await write('packages/server/src/loop/two.ts', "import { one } from './one.ts'\n\nexport const two = () => one\n")
    await write(
      'packages/server/src/types/one.ts',
      "import type { Two } from './two.ts'\n\nexport type One = Two | 1\n",
    )
    await write(
      'packages/server/src/types/two.ts',
      "import type { One } from './one.ts'\n\nexport interface Two {\n  one: One\n}\n",
    )
    refusals = (await lint(folder)).diagnostics
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.for(plants.map(([file, specifier, refused], at) => ({ at, file, specifier, refused })))(
    '$file importing $specifier is refused: $refused',
    ({ at, refused }) => {
      const found = refusals.filter(({ filename }) => filename === planted(at))
      expect(found.some(({ code }) => code === 'eslint(no-restricted-imports)')).toBe(refused)
    },
  )

  test('a cycle of imports is refused', () => {
    const found = refusals.filter(({ code }) => code === 'import(no-cycle)').map(({ filename }) => filename)
    const loop = ['packages/server/src/loop/one.ts', 'packages/server/src/loop/two.ts']
    expect(found.filter((path) => path.includes('/loop/')).sort()).toEqual(loop)
  })

  test('a cycle of types alone is refused', () => {
    const found = refusals.filter(({ code }) => code === 'import(no-cycle)').map(({ filename }) => filename)
    const cycle = ['packages/server/src/types/one.ts', 'packages/server/src/types/two.ts']
    expect(found.filter((path) => path.includes('/types/')).sort()).toEqual(cycle)
  })
})
