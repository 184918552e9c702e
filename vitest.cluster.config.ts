import { defineConfig } from 'vitest/config'

/** Tests that start private servers beside ours: `npm run test:cluster`. */
export default defineConfig({
  cacheDir: '.cache/vite',
  test: {
    name: 'cluster',
    include: ['packages/{client,server}/test/cluster/**/*.cluster.ts'],
    // Each starts servers and processes of its own, which a machine of two cores must not run twice at once.
    fileParallelism: false,
    // As in vitest.config.ts: some fifty processes take turns on two processors.
    retry: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
