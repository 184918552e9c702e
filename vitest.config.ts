import { defineConfig } from 'vitest/config'

const [major] = process.versions.node.split('.').map(Number)
if (major !== 26)
  throw new Error(`The tests run on Node 26, this is Node ${process.versions.node}. Start them with: npm test`)

/** Replace a module for all that comes after in their process, so they have one of their own. */
const mocked = '**/*.mocked.test.ts'

/** The files of a package share one process: loading the modules anew for each costs a third of the time. */
const project = (name: string, root: string) => ({
  extends: true as const,
  test: { name, root, include: ['test/**/*.test.{ts,tsx}'], exclude: [mocked], isolate: false },
})

export default defineConfig({
  cacheDir: '.cache/vite',
  test: {
    maxWorkers: 2,
    // Node warns of each method of X-Wing once.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The default of a second is too short on a busy machine; this fails before the test itself times out.
    expect: { poll: { timeout: 20_000 } },
    // Real sockets, processes and disks on a machine that may be busy with something else.
    retry: 2,
    projects: [
      project('contract', 'packages/contract'),
      project('e2ee', 'packages/e2ee'),
      project('client', 'packages/client'),
      project('server', 'packages/server'),
      project('web', 'packages/web'),
      project('scripts', 'scripts'),
      project('bench', 'bench'),
      { extends: true, test: { name: 'mocked', include: [`packages/${mocked}`] } },
    ],
  },
})
